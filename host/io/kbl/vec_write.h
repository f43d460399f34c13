/* A harness as VEC 2.1: what the files that write it share. */
#ifndef CAB_KBL_VEC_WRITE_H
#define CAB_KBL_VEC_WRITE_H

#include <stdio.h>

#include "io/kbl/items.h"

typedef struct cab_vec_writer {
    FILE *f;
    cab_kbl *kbl; /* lost where there is no memory */
    cab_kbl_items items;
    int *wire_part; /* [wire_count] the first wire of the same part */
    int *signal;    /* [wire_count] the first wire of the same signal; -1 = it has none */
    int *next_end;  /* [2 wire_count] of an end 2 w + k the next one in the same pin; -1 = it is the last */
    int *first_end; /* [pin_count] */
} cab_vec_writer;

/* An element with a text. */
void cab_vec_print_text(FILE *f, const char *name, const char *value);
/* A quantity; nothing where it is not known (0). kind, number: what its id is made of. */
void cab_vec_print_quantity(FILE *f, const char *name, const char *unit, double value, const char *kind,
                            int number);
/* An AliasId, with one of the scopes in vec.h; nothing where it is "". */
void cab_vec_print_alias(FILE *f, const char *scope, const char *value, const char *kind, int number);
/* number: its own, "" = not known. part: the id of what it describes; NULL = none */
void cab_vec_begin_document(FILE *f, const char *id, const char *number, const char *type, const char *part);
void cab_vec_begin_specification(FILE *f, const char *type, const char *id);
void cab_vec_end_specification(FILE *f);
/* Begins the document of a part, KIND_part_NUMBER, with its mass in a unit. special: its SpecialPartType; "" = none */
void cab_vec_begin_part(FILE *f, const char *kind, int number, double mass, const char *unit,
                        const char *special);
/* The part itself. alias: the id by which the harness knows it; "" = none */
void cab_vec_print_part(FILE *f, const char *kind, int number, const char *part_number, const char *text,
                        const char *type, const char *alias);

/* vec_write_items.c: documents of parts, the parts, components, placements, contact points. */
void cab_vec_write_item_documents(cab_vec_writer *w);
void cab_vec_write_item_parts(cab_vec_writer *w);
void cab_vec_write_item_components(cab_vec_writer *w);
void cab_vec_write_placements(cab_vec_writer *w);
void cab_vec_write_contacts(cab_vec_writer *w);

/* vec_write_wires.c: finds which wires share parts, signals and pins; the same of wires as of items. */
void cab_vec_sort_wires(cab_vec_writer *w);
void cab_vec_write_wire_documents(cab_vec_writer *w);
void cab_vec_write_wire_parts(cab_vec_writer *w);
void cab_vec_write_wire_components(cab_vec_writer *w);
void cab_vec_write_signals(cab_vec_writer *w);
void cab_vec_write_routing(cab_vec_writer *w);

#endif
