/* All buffers and all kernels. Both backends make their tables from these lists. A kernel's arguments are the
 * buffers named here, in the order of the kernel's signature in <file>.cl, which lies in kernels/ or in a
 * folder of it; a test compares the names. */
#ifndef CAB_KERNELS_H
#define CAB_KERNELS_H

#include "kernels/coupled_list.h"
#include "kernels/rigid_contact_list.h"
#include "kernels/rigid_list.h"
#include "kernels/socket_list.h"

/* A study has its own rows; a build without studies leaves them out. */
#ifdef CAB_HAVE_STUDIES
#include "kernels/particles/list.h"
#include "kernels/planar/list.h"
#else
#define CAB_PARTICLES_BUFFERS(X)
#define CAB_PARTICLES_KERNELS(X)
#define CAB_PLANAR_BUFFERS(X)
#define CAB_PLANAR_KERNELS(X)
#endif

/* X(name): element type, [shape], unit and meaning. P: number of particles, D: of distance constraints, B: of
 * bending constraints, S: of segments. A row of pairs or contacts is CAB_ROW of them. */
#define CAB_BUFFERS(X)                                                                                       \
    X(params)          /* cab_params [1]: constants of all kernels */                                        \
    X(position)        /* float4 [P] m; w: inverse mass, 1/kg: 0 = held, negated = asleep */                 \
    X(residual)        /* float4 [P] m; what rounding left out of position */                                \
    X(offset)          /* float4 [P] m; where the particle is in this substep, relative to position */       \
    X(velocity)        /* float4 [P] m/s; w: see cab_world_damping */                                        \
    X(moving)          /* int [P] index of the particle's target; -1 = none */                               \
    X(moving_particle) /* int [targets] the particle; -1 = the target is a soft attachment's */              \
    X(target)          /* float4 [substeps][targets][2] m; the place, and what rounding left out */          \
    X(drum_node)       /* cab_drum_row [drum nodes] drum after drum */                                       \
    X(drum_step)       /* cab_drum_step [substeps][drums] */                                                 \
    X(drum_slack)      /* float [drums][2] see direct_feed */                                                \
    X(load_start)      /* int [loaded particles + 1] the particle's first entry in load */                   \
    X(load)            /* cab_load_force [loads] particle after particle */                                  \
    X(load_path)       /* float4 [substeps][loads] N or N m; loads that change with time */                  \
    X(drag)            /* cab_segment_drag [S] */                                                            \
    X(distance)        /* cab_distance_constraint [D] sorted by colour */                                    \
    X(distance_lambda) /* float [D] kg m; multipliers */                                                     \
    X(distance_colour) /* int [colours][2] first constraint of a colour, their number */                     \
    X(bending)         /* cab_bending_constraint [B] sorted by colour */                                     \
    X(bending_lambda)  /* float4 [B] kg m^2; multipliers */                                                  \
    X(bending_target)  /* float4 [targets] what the curvature vectors shall be, no unit */                   \
    X(viscous_change)  /* float4 [B] see direct_viscous; w: tau/h_s, 0 = not damped */                       \
    X(constrained)     /* float4 [P] m; by how much all but bending moved a particle in the last substep */  \
    X(viscous_pull)    /* float4 [B] kg m^2; see direct_gather */                                            \
    X(viscous_run)     /* cab_viscous_run [runs] */                                                          \
    X(viscous_bending) /* int [bendings of runs] run after run, along the cable */                           \
    X(viscous_time)    /* float [B] s; tau */                                                                \
    X(twist) /* float4 [holds] from a place that holds the roll to the next; see direct_twist. Then \
                        float4 [nodes][2] of those with directors; see direct_director */        \
    CAB_RIGID_BUFFERS(X)                                                                                     \
    CAB_RIGID_CONTACT_BUFFERS(X)                                                                             \
    CAB_SOCKET_BUFFERS(X)                                                                                    \
    X(twist_pull)    /* float4 [links] kg m; what a segment's second particle is pulled by, its first not */ \
    X(twist_run)     /* cab_twist_run [runs] */                                                              \
    X(twist_link)    /* cab_twist_link [links] segments of runs, along the cable */                          \
    X(twist_frame)   /* float4 [holds][2] the direction that is held, and the director at roll 0 */          \
    X(twist_couple)  /* float4 [holds][2] N m; see direct_twist */                                           \
    X(twist_roll)    /* float [substeps][holds] rad */                                                       \
    X(twist_set)     /* float4 [holds] for states only: rolls that the user has set, see cab_roll_set */     \
    X(twist_spin)    /* float [substeps][holds] rad: by how much each is rolled in the substep */            \
    X(viscous_share) /* float [B] share of the twist of its run that a bending has */                        \
    X(director) /* float4 [links] first axis of the section, of cables with a director for each segment */   \
    X(director_held)   /* float4 [substeps][holds] directors of the places that hold the roll */             \
    X(director_rest)   /* float4 [director_bendings] kink at rest, about the first axis and the second */    \
    X(director_run)    /* cab_director_run [director_runs] */                                                \
    X(director_vertex) /* cab_director_vertex [nodes][2] before the node, and where a run begins after it */ \
    X(director_bending) /* cab_director_bending [director_bendings] */                                       \
    X(director_work)    /* float4 [links] while a run is solved */                                           \
    X(director_kink)    /* float4 [nodes][2] the same: kinks over |u_- + u_+|, and the angle of twist */     \
    X(twist_start)      /* int [P + 1] first entry in twist_item */                                          \
    X(twist_item)       /* int [2 links] see cab_twist_pulled() */                                           \
    X(bending_colour)   /* int [colours][2] first constraint of a colour, their number */                    \
    X(own)              /* cab_own_constraint [own constraints] sorted by kind and colour */                 \
    X(own_lambda)       /* float [own constraints] multipliers */                                            \
    X(own_kind)         /* cab_own_kind [the scene's constraints] */                                         \
    X(own_op)           /* cab_own_op [operations] of all expressions; read by native only */                \
    X(own_origin)       /* float4 [origins][2] m; the place, and what rounding left out of it */             \
    X(own_colour)       /* int [colours][2] first constraint of a colour, their number */                    \
    X(chain)            /* cab_chain [cables] */                                                             \
    X(chain_node)       /* cab_chain_node [P] */                                                             \
    X(step)             /* float4 [3][P] m; displacements in the last three substeps, newest first */        \
    X(tile)             /* cab_tile [tiles] */                                                               \
    X(tile_chain)       /* int [tiles][width] the cable in each lane; see cab_tile */                        \
    X(tile_move)        /* cab_tile_move [held particles of tiles that move] tile after tile */              \
    X(lane_constant)    /* float [see cab_tile] constants of particles, CAB_CONSTANT_... */                  \
    X(tile_kept) /* float [particles of tiles][CAB_SLOTS_KEPT][lanes] what tiles keep, tile after tile */    \
    X(tile_constrained)       /* float [particles of tiles][3][lanes] see viscous_sweep.h */                 \
    X(tile_twist)             /* float [tiles][CAB_TWIST_SLOTS][lanes] see twist_sweep.h */                  \
    X(chain_errors)           /* cab_errors [cables] errors of each cable */                                 \
    X(tile_back)              /* float [particles of tiles][CAB_SLOTS_BACK][lanes] the start of a frame */   \
    X(chain_near)             /* int [cables] of a near frame; see lanes_near.cl */                          \
    X(near_part)              /* int [cables][colliders][2] see carrier/near.c, find_parts() */              \
    X(tile_memory)            /* float [groups][tile_floats] work memory of a group */                       \
    X(component)              /* int [P] the component, cables joined to each other, of the particle */      \
    X(component_start)        /* int [components + 1] first entry in component_particle */                   \
    X(component_particle)     /* int [P] particles, component after component */                             \
    X(component_branch_start) /* int [components + 1] first entry in component_branch */                     \
    X(component_branch)       /* int [branches] branches, component after component */                       \
    X(order)                  /* int [components] of this substep: 0 = second, 1 = first, 2 = asleep */      \
    X(touched)                /* int [components] 1 = contact has moved a particle in this substep */        \
    X(off)                    /* int [components] 1 = its lengths are to be solved again: one is off by */   \
    /* more than CAB_LENGTH_ERROR, or contact has moved a particle */                                        \
    X(slow)          /* float [nodes] factor of the inverse mass where lengths cannot be met */              \
    X(branch_slow)   /* float4 [branches] lambda/l at start and end; z: 1 = slow is used */                  \
    X(off_branch)    /* int [branches] 1 = the same of a length in this branch */                            \
    X(bend)          /* float4 [P] right side of the bending, kg m; then displacements, m */                 \
    X(bend_start)    /* int [P + 1] the particle's first entry in bend_item */                               \
    X(bend_item)     /* int [items] 4 bending + (0, 1, 2: the particle is its a, b, c) */                    \
    X(branch)        /* cab_branch [branches] */                                                             \
    X(branch_node)   /* cab_branch_node [nodes] branch after branch */                                       \
    X(branch_factor) /* cab_branch_factor [2][nodes] of second, of first order */                            \
    X(branch_bend)   /* float4 [branches][4] kg m; what the branch adds to its separators */                 \
    X(branch_state)  /* float4 [nodes][2] the elimination of lengths; see direct_condense */                 \
    X(hard)          /* int [components] does tension outweigh inertia there in this substep */              \
    X(hurried)       /* int [components] has it ever been in pieces */                                       \
    X(inertia)       /* float4 [P] m; offset to which inertia alone would take the particle */               \
    X(stiff)         /* int [components] CAB_STIFF_...: is it solved by stiff.cl? */                         \
    X(leaning)       /* int [components] 1 = its contacts with its own segments are springs (press.cl) */    \
    X(paired)        /* int [components] 1 = its contacts with segments are those of a cluster */            \
    X(burden)        /* int [components] CAB_BURDEN_... */                                                   \
    X(cluster)       /* cab_cluster [components]; those of lowest components count */                        \
    X(cluster_root)  /* int [components] towards the lowest component of its cluster */                      \
    X(cluster_count) /* int [CAB_CLUSTERS_NUMBERS] clusters in this substep, and what they need */           \
    X(cluster_list)  /* int [pairs] contacts, cluster by cluster */                                          \
    X(cluster_row)   /* int [pairs][2] a contact's row of each of its cables; CAB_CLUSTER_... */             \
    X(cluster_rows)  /* cab_cluster_rows [groups of rows] */                                                 \
    X(cluster_state) /* float [contacts of clusters][CAB_CLUSTER_STATE] see cluster.cl */                    \
    X(cluster_slide) /* float [CAB_CLUSTER_ROW_STATE][rows] the same */                                      \
    X(delassus)      /* float 1/kg; blocks [rows][9][cab_cluster_stride] of each cable of clusters */        \
    X(mobility)      /* float [nodes][CAB_MOBILITY] blocks on the diagonal of K^-1 */                        \
    X(pair_pull)     /* float4 [P] kg m; impulses of clusters in this substep */                             \
    X(pair_force)    /* float4 [P] kg m; and in this pass */                                                 \
    X(lost)          /* int [components] substeps in a row that missed its lengths; see stiff_end */         \
    X(span_tile)     /* cab_span_tile [tiles] */                                                             \
    X(span_branch)   /* int [tiles][lanes] the branch in each lane; see cab_span_tile */                     \
    X(span_constant) /* float [nodes of tiles][CAB_SPAN_CONSTANTS][lanes] */                                 \
    X(span_memory)   /* float [nodes of tiles][CAB_SPAN_SLOTS][lanes] work memory */                         \
    X(branch_tile)   /* cab_branch_tile [tiles] */                                                           \
    X(branch_lane)   /* int [tiles][lanes] the branch in each lane; see cab_branch_tile */                   \
    X(branch_memory) /* float [nodes of tiles][CAB_BRANCH_SLOTS][lanes] */                                   \
    X(span_row)      /* int [2][nodes of tiles] a node's row in span_table; see cab_span_tile */             \
    X(span_table)    /* float [rows][CAB_SPAN_ROW][1 or lanes] constants of nodes */                         \
    X(span_hold)     /* cab_span_hold [branches] the hold at the branch's start */                           \
    X(span_joined)   /* int [components] its entry in joined; -1 = none */                                   \
    X(net)           /* cab_net [nets] */                                                                    \
    X(net_tile)      /* cab_net_tile [tiles] net after net */                                                \
    X(net_lane)      /* cab_net_lane [tiles][lanes] */                                                       \
    X(net_constant)  /* float [see cab_net_tile] */                                                          \
    X(net_memory)    /* float [nets][CAB_NET_REPORT], then as cab_net says */                                \
    X(net_item)      /* int [see cab_net] */                                                                 \
    X(outcome)       /* int [branches] CAB_OUTCOME_... */                                                    \
    CAB_COUPLED_BUFFERS(X)                                                                                   \
    X(stiff_node)              /* cab_stiff_node [nodes + branches] */                                       \
    X(condensed)               /* cab_condensed [branches] */                                                \
    X(stiff_condensed)         /* cab_stiff_condensed [branches] */                                          \
    X(joined)                  /* cab_joined [groups of joined cables] */                                    \
    X(separator)               /* cab_separator [separators + 1] */                                          \
    X(separator_row)           /* int [factors] the separator in whose row the factor stands */              \
    X(separator_factor)        /* float [factors][2] of second, of first order */                            \
    X(separator_item)          /* int [items] 4 branch + which of its separators this one is */              \
    X(junction)                /* cab_junction [junctions + 1] */                                            \
    X(junction_item)           /* int [items] 4 branch + (0, 1, 2: its start, end, both are here) */         \
    X(junction_move)           /* float4 [junctions] m; displacement in a Newton pass */                     \
    X(junction_diagonal)       /* float [junctions][6] kg; symmetric blocks on the matrix's diagonal */      \
    X(junction_block)          /* float [blocks][9] kg; blocks below the diagonal */                         \
    X(block)                   /* cab_block [blocks + 1] */                                                  \
    X(block_item)              /* int [items] 2 branch + (1: the branch ends at the row's junction) */       \
    X(block_term)              /* cab_block_term [terms] of the elimination */                               \
    X(quiet)                   /* int [components] for how many frames it has been quiet */                  \
    X(quiet_place)             /* float4 [P] m; where the particle was when quiet began to count */          \
    X(move)                    /* float4 [D] kg m; correction of its second end, before the inverse mass */  \
    X(incident_distance_start) /* int [lists][P + 1] the particle's first entry */                           \
    X(incident_distance)       /* int [entries] 2 distance + (1: the particle is its end b) */               \
    X(chunk)                   /* cab_chunk [chunks] */                                                      \
    X(chunk_start)             /* int [cables + 1] the cable's first chunk */                                \
    X(chunk_item)              /* int [D + B] 2 distance, or 2 bending + 1 */                                \
    X(chunk_of)                /* int [P] the particle's chunk */                                            \
    X(chunk_shift)             /* float4 [chunks] m; displacement of the whole chunk */                      \
    X(before)                  /* float4 [P] m; offset before the last iteration */                          \
    X(change)                  /* float [blocks][2] change of an iteration; see converge */                  \
    X(breakable)               /* cab_breakable [watched places] */                                          \
    X(breakable_force)         /* float4 [watched places] N; sum over a frame's substeps */                  \
    X(soft)                    /* cab_soft [soft attachments, then the pull of a hand] */                    \
    X(soft_lambda)             /* float4 [soft] kg m; multipliers */                                         \
    X(clip)                    /* cab_clip [clips] */                                                        \
    X(clip_state)              /* float4 [clips] how far and how fast its target slides; see clip_place */   \
    X(tie)                     /* cab_distance_constraint [ties] between cables, sorted by colour */         \
    X(tie_lambda)              /* float [ties] kg m; multipliers */                                          \
    X(measure)                 /* cab_errors [blocks of P or D] errors of a frame */                         \
    X(draw_node)               /* cab_draw_node [nodes of the output] */                                     \
    X(draw)                    /* float4 [nodes of the output] m; w: a quantity; may be OpenGL's buffer */   \
    X(layout)                  /* int [entries] sizes of structs and offsets of members, bytes */            \
    X(limit_a)                 /* float [limits] the device's limits are measured on three arrays */         \
    X(limit_b)                 /* float [limits] */                                                          \
    X(limit_c)                 /* float [limits] */                                                          \
    CAB_PARTICLES_BUFFERS(X)                                                                                 \
    CAB_PLANAR_BUFFERS(X)                                                                                    \
    /* contact and drag */                                                                                   \
    X(segment)        /* cab_segment [S] */                                                                  \
    X(incident_start) /* int [P + 1] the particle's first entry in incident */                               \
    X(incident)       /* int [2 S] 2 segment + (1: the particle is its end b) */                             \
    X(reference)      /* float4 [P] m; where the particle was when pairs were listed */                      \
    X(near_reference) /* float4 [P] m; where it was when colliders were listed */                            \
    X(moved)          /* float [blocks][8] how far particles have moved; see grid_moved */                   \
    X(middle)         /* float4 [S] m; midpoint; w: half length + radius: 0 = on a drum, < 0 asleep */       \
    X(key_a)          /* int [keys] what is sorted by: a segment's bucket, a pair's segment */               \
    X(value_a)        /* int [keys] what is sorted: segments, pairs */                                       \
    X(key_b)          /* int [keys] the other copy of key_a while sorting */                                 \
    X(value_b)        /* int [keys] the other copy of value_a while sorting */                               \
    X(scan)           /* int [numbers] counts, which a prefix sum turns into first places */                 \
    X(scan_sum)       /* int [blocks of scan] sums */                                                        \
    X(cell_start)     /* int [buckets + 1] the bucket's first place in sorted order */                       \
    X(cell_middle)    /* float4 [S + 16] m; middle, in sorted order */                                       \
    X(cell_span)      /* float4 [S] m; from start to end, w: radius, in sorted order */                      \
    X(exclude_start)  /* int [S + 1] the segment's first entry in exclude */                                 \
    X(exclude)        /* int [entries] segments, and colliders as -1 - index, ascending */                   \
    X(slot)           /* int [S][slot_count] candidates of a segment while lists are made */                 \
    X(slot_gap)       /* float [S][slot_count] m; gaps of these candidates */                                \
    X(pair_start)     /* int [S + 1] first pair whose first segment this is */                               \
    X(pair)           /* int4 [pairs] first and second segment, the pair's entry with each */                \
    X(pair_limit)     /* float [pairs] m; it is looked at again from this sum of both travels on */          \
    X(back_start)     /* int [S + 1] number of pairs whose second segment is a lower one */                  \
    /* int [2 pairs]; those of a segment begin at pair_start + back_start, first the pairs that it owns: */  \
    X(contact_entry) /* 2 contact + (1: it is the second segment), or -1 - pair without contact */           \
    X(rod)           /* float4 [S][6] the segment in this substep, CAB_ROD_... in rods.h */                  \
    X(travel)        /* float [S] m; upper bound of its motion since pairs were listed */                    \
    X(contact_count) /* int [rows] number of contacts in a row of pairs, at its start */                     \
    X(contact)       /* float [rows][numbers][CAB_ROW] CAB_CONTACT_... in contact_types.h */                 \
    X(contact_end)   /* int4 [pairs] particles a, b of both segments, place as contact */                    \
    X(effect)        /* float4 [pairs] kg m; change of a contact's multipliers, place as contact */          \
    X(grip)          /* cab_grip [S][CAB_GRIPS] friction of the last substep; one where contacts forget */   \
    X(share)         /* cab_share [2 pairs] contacts of a segment, from share_start on */                    \
    X(share_start)   /* int [S] the segment's first entry in share */                                        \
    X(share_count)   /* int [S] number of the segment's contacts */                                          \
    X(collider)      /* cab_collider [colliders] at the end of this substep */                               \
    X(collider_path) /* cab_collider [substeps][colliders] */                                                \
    X(mesh_node)     /* cab_mesh_node [nodes of all trees] */                                                \
    X(mesh_triangle) /* cab_triangle [triangles of all meshes] */                                            \
    X(mesh_edge)     /* cab_mesh_edge [edges of all meshes that a cable can lie across] */                   \
    X(mesh_triangle_edge)     /* int [triangles][3] mesh edges that come with it; -1 = none */               \
    X(near_stretch)           /* int [stretches][1 + CAB_NEAR_MOST] colliders near to some segments */       \
    X(near_start)             /* int [S + 1] the segment's first entry in near */                            \
    X(near)                   /* int [entries] 4 k + place: end a, end b, between; k: see cab_candidate */   \
    X(near_contact)           /* cab_contact [as near] contacts, from near_start on */                       \
    X(press)                  /* cab_press [S] where it touches colliders */                                 \
    X(unsettled)              /* int [S] 1 = a contact with a collider is not as in the pass before */       \
    X(pressing)               /* float [S] N; the colliders' normal forces in the last substep */            \
    X(near_count)             /* int [S] number of the segment's contacts with colliders */                  \
    X(end_weight)             /* float [S][2] sums of the contacts' weights at both ends */                  \
    X(end_pressing)           /* float [S][2] kg m; normal multipliers of the contacts at both ends */       \
    X(weight)                 /* float [P] sum of end_weight over the particle's segments, at least 1 */     \
    X(push)                   /* float4 [S][2] kg m; corrections at both ends, before the inverse mass */    \
    X(start_overlap)          /* float [S] m; deepest overlap with a segment at the run's start */           \
    X(start_overlap_collider) /* float [S] m; the same with a collider */                                    \
    X(overlap)                /* cab_errors [blocks of S] */                                                 \
    X(far_chain)              /* float [cables][CAB_FAR_NUMBERS] */                                          \
    X(far_cosine)             /* float [cables] how straight each is; see far_straight */                    \
    X(far_part)               /* float [cables][CAB_PART_NUMBERS] */                                         \
    X(own_overlap)            /* cab_overlap [S] */                                                          \
    X(pace)                   /* float [S] motion against thickness; see pace_segments */                    \
    X(pace_step)              /* float [S] m; how far its ends may move beside the common drift */           \
    X(pace_off)               /* int [S] 1 = its length is off by more than CAB_PACE_OFF */                  \
    X(pace_component)         /* float [components] the largest of pace */                                   \
    X(pace_led)               /* float [targets] m; how far what is led moves in a substep */                \
    X(pace_collider)          /* float [colliders] m; the same of colliders */                               \
    X(length_error)           /* float [D] share of the length by which it is off; see pace_errors */        \
    X(meet)                   /* int [pairs][2] components that may meet in a substep */                     \
    X(component_pieces)       /* int [components] into which a substep is cut; negative: it sleeps */        \
    X(order_kept)             /* int [components] order of what is held while others take their pieces */    \
    X(depth)                  /* float [S] m; deepest overlap with segments and colliders */                 \
    X(group_collider)         /* int [entries] colliders by group; see cab_model */                          \
    X(contact_force)          /* float [P] N; normal forces of the last substep */

/* What a kernel of the way lanes takes: tables, the state of the cables, its work memory, what it measures. */
#define CAB_LANES_BUFFERS                                                                                    \
    params, tile, tile_chain, tile_move, lane_constant, chain, target, tile_kept, tile_memory, chain_errors

/* The same where cables may touch colliders. */
#define CAB_NEAR_BUFFERS                                                                                     \
    CAB_LANES_BUFFERS, tile_back, chain_near, near_part, collider, collider_path, segment, component, order, \
        pressing, end_pressing

/* What whole frames of spans take. */
#define CAB_SPAN_BUFFERS                                                                                     \
    params, span_tile, span_branch, branch, span_row, span_table, tile_move, target, tile_kept, tile_memory, \
        span_memory, bend, branch_bend, outcome

/* What whole frames of nets take. */
#define CAB_NET_BUFFERS                                                                                      \
    params, net, net_tile, net_lane, net_constant, tile_kept, tile_memory, net_memory, net_item, joined,     \
        separator, separator_row, separator_factor, junction, block, block_term, segment, exclude_start,     \
        exclude

/* X(kernel, file, kind, buffers...). Kinds: item: a work-item per index; block: the same for few and long
 * items; group: a work-group per index, with local memory. */
#define CAB_KERNELS(X) CAB_NARROW_KERNELS(X) CAB_WIDE_KERNELS(X) CAB_STUDY_KERNELS(X)

/* Kernels whose reals are as wide as a vector (kernels/real.h); native compiles them in files of their
 * own. */
#define CAB_WIDE_KERNELS(X)                                                                                  \
    X(lanes_take, lanes, group, params, tile, tile_chain, chain, position, residual, velocity, step, slow,   \
      tile_kept)                                                                                             \
    X(lanes_give, lanes, group, params, tile, tile_chain, chain, chain_node, tile_kept, position, residual,  \
      velocity, step, slow, distance_lambda)                                                                 \
    X(stiff_spans, spans, group, span_tile, span_branch, span_constant, span_memory, branch, branch_node,    \
      position, offset, inertia, branch_state, distance_lambda, off_branch, order, stiff)                    \
    X(direct_lanes, direct_lanes, group, params, branch_tile, branch_lane, branch_memory, branch,            \
      branch_node, branch_factor, position, offset, slow, off_branch, order, off, stiff, push, branch_slow,  \
      touched)                                                                                               \
    X(direct_lanes_end, direct_lanes, group, branch_tile, branch_lane, branch_memory, branch, branch_node,   \
      branch_state, distance_lambda, order, off, stiff)                                                      \
    X(cluster_columns, delassus, group, delassus, cluster_rows, cluster_row, mobility, stiff_node,           \
      component_branch_start, component_branch, branch, branch_node, contact_end, component, share,          \
      share_start, share_count, stiff)                                                                       \
    X(span_start, span_frame, group, CAB_SPAN_BUFFERS)                                                       \
    X(span_substep, span_frame, group, CAB_SPAN_BUFFERS)                                                     \
    X(span_tiles_take, span_frame, group, params, span_tile, span_branch, branch, branch_node, position,     \
      residual, velocity, step, slow, distance_lambda, tile_kept)                                            \
    X(span_tiles_give, span_frame, group, params, span_tile, span_branch, branch, branch_node, tile_kept,    \
      position, residual, velocity, step, slow, distance_lambda)                                             \
    X(nets_frame, nets, group, CAB_NET_BUFFERS)                                                              \
    X(nets_look, nets, group, CAB_NET_BUFFERS)                                                               \
    X(nets_back, nets, group, params, net, tile_kept)                                                        \
    X(nets_take, nets, group, params, net_tile, net_lane, branch_node, position, residual, velocity, step,   \
      tile_kept)                                                                                             \
    X(nets_give, nets, group, params, net_tile, net_lane, branch_node, tile_kept, position, residual,        \
      velocity, step, distance_lambda)                                                                       \
    X(lanes_lengths, lanes, group, CAB_LANES_BUFFERS)                                                        \
    X(lanes_bending, lanes, group, CAB_LANES_BUFFERS)                                                        \
    X(lanes_mixed, lanes, group, CAB_LANES_BUFFERS)                                                          \
    X(lanes_xpbd_lengths, lanes, group, CAB_LANES_BUFFERS)                                                   \
    X(lanes_xpbd_bending, lanes, group, CAB_LANES_BUFFERS)                                                   \
    X(lanes_xpbd_mixed, lanes, group, CAB_LANES_BUFFERS)                                                     \
    X(lanes_twist, lanes_twist, group, CAB_LANES_BUFFERS, tile_twist, twist, twist_roll)                     \
    X(lanes_viscous, lanes_viscous, group, CAB_LANES_BUFFERS, tile_constrained)                              \
    X(lanes_viscous_mixed, lanes_viscous, group, CAB_LANES_BUFFERS, tile_constrained)                        \
    X(viscous_take, lanes_viscous, group, tile, tile_chain, chain, constrained, tile_constrained)            \
    X(viscous_give, lanes_viscous, group, tile, tile_chain, chain, tile_kept, tile_constrained, constrained) \
    X(near_equal, lanes_near, group, CAB_NEAR_BUFFERS)                                                       \
    X(near_mixed, lanes_near, group, CAB_NEAR_BUFFERS)                                                       \
    X(near_take, lanes_near, group, params, tile, tile_chain, chain, chain_node, position, residual,         \
      velocity, step, slow, distance_lambda, component, order, tile_kept)                                    \
    X(near_back, lanes_near, group, tile, tile_chain, chain, chain_near, tile_back, tile_kept, component,    \
      order, pressing)

#define CAB_NARROW_KERNELS(X)                                                                                \
    X(layout, layout, item, layout)                                                                          \
    X(limit_arithmetic, limits, group, limit_a, limit_b)                                                     \
    X(limit_stream, limits, group, limit_a, limit_b, limit_c)                                                \
    X(predict, predict, item, params, offset, velocity, position, residual)                                  \
    X(load_move, predict, item, load, load_path)                                                             \
    X(load, predict, item, params, velocity, position, load_start, load)                                     \
    X(drag, predict, item, params, velocity, position, incident_start, incident, segment, drag)              \
    X(drum_move, drum, item, position, residual, velocity, distance, bending, drum_node, drum_step,          \
      drum_slack)                                                                                            \
    X(direct_feed, drum, item, params, step, distance_lambda, branch_node, drum_slack, position, residual,   \
      drum_node, drum_step)                                                                                  \
    X(drum_follow, drum, item, offset, drum_node, drum_step)                                                 \
    X(attach, attach, item, params, offset, position, moving_particle, target)                               \
    X(attach_force, attach, item, params, breakable_force, breakable, position, offset, distance,            \
      distance_lambda, bending, bending_lambda, component, component_pieces)                                 \
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
    X(direct_viscous, direct_viscous, block, params, viscous_change, viscous_pull, viscous_run,              \
      viscous_bending, viscous_time, viscous_share, twist_spin, bending, bending_target, position, residual, \
      step, offset, constrained, component, order)                                                           \
    X(viscous_note, direct_viscous, item, constrained, offset, component, order)                             \
    X(viscous_end, direct_viscous, item, constrained, offset, component, order)                              \
    X(direct_twist, direct_twist, block, params, twist, twist_pull, twist_couple, twist_run, twist_link,     \
      twist_frame, twist_roll, position, residual, step, component, order)                                   \
    X(direct_director, direct_director, block, params, twist, twist_pull, director, director_work,           \
      director_kink, director_run, director_vertex, director_rest, twist_roll, twist_link, twist_frame,      \
      position, residual, step, component, order)                                                            \
    X(director_bend, direct_director, item, bending_target, director_bending, director, director_rest,       \
      director_held, twist_frame, bending, position, offset, component, order)                               \
    X(director_set, direct_director, item, director_rest, director_bending, director, director_held,         \
      twist_frame, bending, bending_target, position, offset, component, order)                              \
    X(twist_force, direct_twist, item, params, breakable_force, breakable, twist_link, twist_pull,           \
      component, component_pieces, order)                                                                    \
    X(twist_bend, direct_twist, item, bend, twist_start, twist_item, twist_pull)                             \
    X(direct_bend, direct_bend, item, bending_lambda, position, offset, bending, bending_target,             \
      viscous_change, component, order)                                                                      \
    X(direct_gather, direct_bend, item, bend, bending_lambda, viscous_pull, bending, bend_start, bend_item)  \
    X(direct_forward, direct_bend, block, params, bend, branch_bend, branch, branch_node, branch_factor,     \
      order)                                                                                                 \
    X(direct_separate, direct_bend, block, bend, offset, branch_bend, joined, separator, separator_row,      \
      separator_factor, separator_item, order)                                                               \
    X(span_separate, direct_bend, block, bend, branch_bend, joined, separator, separator_row,                \
      separator_factor, span_hold, branch, component_branch_start, component_branch, span_joined, outcome,   \
      lost)                                                                                                  \
    X(direct_back, direct_bend, block, params, offset, bend, branch, branch_node, branch_factor, order)      \
    X(direct_note, direct_motion, item, bend, offset)                                                        \
    X(stiff_choose, stiff, block, stiff, near_count, share_count, paired, component_branch_start,            \
      component_branch, branch, branch_node, order, lost, slow, branch_slow, hard, hurried, distance_lambda, \
      branch_factor, params, leaning, bumped)                                                                \
    X(stiff_settle, stiff, block, stiff, off, unsettled, bumped, near_count, component_branch_start,         \
      component_branch, branch, branch_node, hard, leaning)                                                  \
    CAB_COUPLED_KERNELS(X)                                                                                   \
    X(stiff_inertia, stiff, item, inertia, offset, bend, component, stiff)                                   \
    X(stiff_aside, stiff, item, inertia, position, offset, component, stiff, incident_start, incident,       \
      segment)                                                                                               \
    X(press_colliders, press, item, params, press, unsettled, rigid_press, rigid_turn, pressing,             \
      near_contact, near_start, near_count, position, offset, residual, velocity, segment, collider,         \
      component, stiff)                                                                                      \
    X(press_end, press, item, params, pressing, rigid_press, near_contact, near_start, near_count, position, \
      offset, segment, collider, rigid_turn, component, stiff)                                               \
    X(press_segments, press, item, params, press, contact, contact_end, share, share_start, share_count,     \
      near_count, offset, segment, component, stiff, leaning)                                                \
    X(stiff_condense, stiff, block, params, stiff_node, stiff_condensed, branch_state, branch, branch_node,  \
      branch_factor, position, offset, inertia, pair_pull, distance_lambda, press, near_count, order, stiff, \
      paired, hard, leaning, share_count)                                                                    \
    X(stiff_substitute, stiff, block, params, branch_state, stiff_node, offset, distance_lambda, off_branch, \
      branch, branch_node, branch_factor, junction_move, order, stiff, hard)                                 \
    X(stiff_judge, stiff, block, outcome, lost, near_contact, near_start, near_count, segment, position,     \
      offset, branch_state, branch, branch_node, contact, share, share_start, share_count, order, stiff,     \
      paired)                                                                                                \
    X(cluster_burden, cluster, block, burden, component_branch_start, component_branch, branch, branch_node, \
      branch_factor, distance_lambda, share_count, lost, order, params)                                      \
    X(cluster_find, cluster, block, params, cluster_root, cluster, cluster_list, cluster_row, cluster_count, \
      paired, burden, contact_end, contact_count, component, order)                                          \
    X(cluster_number, cluster, block, cluster_row, cluster_rows, cluster, component_branch_start,            \
      component_branch, branch, branch_node, contact_end, component, share, share_start, share_count,        \
      paired)                                                                                                \
    X(cluster_start, cluster, item, pair_pull)                                                               \
    X(cluster_agree, cluster, block, stiff, paired, cluster_root, cluster)                                   \
    X(cluster_mobility, impulse, block, mobility, stiff_node, branch, paired, stiff)                         \
    X(cluster_turn, impulse, block, delassus, cluster_rows, stiff)                                           \
    X(cluster_clear, impulse, item, effect)                                                                  \
    X(cluster_solve, impulse, block, params, effect, contact, cluster_state, cluster_slide, contact_end,     \
      cluster, cluster_rows, cluster_root, cluster_list, cluster_row, delassus, offset, paired, stiff)       \
    X(cluster_force, impulse, item, pair_force, pair_pull, push, incident_start, incident)                   \
    X(cluster_move, impulse, block, params, offset, branch_state, distance_lambda, off_branch, stiff_node,   \
      branch, branch_node, branch_factor, position, pair_force, order, paired, stiff)                        \
    X(stiff_end, stiff, block, touched, lost, outcome, component_branch_start, component_branch, order,      \
      stiff)                                                                                                 \
    X(direct_touch, direct_motion, block, touched, off, offset, bend, component_start, component_particle,   \
      order, stiff)                                                                                          \
    X(direct_slow_contact, direct_lengths, block, offset, bend, branch, branch_node, slow, branch_slow,      \
      order)                                                                                                 \
    X(direct_condense, direct_lengths, block, params, branch_state, condensed, branch, branch_node,          \
      branch_factor, position, offset, order, off, slow, stiff)                                              \
    X(direct_substitute, direct_lengths, block, params, branch_state, offset, distance_lambda, off_branch,   \
      slow, branch_slow, condensed, branch, branch_node, branch_factor, junction_move, order, off, stiff)    \
    X(direct_check, direct_lengths, block, off, off_branch, component_branch_start, component_branch)        \
    X(direct_assemble, direct_junction, block, junction_move, junction_diagonal, junction_block, joined,     \
      junction, block, junction_item, block_item, condensed, stiff_condensed, branch_slow, inertia, offset,  \
      order, off, stiff)                                                                                     \
    X(direct_junction, direct_junction, block, junction_move, junction_diagonal, junction_block, offset,     \
      joined, junction, block, block_term, order, off, stiff)                                                \
    CAB_RIGID_KERNELS(X)                                                                                     \
    CAB_RIGID_CONTACT_KERNELS(X)                                                                             \
    CAB_SOCKET_KERNELS(X)                                                                                    \
    X(direct_finish, direct_motion, item, params, position, residual, velocity, step, offset, component,     \
      order, touched, stiff, bumped)                                                                         \
    X(direct_order, direct_motion, item, order, touched)                                                     \
    X(far_chains, far, block, far_chain, position, velocity, chain, segment, collider, group_collider,       \
      mesh_node, mesh_triangle, exclude_start, exclude)                                                      \
    X(far_straight, far, block, params, far_cosine, position, velocity, chain)                               \
    X(far_parts, far, block, params, far_part, position, velocity, chain, segment, collider)                 \
    X(nets_far, far, block, net_memory, net_lane, position, segment, collider, group_collider, mesh_node,    \
      mesh_triangle, exclude_start, exclude)                                                                 \
    X(far_slow, far, block, branch_slow, branch, slow)                                                       \
    X(measure_chain, measure, item, chain_errors, position, residual, velocity, chain, chain_node)           \
    X(measure_chains, measure, block, measure, chain_errors, chain_node)                                     \
    X(measure, measure, block, params, measure, position, residual, velocity, distance)                      \
    X(draw, draw, item, params, draw, draw_node, position, residual, velocity, distance_lambda,              \
      contact_force, component, component_pieces, twist)                                                     \
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
    X(grid_stretch, grid, item, params, near_stretch, position, segment, collider, group_collider)           \
    X(grid_near, grid, item, params, scan, near, near_start, position, segment, collider, group_collider,    \
      near_stretch, mesh_node, mesh_triangle, mesh_edge, mesh_triangle_edge, exclude_start, exclude)         \
    X(grid_near_start, grid, item, near_start, scan)                                                         \
    X(sleep_watch, sleep, block, params, quiet, quiet_place, position, component_start, component_particle)  \
    X(sort_count, sort, block, params, scan, key_a, key_b)                                                   \
    X(sort_scatter, sort, block, params, scan, key_a, value_a, key_b, value_b)                               \
    X(scan_sum, sort, block, scan, scan_sum)                                                                 \
    X(scan_top, sort, block, scan_sum)                                                                       \
    X(scan_add, sort, block, scan, scan_sum)                                                                 \
    X(pace_segments, pace, item, params, pace, pace_step, pace_off, position, residual, velocity, segment,   \
      moving, pace_led)                                                                                      \
    X(pace_pairs, pace, item, params, pace, pace_step, pair_start, pair, position, residual, velocity,       \
      segment, moving, pace_led)                                                                             \
    X(pace_colliders, pace, item, params, pace, pace_collider, velocity, near_start, near, position,         \
      residual, segment, moving, pace_led, collider, mesh_node, mesh_triangle, mesh_edge)                    \
    X(pace_components, pace, block, pace_component, pace, pace_off, component_start, component_particle,     \
      component_pieces, incident_start, incident)                                                            \
    X(pace_errors, pace, item, length_error, position, residual, distance, distance_lambda)                  \
    X(pace_meet, pace, item, params, meet, pair, position, residual, velocity, segment, component, moving,   \
      pace_led)                                                                                              \
    X(pace_hold, pace, item, position, offset, residual, component, component_pieces)                        \
    X(pace_order, pace, item, order, order_kept, component_pieces)                                           \
    X(pace_lengths, pace, item, branch_node, position, residual, component, component_pieces)                \
    X(contact_rods, narrow, group, params, rod, travel, position, residual, offset, segment, pair_start,     \
      back_start)                                                                                            \
    X(contact_find, narrow, group, params, contact, contact_end, contact_count, contact_entry, pair_limit,   \
      pair, rod, travel, start_overlap, segment, position, residual, offset, grip)                           \
    X(contact_shares, contact, group, params, end_weight, share, share_start, share_count, contact_entry,    \
      contact, pair_start, back_start)                                                                       \
    X(contact_start_pairs, overlap, item, effect, pair, position, residual, segment)                         \
    X(contact_start, overlap, item, start_overlap, effect, contact_entry, pair_start, back_start)            \
    X(contact_weight, contact, item, weight, position, end_weight, incident_start, incident)                 \
    X(contact_solve, contact, group, params, effect, contact, contact_end, contact_count, offset, weight,    \
      component, paired, leaning)                                                                            \
    X(contact_push, contact, group, params, push, effect, share, share_start, share_count)                   \
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
    X(collider_put_out, put_out, item, offset, near_contact, near_count, near_start, near, position,         \
      residual, segment, collider, mesh_node, mesh_triangle, mesh_edge)                                      \
    X(collider_move, collider, item, params, collider, collider_path)                                        \
    X(collider_solve, collider, group, params, push, near_contact, near_start, near_count, offset, segment,  \
      weight, component, stiff, grip)                                                                        \
    X(contact_grip, grip, item, params, grip, share, share_start, share_count, contact, contact_end,         \
      near_start, near_count, near_contact, segment, position)                                               \
    X(collider_measure, collider, block, params, overlap, depth, start_overlap_collider, near_start, near,   \
      position, residual, segment, collider, mesh_node, mesh_triangle, mesh_edge)

/* Kernels of the studies, which calculate in doubles. */
#define CAB_STUDY_KERNELS(X) CAB_PARTICLES_KERNELS(X) CAB_PLANAR_KERNELS(X)

#define CAB_FIRST_CONTACT_BUFFER CAB_BUFFER_segment

#define CAB_BUFFER_ENUM(name) CAB_BUFFER_##name,
typedef enum cab_buffer { CAB_BUFFERS(CAB_BUFFER_ENUM) CAB_BUFFER_COUNT } cab_buffer;

#define CAB_KERNEL_ENUM(name, file, kind, ...) CAB_KERNEL_##name,
typedef enum cab_kernel { CAB_KERNELS(CAB_KERNEL_ENUM) CAB_KERNEL_COUNT } cab_kernel;

#endif
