/* Rows on paper. */
#ifndef VALIDATE_TABLE_H
#define VALIDATE_TABLE_H

#include "validate.h"

/* The heading of the aligned table, and a line of it. */
void val_print_heading(void);
void val_print_row(const val_row *row);

/* The Markdown table of docs/validation.md: the rows of all devices, a column for each device. */
void val_print_markdown(const val_row *rows, int count);

#endif
