/* Finds a number of a scene from places that were measured.
 *
 *     fit SCENE TRACKS POINTER FROM TO
 *
 * such as
 *
 *     fit scenes/swing.json swing.csv /materials/wire/bending_stiffness 1e-5 1e-2
 *
 * Uses nothing but the public interface. TRACKS is a table with the columns t, probe, x, y, z, as `clcable run SCENE --probes TRACKS`
 * writes it; the cables hung at rest at t = 0. It runs on the processor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <clcable/clcable.h>

static void show(void *user, int runs)
{
    (void)user;
    fprintf(stderr, "\r%d runs", runs);
}

static void tell(const cab_fit_sought *sought, const cab_fit_found *found)
{
    const cab_fit_value *v = &found->values[0];
    const cab_fit_clip_found *clip = &found->clips[0];
    fprintf(stderr, "\n");
    printf("%s: %.4g", sought->pointer, v->value);
    if (isfinite(v->spread) && sought->range.by_ratio)
        printf(" +- %.2g %%", 100 * v->spread);
    else if (isfinite(v->spread))
        printf(" +- %.2g", v->spread);
    printf("\noff by %.2g mm in the mean until %g s, %.2g mm later\n", 1e3 * clip->fitted.mean, clip->until,
           1e3 * clip->held_out.mean);
    for (int i = 0; i < found->warning_count; i++) printf("%s\n", found->warnings[i].text);
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: fit SCENE TRACKS POINTER FROM TO\n");
        return 2;
    }
    cab_fit_sought sought = {.pointer = argv[3], .range = {.from = atof(argv[4]), .to = atof(argv[5])}};
    sought.range.by_ratio = sought.range.from > 0; /* a wide range costs little so */
    cab_tracks tracks;
    cab_fit_clip clip;
    cab_fit_found found = {0};
    cab_fit_def def = cab_fit_default();
    def.sought = &sought;
    def.sought_count = 1;
    def.clips = &clip;
    def.clip_count = 1;
    def.settle = true;
    def.world.device = "native";
    def.progress = show;
    cab_error error = {0};
    cab_status status = cab_tracks_read(argv[2], &tracks, &error);
    if (status == CAB_OK) {
        clip = cab_fit_clip_of(&tracks, argv[1], argv[2]);
        status = cab_fit(&def, &found, &error);
    }
    if (status == CAB_OK && found.any) tell(&sought, &found);
    if (status != CAB_OK) fprintf(stderr, "%s\n", error.message);
    bool any = status == CAB_OK && found.any;
    cab_fit_free(&found);
    cab_tracks_free(&tracks);
    return any ? 0 : 1;
}
