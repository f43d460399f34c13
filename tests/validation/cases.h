/* One function a case, one file each. */
#ifndef VALIDATE_CASES_H
#define VALIDATE_CASES_H

#include "validate.h"

void val_catenary(val_run *run);
void val_cantilever(val_run *run);
void val_tip_load(val_run *run);
void val_roll_up(val_run *run);
void val_cantilever_mode(val_run *run);
void val_pendulum(val_run *run);
void val_chain(val_run *run);
void val_string(val_run *run);
void val_capstan(val_run *run);
void val_incline(val_run *run);
void val_edge(val_run *run);
void val_momentum(val_run *run);
void val_energy(val_run *run);
void val_damping(val_run *run);
void val_origin(val_run *run);
void val_falling(val_run *run);
void val_long(val_run *run);

#endif
