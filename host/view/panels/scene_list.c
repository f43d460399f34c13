#include "view/panels/scene_list.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/path.h"

enum { PATH_SIZE = 4096 };

static void add(cab_scene_list *list, const char *path)
{
    char *copy = strdup(path);
    if (!copy || CAB_ONE_MORE(list->paths, list->count, NULL)) {
        free(copy);
        return;
    }
    list->paths[list->count++] = copy;
}

static int is_scene(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return name[0] != '.' && cab_path_ends(name, ".json") && !cab_path_ends(name, ".schema.json");
}

static void add_folder(cab_scene_list *list, const char *folder)
{
    struct dirent **entries;
    bool here = strcmp(folder, ".") == 0;
    int count = scandir(folder, &entries, is_scene, alphasort);
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE];
        int length =
            snprintf(path, sizeof path, "%s%s%s", here ? "" : folder, here ? "" : "/", entries[i]->d_name);
        if (length < PATH_SIZE) add(list, path);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}

static bool is_same_folder(const char *a, const char *b)
{
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

void cab_scene_list_fill(cab_scene_list *list, const char *opened)
{
    char folder[PATH_SIZE];
    const char *slash = strrchr(opened, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - opened) : 1, slash ? opened : ".");
    if (!folder[0]) snprintf(folder, sizeof folder, "/");
    cab_scene_list_free(list);
    add_folder(list, folder);
    list->beside = list->count;
    static const char *const others[] = {"scenes", "scenes/particles", "scenes/planar"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!is_same_folder(folder, others[i])) add_folder(list, others[i]);
}

void cab_scene_list_name(const cab_scene_list *list, int index, char *text, int size)
{
    char stem[PATH_SIZE];
    const char *path = list->paths[index], *name = cab_path_name(path), *folder = name;
    cab_path_stem(path, stem, sizeof stem);
    if (index >= list->beside && folder > path)
        for (folder--; folder > path && folder[-1] != '/';) folder--;
    snprintf(text, (size_t)size, "%.*s%s", (int)(name - folder), folder, stem);
}

void cab_scene_list_free(cab_scene_list *list)
{
    for (int i = 0; i < list->count; i++) free(list->paths[i]);
    free(list->paths);
    *list = (cab_scene_list){0};
}
