#include "view/shapes/geometry.h"

#include <stdlib.h>

#include "base/array.h"
#include "view/scale/colour.h"

static void add_cable(cab_geometry *geometry, const cab_world *world, int index, cab_paint paint)
{
    cab_strand strand = {.step = 1, .cable = (uint32_t)index};
    cab_section_info sections[CAB_RUNS];
    int count = cab_world_get_sections(world, index, sections, CAB_RUNS);
    for (int s = 0; s < count; s++) {
        strand.first = sections[s].first_node;
        strand.count = sections[s].node_count;
        strand.radius = (float)sections[s].radius;
        cab_palette(paint == CAB_PAINT_MATERIAL ? sections[s].material : index, strand.colour);
        geometry->strands[geometry->strand_count++] = strand;
    }
}

static void add_sheet(cab_geometry *geometry, const cab_world *world, int index, const int *cells)
{
    cab_sheet_info sheet = cab_world_get_sheet(world, index);
    for (int c = 0; c < sheet.cell_count; c++) {
        const int *cell = cells + 4 * (sheet.first_cell + c);
        if (cell[2] < 0) { /* a stick */
            cab_strand stick = {cell[0], cell[1] - cell[0], 2, UINT32_MAX, (float)sheet.radius, {0}, 0, 0};
            cab_palette(index, stick.colour);
            geometry->strands[geometry->strand_count++] = stick;
            continue;
        }
        cab_triangle_nodes *to = geometry->triangles + geometry->triangle_count;
        to[0] = (cab_triangle_nodes){{cell[0], cell[1], cell[2]}, (uint32_t)index, cell[3] >= 0 ? 3 : 7};
        if (cell[3] >= 0) to[1] = (cab_triangle_nodes){{cell[0], cell[2], cell[3]}, (uint32_t)index, 6};
        geometry->triangle_count += cell[3] >= 0 ? 2 : 1;
    }
}

cab_status cab_geometry_make(const cab_world *world, cab_paint paint, cab_geometry *geometry,
                             cab_error *error)
{
    cab_world_info info = cab_world_get_info(world);
    size_t strands = (size_t)info.cells, triangles = 2 * (size_t)info.cells;
    for (int i = 0; i < info.cables; i++) strands += (size_t)cab_world_get_sections(world, i, NULL, 0);
    *geometry = (cab_geometry){.strands = calloc(strands + 1, sizeof *geometry->strands),
                               .triangles = calloc(triangles + 1, sizeof *geometry->triangles)};
    int *cells = calloc((size_t)info.cells + 1, 4 * sizeof *cells);
    if (!geometry->strands || !geometry->triangles || !cells) {
        free(cells);
        cab_geometry_free(geometry);
        return cab_fail_memory(error, "what is drawn", strands * sizeof(cab_strand));
    }
    cab_world_get_cells(world, cells);
    for (int i = 0; i < info.cables; i++) add_cable(geometry, world, i, paint);
    for (int i = 0; i < info.sheets; i++) add_sheet(geometry, world, i, cells);
    free(cells);
    return CAB_OK;
}

void cab_geometry_free(cab_geometry *geometry)
{
    CAB_FREE(geometry->strands, geometry->triangles);
    *geometry = (cab_geometry){0};
}
