/* clcable convert: a wire harness, or a scene, as a scene file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "io/kbl/convert.h"
#include "io/read_file.h"
#include "model/scene.h"
#include "rules/bundles.h"

/* What stands in a file, for a value "@FILE"; to be freed. NULL: it cannot be read, *error says why. */
static char *text_of(const char *file, cab_error *error)
{
    char *bytes = NULL;
    size_t size;
    if (cab_read_file(file, &bytes, &size, error) != CAB_OK) return NULL;
    char *text = realloc(bytes, size + 1);
    if (text) {
        text[size] = '\0';
        return text;
    }
    free(bytes);
    cab_fail_memory(error, "a table", size);
    return NULL;
}

/* "--length-tolerance", "0.01" becomes "/kbl/length_tolerance=0.01"; to be freed. A value "@FILE" is what stands there. NULL: there is no
 * memory, or, with *error filled, no such file. */
static char *as_override(const char *name, const char *value, cab_error *error)
{
    char pointer[64], *text = value[0] == '@' ? text_of(value + 1, error) : NULL;
    if (value[0] == '@' && !text) return NULL;
    snprintf(pointer, sizeof pointer, "%s%s", CAB_KBL_POINTER, name);
    for (char *c = pointer; *c; c++)
        if (*c == '-') *c = '_';
    char *override = cab_override_of(pointer, text ? text : value);
    free(text);
    return override;
}

/* What is not in a harness that was written, a kind a line; and the note of a scene about what it has not taken over. */
static void tell_losses(const json_t *losses)
{
    for (size_t i = 0; i < json_array_size(losses); i++)
        printf("lost: %s\n", json_string_value(json_array_get(losses, i)));
}

static void tell_left_out(const cab_scene *scene)
{
    static const char mark[] = ": not taken over: ";
    for (int i = 0; i < scene->note_count; i++) {
        const char *kinds = strstr(scene->notes[i], mark);
        if (kinds) printf("lost: %s\n", kinds + strlen(mark));
    }
}

/* A harness into a harness; there are no options that could change it. */
static cab_status convert_harness(const cab_options *options, const char *in, const char *out,
                                  cab_error *error)
{
    json_t *losses = NULL;
    cab_status status = cab_harness_save(in, out, &losses, error);
    if (!status && !options->quiet) tell_losses(losses);
    json_decref(losses);
    return status;
}

/* Reads what was written: notes, and that it is a scene. */
static int tell(const cab_options *options, const char *in, const char *out)
{
    cab_scene *scene = NULL;
    cab_error error;
    /* what is not taken over is not in a harness that was written */
    cab_status status = cab_scene_load(cab_kbl_is(out) ? in : out, NULL, 0, &scene, &error);
    if (status)
        cab_cli_error("%s", error.message);
    else
        cab_cli_notes(scene, in, options->quiet, options->verbose);
    if (!status && !options->quiet && !options->verbose && !cab_kbl_is(out)) tell_left_out(scene);
    if (!status && options->bundles) cab_bundles_print(scene);
    cab_scene_destroy(scene);
    return cab_cli_exit_code(status);
}

static int convert_file(const cab_options *options, const char *in, const char *out)
{
    int set = options->overrides.count, own = options->convert.count / 2, count = 0;
    const char **overrides = calloc((size_t)(set + own) + 1, sizeof *overrides);
    char **made = calloc((size_t)own + 1, sizeof *made);
    bool whole = overrides && made;
    cab_error error = {0};
    for (int i = 0; i < own && whole; i++) {
        made[i] = as_override(options->convert.word[2 * i], options->convert.word[2 * i + 1], &error);
        whole = made[i] != NULL;
        overrides[count++] = made[i];
    }
    for (int i = 0; i < set && whole; i++) overrides[count++] = options->overrides.word[i];
    bool harness = cab_kbl_is(in) && cab_kbl_is(out) && !count;
    int code = error.status ? cab_cli_exit_code(error.status) : CAB_EXIT_FAILED;
    if (!whole)
        cab_cli_error("%s", error.status ? error.message : "out of memory");
    else if ((harness ? convert_harness(options, in, out, &error)
                      : cab_scene_save(in, overrides, count, out, &error)) == CAB_OK)
        code = tell(options, in, out);
    else {
        cab_cli_error("%s", error.message);
        code = cab_cli_exit_code(error.status);
    }
    for (int i = 0; made && i < own; i++) free(made[i]);
    CAB_FREE(made, overrides);
    return code;
}

static int convert(const cab_options *options, const char *argument)
{
    const cab_word_list *files = &options->arguments;
    (void)argument;
    if (files->count == 2) return convert_file(options, files->word[0], files->word[1]);
    cab_cli_error(
        "convert: expected IN.kbl or IN.vec, and OUT.json, OUT.kbl or OUT.vec, see 'clcable convert --help'");
    return CAB_EXIT_USAGE;
}

const cab_command cab_cmd_convert = {"convert", CAB_TAKES_SCENE | CAB_TAKES_CONVERT | CAB_TAKES_CHECK, NULL,
                                     convert, NULL};
