/* Every buffer and every kernel, once. A kernel's arguments are the buffers named here, in the order of its
 * signature in <file>.cl, which lies in kernels/ or in a folder of it (a test compares the names). Both
 * backends make their tables from these lists.
 */
#ifndef CAB_KERNELS_H
#define CAB_KERNELS_H

/* A study brings its own rows, which a build without studies leaves out. */
#ifdef CAB_HAVE_STUDIES
#include "kernels/particles/list.h"
#include "kernels/planar/list.h"
#else
#define CAB_PARTICLES_BUFFERS(X)
#define CAB_PARTICLES_KERNELS(X)
#define CAB_PLANAR_BUFFERS(X)
#define CAB_PLANAR_KERNELS(X)
#endif

/* X(name): element type and count in the comment. P particles, D distance and B bending constraints, S
 * segments. */
#define CAB_BUFFERS(X)                                                                                       \
    X(params)          /* cab_params [1] */                                                                  \
    X(position)        /* float4 [P] m; w: inverse mass, 1/kg, 0 = held; minus that = asleep */              \
    X(residual)        /* float4 [P] m; what rounding left out of position */                                \
    X(offset)          /* float4 [P] m; place within a substep, from position */                             \
    X(velocity)        /* float4 [P] m/s; w: what damping leaves of it in a substep, 0 to 1 */               \
    X(moving)          /* int [P] index of the particle's target, -1 = none */                               \
    X(moving_particle) /* int [moving]; -1 = soft */                                                         \
    X(target)          /* float4 [substeps][moving][2] m; place, what rounding left out of it */             \
    X(drum_node)       /* cab_drum_row; drum by drum */                                                      \
    X(feed_step)       /* cab_feed_step [substeps][drums] */                                                 \
    X(load_start)      /* int [loaded particles + 1] */                                                      \
    X(load)            /* cab_load_force */                                                                  \
    X(load_path)       /* float4 [substeps][loads] N, or N m */                                              \
    X(drag)            /* cab_segment_drag [S] */                                                            \
    X(distance)        /* cab_distance_constraint [D] by colour */                                           \
    X(distance_lambda) /* float [D] */                                                                       \
    X(distance_colour) /* int [colours][2] first, count */                                                   \
    X(bending)         /* cab_bending_constraint [B] by colour */                                            \
    X(bending_lambda)  /* float4 [B] */                                                                      \
    X(bending_target)  /* float4 */                                                                          \
    X(bending_colour)  /* int [colours][2] first, count */                                                   \
    X(own)             /* cab_own_constraint, by kind and colour */                                          \
    X(own_lambda)      /* float, like own */                                                                 \
    X(own_kind)        /* cab_own_kind [the scene's constraints] */                                          \
    X(own_op)          /* cab_own_op; their operations, which only native reads */                           \
    X(own_origin)      /* float4 [origins][2] m; place, what rounding left out of it */                      \
    X(own_colour)      /* int [colours][2] first, count */                                                   \
    X(chain)           /* cab_chain [cables] */                                                              \
    X(chain_node)      /* cab_chain_node [P] */                                                              \
    X(step)       /* float4 [3][P] m; way of the last substep, of the one before, of the one before that */  \
    X(tile)       /* cab_tile */                                                                             \
    X(tile_chain) /* int [tiles][width]; see cab_tile */                                                     \
    X(tile_move)  /* cab_tile_move */                                                                        \
    X(lane_constant)          /* float; see cab_tile */                                                      \
    X(tile_memory)            /* float [groups][tile_floats]; work */                                        \
    X(component)              /* int [P] which cables, joined to each other, the particle belongs to */      \
    X(component_start)        /* int [components + 1] first in component_particle */                         \
    X(component_particle)     /* int [P] */                                                                  \
    X(component_branch_start) /* int [components + 1] first in component_branch */                           \
    X(component_branch)       /* int [branches] */                                                           \
    X(order)                  /* int [components] 1: this substep is of first order; 2: asleep */            \
    X(touched)                /* int [components] 1: contact has moved something */                          \
    X(off)                    /* int [components] 1: lengths are off */                                      \
    X(slow)                   /* float [nodes] factor of the inverse mass where lengths cannot be met */     \
    X(branch_slow)            /* float4 [branches] lambda/l at its start and end, 1 = it is slowed */        \
    X(off_branch)             /* int [branches] */                                                           \
    X(bend)                   /* float4 [P] kg m, then m; right side of the bending, then its moves */       \
    X(bend_start)             /* int [P + 1] first in bend_item */                                           \
    X(bend_item)              /* int; 4 bending + place */                                                   \
    X(branch)                 /* cab_branch */                                                               \
    X(branch_node)            /* cab_branch_node [nodes] */                                                  \
    X(branch_factor)          /* cab_branch_factor [2][nodes] */                                             \
    X(branch_bend)            /* float4 [branches][4] what forward substitution takes from the separators */ \
    X(branch_state)           /* float4 [nodes][2]; see direct_condense */                                   \
    X(condensed)              /* cab_condensed [branches] */                                                 \
    X(joined)                 /* cab_joined */                                                               \
    X(separator)              /* cab_separator [separators + 1] */                                           \
    X(separator_row)          /* int */                                                                      \
    X(separator_factor)       /* float [rows][2] second and first order */                                   \
    X(separator_item)         /* int */                                                                      \
    X(junction)               /* cab_junction [junctions + 1] */                                             \
    X(junction_item)          /* int */                                                                      \
    X(junction_move)          /* float4 [junctions] */                                                       \
    X(junction_diagonal)      /* float [junctions][6] */                                                     \
    X(junction_block)         /* float [blocks][9] */                                                        \
    X(block)                  /* cab_block [blocks + 1] */                                                   \
    X(block_item)             /* int */                                                                      \
    X(block_term)             /* cab_block_term */                                                           \
    X(quiet)                  /* int [components] frames that it has been quiet */                           \
    X(quiet_place)            /* float4 [P] m; where the particle was when that began */                     \
    X(move)                   /* float4 [D] m/w; what a length wants of its second end, all at once */       \
    X(incident_distance_start) /* int [lists][P + 1] first in incident_distance */                           \
    X(incident_distance)       /* int; 2 distance + end, lists of the distances of a particle */             \
    X(chunk)                   /* cab_chunk */                                                               \
    X(chunk_start)             /* int [cables + 1] first in chunk */                                         \
    X(chunk_item)              /* int; 2 distance, or 2 bending + 1 */                                       \
    X(chunk_of)                /* int [P] */                                                                 \
    X(chunk_shift)             /* float4 [chunks] m */                                                       \
    X(before)                  /* float4 [P] m; offset before the last iteration */                          \
    X(change)                  /* float [blocks][2]; see converge */                                         \
    X(breakable)               /* cab_breakable */                                                           \
    X(breakable_force)         /* float4 N, summed over a frame's substeps */                                \
    X(soft)                    /* cab_soft; attachments that give way, the pull of a hand last */            \
    X(soft_lambda)             /* float4 [soft] kg m */                                                      \
    X(clip)                    /* cab_clip [clips] */                                                        \
    X(clip_state)              /* float4 [clips] see soft.cl */                                              \
    X(tie)                     /* cab_distance_constraint; between cables, by colour */                      \
    X(tie_lambda)              /* float, like tie */                                                         \
    X(measure)                 /* cab_errors [blocks] */                                                     \
    X(draw_node)               /* cab_draw_node [nodes of the output] */                                     \
    X(draw)                    /* float4 [nodes of the output] m; w: a quantity; or OpenGL's buffer */       \
    X(layout)                  /* int; sizes of structs, places of members */                                \
    X(limit_a)                 /* float; three arrays for the device's limits */                             \
    X(limit_b)                 /* float */                                                                   \
    X(limit_c)                 /* float */                                                                   \
    CAB_PARTICLES_BUFFERS(X)                                                                                 \
    CAB_PLANAR_BUFFERS(X)                                                                                    \
    /* contact and drag */                                                                                   \
    X(segment)        /* cab_segment [S] */                                                                  \
    X(incident_start) /* int [P + 1] */                                                                      \
    X(incident)       /* int, 2 segment + end */                                                             \
    X(reference)      /* float4 [P] m; where the particle was when pairs were listed */                      \
    X(near_reference) /* float4 [P] m; when colliders were listed */                                         \
    X(moved)          /* float [blocks][8]; see grid_moved */                                                \
    X(middle)         /* float4 [S] m; midpoint of a segment; w: half length + radius */                     \
    X(key_a)          /* int [S] bucket, sorted */                                                           \
    X(value_a)        /* int [S] segment */                                                                  \
    X(key_b)          /* int [S] */                                                                          \
    X(value_b)        /* int [S] */                                                                          \
    X(scan)           /* int; counts, made first places by a prefix sum */                                   \
    X(scan_sum)       /* int; sums of the blocks of scan */                                                  \
    X(cell_start)     /* int [buckets + 1] */                                                                \
    X(cell_middle)    /* float4 [S] middle in the order of the cells */                                      \
    X(cell_span)      /* float4 [S] m; from a segment's start to its end, its radius, in that order */       \
    X(exclude_start)  /* int [S + 1] */                                                                      \
    X(exclude)        /* int; other segments, colliders as -1 - index; sorted */                             \
    X(slot)           /* int [S][slot_count]; lists while they are made */                                   \
    X(slot_gap)       /* float [S][slot_count] m; gap of these pairs */                                      \
    X(pair_start)     /* int [S + 1] first pair that the segment owns */                                     \
    X(pair)           /* int4 [pairs]; its two segments, its entries with them */                            \
    X(pair_limit)     /* float [pairs] m; looked at once both have travelled so far together */              \
    X(back_start)     /* int [S + 1] how many pairs have a lower second segment */                           \
    X(contact_entry)  /* int [2 pairs] from pair_start + back_start on a segment's pairs, own ones first: */ \
                      /* 2 contact + (1: it is the second); -1 - pair = none */                              \
    X(rod)            /* float4 [S][6] a segment in this substep, as in touch.h */                           \
    X(travel)         /* float [S] m; way since pairs were listed, at most */                                \
    X(contact_count)  /* int [rows] contacts at the start of a row of pairs */                               \
    X(contact)        /* float [rows][numbers][CAB_ROW], as in types.h */                                    \
    X(contact_end)    /* int4 [pairs] particles, like contact */                                             \
    X(effect)         /* float4 [pairs] kg m; what a contact does to its second point, like contact */       \
    X(share)          /* cab_share [2 pairs] a segment's contacts, from share_start on */                    \
    X(share_start)    /* int [S] */                                                                          \
    X(share_count)    /* int [S] */                                                                          \
    X(collider)       /* cab_collider */                                                                     \
    X(collider_path)  /* cab_collider [substeps][colliders] */                                               \
    X(mesh_node)      /* cab_mesh_node */                                                                    \
    X(mesh_triangle)  /* cab_triangle */                                                                     \
    X(mesh_edge)      /* cab_mesh_edge */                                                                    \
    X(mesh_triangle_edge) /* int [triangles][3] edges that are the triangle's; -1 = none */                  \
    X(near_start)         /* int [S + 1] */                                                                  \
    X(near)               /* int; 4 (collider, or edge after those) + place: 0 at a, 1 at b, 2 between */    \
    X(near_contact)       /* cab_contact, from near_start on */                                              \
    X(near_count)         /* int [S] */                                                                      \
    X(end_weight)         /* float [S][2] sum of contact weights at a segment's ends */                      \
    X(end_pressing)       /* float [S][2] kg m; multipliers of the contacts at a segment's ends */           \
    X(weight)             /* float [P] the same over a particle's segments, at least 1 */                    \
    X(push)               /* float4 [S][2] kg m; correction at a segment's ends before the inverse mass */   \
    X(start_overlap)      /* float [S] m; deepest overlap with a segment at the start of the run */          \
    X(start_overlap_collider) /* float [S] m; with a collider */                                             \
    X(overlap)                /* cab_errors [blocks of S] */                                                 \
    X(own_overlap)            /* cab_overlap [S] */                                                          \
    X(depth)                  /* float [S] m; deepest overlap, with segments and colliders */                \
    X(group_collider)         /* int; see cab_model */                                                       \
    X(contact_force)          /* float [P] N; normal forces of the last substep */

/* What a kernel of whole cables in lanes takes: tables, then the state of the cables, then its memory. */
#define CAB_LANES_BUFFERS                                                                                    \
    params, tile, tile_chain, tile_move, lane_constant, chain, chain_node, target, position, residual,       \
        velocity, step, slow, distance_lambda, tile_memory

/* X(kernel, file, kind, buffers...); kind: item; block (an item that is a whole block of work); group */
#define CAB_KERNELS(X) CAB_NARROW_KERNELS(X) CAB_WIDE_KERNELS(X) CAB_STUDY_KERNELS(X)

/* Those whose reals are bundles (kernels/real.h): natively compiled apart from the others. */
#define CAB_WIDE_KERNELS(X)                                                                                  \
    X(lanes_lengths, lanes, group, CAB_LANES_BUFFERS)                                                        \
    X(lanes_bending, lanes, group, CAB_LANES_BUFFERS)                                                        \
    X(lanes_mixed, lanes, group, CAB_LANES_BUFFERS)                                                          \
    X(lanes_xpbd_lengths, lanes, group, CAB_LANES_BUFFERS)                                                   \
    X(lanes_xpbd_bending, lanes, group, CAB_LANES_BUFFERS)                                                   \
    X(lanes_xpbd_mixed, lanes, group, CAB_LANES_BUFFERS)

#define CAB_NARROW_KERNELS(X)                                                                                \
    X(layout, layout, item, layout)                                                                          \
    X(limit_arithmetic, limits, group, limit_a, limit_b)                                                     \
    X(limit_stream, limits, group, limit_a, limit_b, limit_c)                                                \
    X(predict, predict, item, params, offset, velocity, position, residual)                                  \
    X(load_move, predict, item, load, load_path)                                                             \
    X(load, predict, item, params, velocity, position, load_start, load)                                     \
    X(drag, predict, item, params, velocity, position, incident_start, incident, segment, drag)              \
    X(feed, feed, item, position, residual, velocity, distance, bending, drum_node, feed_step)               \
    X(feed_follow, feed, item, offset, drum_node, feed_step)                                                 \
    X(attach, attach, item, params, offset, position, moving_particle, target)                               \
    X(attach_force, attach, item, params, breakable_force, breakable, position, offset, distance,            \
      distance_lambda, bending, bending_lambda)                                                              \
    X(distance, distance, item, params, offset, distance_lambda, position, distance)                         \
    X(distance_merged, distance, group, params, offset, distance_lambda, position, distance,                 \
      distance_colour)                                                                                       \
    X(bending, bending, item, params, offset, bending_lambda, position, bending, bending_target)             \
    X(bending_merged, bending, group, params, offset, bending_lambda, position, bending, bending_target,     \
      bending_colour)                                                                                        \
    X(own, own, item, offset, own_lambda, position, own, own_kind, own_op, own_origin)                       \
    X(own_merged, own, group, offset, own_lambda, position, own, own_kind, own_op, own_origin, own_colour)   \
    X(springs_distance, springs, item, params, offset, distance_lambda, position, residual, velocity,        \
      distance)                                                                                              \
    X(springs_bending, springs, item, offset, bending_lambda, position, residual, bending)                   \
    X(jacobi_move, jacobi, item, params, move, distance_lambda, offset, position, distance,                  \
      incident_distance_start)                                                                               \
    X(jacobi_gather, jacobi, item, params, offset, position, move, incident_distance_start,                  \
      incident_distance)                                                                                     \
    X(chunks_solve, chunks, block, params, offset, distance_lambda, bending_lambda, position, distance,      \
      bending, bending_target, chunk, chunk_item)                                                            \
    X(chunks_seam, chunks, block, chunk_shift, distance_lambda, offset, position, distance, chunk,           \
      chunk_start)                                                                                           \
    X(chunks_shift, chunks, item, offset, chunk_shift, chunk_of)                                             \
    X(chunks_cross, chunks, block, params, offset, distance_lambda, bending_lambda, position, distance,      \
      bending, bending_target, chunk, chunk_item)                                                            \
    X(converge, converge, block, params, change, before, offset, position, distance)                         \
    X(finish, finish, item, params, position, residual, velocity, offset)                                    \
    X(fused, fused, group, params, chain, chain_node, position, residual, velocity, distance_lambda,         \
      bending_target, moving, target)                                                                        \
    X(soft_solve, soft, item, params, offset, soft_lambda, position, residual, soft, target)                 \
    X(direct_soft, soft, item, params, offset, position, residual, step, soft, target, component, order)     \
    X(tie, tie, item, params, offset, tie_lambda, position, tie)                                             \
    X(clip_place, soft, item, params, target, clip_state, position, offset, soft, clip)                      \
    X(clip_slide, soft, item, params, clip_state, position, offset, soft, clip, target)                      \
    X(direct_predict, direct_motion, item, params, offset, step, position, residual, velocity, component,    \
      order)                                                                                                 \
    X(direct_load, direct_motion, item, params, offset, bend, velocity, position, load_start, load,          \
      component, order)                                                                                      \
    X(direct_drag, direct_motion, item, params, offset, velocity, position, incident_start, incident,        \
      segment, drag, component, order)                                                                       \
    X(direct_bend, direct_bend, item, bending_lambda, position, offset, bending, bending_target, component,  \
      order)                                                                                                 \
    X(direct_gather, direct_bend, item, bend, bending_lambda, bending, bend_start, bend_item)                \
    X(direct_forward, direct_bend, block, params, bend, branch_bend, branch, branch_node, branch_factor,     \
      order)                                                                                                 \
    X(direct_separate, direct_bend, block, bend, offset, branch_bend, joined, separator, separator_row,      \
      separator_factor, separator_item, order)                                                               \
    X(direct_back, direct_bend, block, params, offset, bend, branch, branch_node, branch_factor, order)      \
    X(direct_note, direct_motion, item, bend, offset)                                                        \
    X(direct_touch, direct_motion, block, touched, offset, bend, component_start, component_particle, order) \
    X(direct_slow_contact, direct_lengths, block, offset, bend, branch, branch_node, slow, branch_slow,      \
      order)                                                                                                 \
    X(direct_condense, direct_lengths, block, params, branch_state, condensed, branch, branch_node,          \
      branch_factor, position, offset, order, off, slow)                                                     \
    X(direct_substitute, direct_lengths, block, params, branch_state, offset, distance_lambda, off_branch,   \
      slow, branch_slow, condensed, branch, branch_node, branch_factor, junction_move, order, off)           \
    X(direct_check, direct_lengths, block, off, off_branch, component_branch_start, component_branch)        \
    X(direct_assemble, direct_junction, block, junction_move, junction_diagonal, junction_block, joined,     \
      junction, block, junction_item, block_item, condensed, branch_slow, order, off)                        \
    X(direct_junction, direct_junction, block, junction_move, junction_diagonal, junction_block, offset,     \
      joined, junction, block, block_term, order, off)                                                       \
    X(direct_finish, direct_motion, item, params, position, residual, velocity, step, offset, component,     \
      order)                                                                                                 \
    X(direct_order, direct_motion, item, order, touched)                                                     \
    X(measure, measure, block, params, measure, position, residual, velocity, distance)                      \
    X(draw, draw, item, params, draw, draw_node, position, residual, velocity, distance_lambda,              \
      contact_force)                                                                                         \
    X(grid_moved, grid, block, params, moved, position, residual, offset, reference, near_reference)         \
    X(grid_note, grid, item, reference, near_reference, position)                                            \
    X(grid_settle, grid, item, offset, residual)                                                             \
    X(grid_key, grid, item, params, middle, key_a, value_a, position, segment)                               \
    X(grid_cells, grid, item, params, cell_start, cell_middle, cell_span, key_a, value_a, middle, position,  \
      segment)                                                                                               \
    X(grid_search, grid, group, params, scan, slot, slot_gap, segment, cell_middle, cell_span, cell_start,   \
      value_a, exclude_start, exclude)                                                                       \
    X(grid_longest, grid, block, params, moved, scan)                                                        \
    X(grid_pairs, grid, item, params, pair_start, pair, pair_limit, key_a, value_a, scan, slot, slot_gap)    \
    X(grid_back, grid, item, params, back_start, key_a)                                                      \
    X(grid_entries, grid, item, contact_entry, pair, pair_start, back_start, key_a, value_a)                 \
    X(grid_back_none, grid, item, back_start)                                                                \
    X(grid_near_count, grid, item, params, scan, position, segment, collider, group_collider, mesh_node,     \
      mesh_triangle, mesh_edge, mesh_triangle_edge, exclude_start, exclude)                                  \
    X(grid_near_fill, grid, item, params, near, near_start, position, segment, collider, group_collider,     \
      mesh_node, mesh_triangle, mesh_edge, mesh_triangle_edge, exclude_start, exclude)                       \
    X(grid_near_start, grid, item, near_start, scan)                                                         \
    X(sleep_watch, sleep, block, params, quiet, quiet_place, position, component_start, component_particle)  \
    X(sort_count, sort, block, params, scan, key_a, key_b)                                                   \
    X(sort_scatter, sort, block, params, scan, key_a, value_a, key_b, value_b)                               \
    X(scan_sum, sort, block, scan, scan_sum)                                                                 \
    X(scan_top, sort, block, scan_sum)                                                                       \
    X(scan_add, sort, block, scan, scan_sum)                                                                 \
    X(contact_rods, narrow, group, params, rod, travel, position, residual, offset, segment)                 \
    X(contact_find, narrow, group, params, contact, contact_end, contact_count, contact_entry, pair_limit,   \
      pair, rod, travel, start_overlap, segment, position, residual, offset)                                 \
    X(contact_shares, contact, group, params, end_weight, share, share_start, share_count, contact_entry,    \
      contact, pair_start, back_start)                                                                       \
    X(contact_start_pairs, overlap, item, effect, pair, position, residual, segment)                         \
    X(contact_start, overlap, item, start_overlap, effect, contact_entry, pair_start, back_start)            \
    X(contact_weight, contact, item, weight, position, end_weight, incident_start, incident)                 \
    X(contact_solve, contact, group, params, effect, contact, contact_end, contact_count, offset, weight)    \
    X(contact_push, contact, item, push, effect, share, share_start, share_count)                            \
    X(contact_apply, contact, item, offset, position, push, incident_start, incident)                        \
    X(contact_measure, overlap, block, params, overlap, own_overlap, depth, pair_start, pair, position,      \
      residual, segment)                                                                                     \
    X(contact_pressing, contact, item, end_pressing, share, share_start, share_count, contact, near_start,   \
      near_count, near_contact)                                                                              \
    X(contact_force, contact, item, params, contact_force, position, incident_start, incident, end_pressing, \
      component, order)                                                                                      \
    X(collider_find, collider, item, params, near_contact, near_count, near_start, near, position, residual, \
      offset, segment, collider, mesh_node, mesh_triangle, mesh_edge, start_overlap_collider)                \
    X(collider_weight, collider, item, end_weight, near_contact, near_start, near_count)                     \
    X(collider_move, collider, item, params, collider, collider_path)                                        \
    X(collider_start, collider, item, params, start_overlap_collider, near_start, near, position, residual,  \
      segment, collider, mesh_node, mesh_triangle, mesh_edge)                                                \
    X(collider_solve, collider, item, params, push, near_contact, near_start, near_count, offset, segment,   \
      weight)                                                                                                \
    X(collider_measure, collider, block, params, overlap, depth, near_start, near, position, residual,       \
      segment, collider, mesh_node, mesh_triangle, mesh_edge)

/* Particles and planar bodies: engines of their own, which calculate in doubles. */
#define CAB_STUDY_KERNELS(X) CAB_PARTICLES_KERNELS(X) CAB_PLANAR_KERNELS(X)

#define CAB_FIRST_CONTACT_BUFFER CAB_BUFFER_segment

#define CAB_BUFFER_ENUM(name) CAB_BUFFER_##name,
typedef enum cab_buffer { CAB_BUFFERS(CAB_BUFFER_ENUM) CAB_BUFFER_COUNT } cab_buffer;

#define CAB_KERNEL_ENUM(name, file, kind, ...) CAB_KERNEL_##name,
typedef enum cab_kernel { CAB_KERNELS(CAB_KERNEL_ENUM) CAB_KERNEL_COUNT } cab_kernel;

#endif
