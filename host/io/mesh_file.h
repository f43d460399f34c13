/* Triangle meshes from files. cab_mesh_load of <clcable/scene.h> reads the file and comes here. */
#ifndef CAB_MESH_FILE_H
#define CAB_MESH_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/scene.h>

/* A text by lines and words. */
typedef struct cab_words {
    const char *file; /* for messages */
    const char *at, *end;
    int line;
    cab_error *error;
} cab_words;

typedef struct cab_word {
    const char *text; /* not ended by a zero; length 0 at the end of a line */
    size_t length;
} cab_word;

/* A mesh that grows. */
typedef struct cab_mesh_maker {
    cab_mesh mesh;
    size_t vertex_room, index_room; /* in numbers of vertices and of indices */
} cab_mesh_maker;

/* The next word of the line; empty at its end. */
cab_word cab_words_next(cab_words *words);
/* The same over line ends, empty lines included. */
cab_word cab_words_over_lines(cab_words *words);
/* To the next line; false at the end of the text. */
bool cab_words_next_line(cab_words *words);
bool cab_word_is(cab_word word, const char *text);
/* "FILE: line N: expected EXPECTED, got \"...\"" */
cab_status cab_words_fail(const cab_words *words, const char *expected, cab_word got);
/* Three coordinates within a scene's limits. */
cab_status cab_words_point(cab_words *words, cab_word (*next)(cab_words *words), cab_vec3 *point);

cab_status cab_mesh_add_vertex(cab_mesh_maker *maker, cab_vec3 vertex, cab_error *error);
cab_status cab_mesh_add_triangle(cab_mesh_maker *maker, int a, int b, int c, cab_error *error);
/* The refusal of one triangle too many, or one point. */
cab_status cab_mesh_fail_size(const char *file, cab_error *error);

cab_status cab_mesh_read_obj(const char *file, const char *text, size_t size, cab_mesh_maker *maker,
                             cab_error *error);
cab_status cab_mesh_read_stl(const char *file, const char *text, size_t size, cab_mesh_maker *maker,
                             cab_error *error);

/* As cab_mesh_load, from memory; the format by the ending of `file`. */
cab_status cab_mesh_parse(const char *file, const char *text, size_t size, cab_mesh *mesh, cab_error *error);

#endif
