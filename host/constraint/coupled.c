/* coupled: no constraint of its own. Bendings and lengths of some cables are solved in one system, which only the carrier staged
 * has (carrier/coupled.c). */
#include "model/constraint_kind.h"
#include "model/coupled.h"

const cab_constraint_kind cab_coupled_kind = {.name = "coupled",
                                              .present = cab_model_couples,
                                              .ways = 1u << CAB_WAY_STAGED,
                                              .refusal =
                                                  "bending and lengths of a cable are solved in one system"};
