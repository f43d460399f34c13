/* The sections of the side panel, from above: each has a heading that opens and closes it. */
#ifndef CAB_SECTION_H
#define CAB_SECTION_H

typedef enum cab_section {
    CAB_SECTION_SELECTED = 0,
    CAB_SECTION_PLOTS,
    CAB_SECTION_SIMULATION,
    CAB_SECTION_MATERIALS,
    CAB_SECTION_COLOURS,
    CAB_SECTION_VIEW,
    CAB_SECTION_LOOK,
    CAB_SECTION_STATISTICS,
    CAB_SECTION_COUNT
} cab_section;

#endif
