/* The options of `render`, and of whoever else takes CAB_TAKES_PICTURE. */
#ifndef CAB_PICTURE_OPTIONS_H
#define CAB_PICTURE_OPTIONS_H

#include "cli/options.h"
#include "view/pictures/shots.h"

/* Reads options->picture into the shots. False after an error message. */
bool cab_picture_options(const cab_options *options, const char *command, cab_shots *shots);

/* The word that was given for one of them, as "colour"; NULL = none. */
const char *cab_picture_word(const cab_options *options, const char *name);

#endif
