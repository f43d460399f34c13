/* What the pages of reports share. */
#ifndef CAB_PAGE_H
#define CAB_PAGE_H

#include "io/file.h"

/* The beginning of a page up to its title, which is also its first heading. */
void cab_page_begin(const char *title, cab_file *file);

/* In the unit that people use for it: mm below 1 m, percent for shares (unit ""); a dash for what is not finite. */
void cab_page_quantity(char *text, size_t size, const char *unit, double value);

#endif
