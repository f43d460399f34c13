/* What files call the phases of sockets. */
#ifndef CAB_SOCKET_WORDS_H
#define CAB_SOCKET_WORDS_H

#include <clcable/contacts.h>

static inline const char *cab_socket_phase_word(cab_socket_phase phase)
{
    static const char *const words[] = {[CAB_SOCKET_PHASE_OUT] = "out",
                                        [CAB_SOCKET_PHASE_GUIDED] = "guided",
                                        [CAB_SOCKET_PHASE_MATED] = "mated",
                                        [CAB_SOCKET_PHASE_RELEASED] = "released"};
    return words[phase];
}

#endif
