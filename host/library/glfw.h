/* GLFW, which opens the viewer's window. */
#ifndef CAB_LIBRARY_GLFW_H
#define CAB_LIBRARY_GLFW_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "library/library.h"

#define CAB_GLFW_SYMBOLS(X)                                                                                  \
    X(glfwCreateWindow)                                                                                      \
    X(glfwDefaultWindowHints)                                                                                \
    X(glfwDestroyWindow)                                                                                     \
    X(glfwGetFramebufferSize)                                                                                \
    X(glfwGetMonitorWorkarea)                                                                                \
    X(glfwGetPrimaryMonitor)                                                                                 \
    X(glfwGetProcAddress)                                                                                    \
    X(glfwGetTime)                                                                                           \
    X(glfwGetVersion)                                                                                        \
    X(glfwGetWindowAttrib)                                                                                   \
    X(glfwGetWindowContentScale)                                                                             \
    X(glfwGetWindowSize)                                                                                     \
    X(glfwGetWindowUserPointer)                                                                              \
    X(glfwInit)                                                                                              \
    X(glfwMakeContextCurrent)                                                                                \
    X(glfwPollEvents)                                                                                        \
    X(glfwSetCharCallback)                                                                                   \
    X(glfwSetCursorPosCallback)                                                                              \
    X(glfwSetDropCallback)                                                                                   \
    X(glfwSetErrorCallback)                                                                                  \
    X(glfwSetKeyCallback)                                                                                    \
    X(glfwSetMouseButtonCallback)                                                                            \
    X(glfwSetScrollCallback)                                                                                 \
    X(glfwSetWindowRefreshCallback)                                                                          \
    X(glfwSetWindowShouldClose)                                                                              \
    X(glfwSetWindowSizeLimits)                                                                               \
    X(glfwSetWindowTitle)                                                                                    \
    X(glfwSetWindowUserPointer)                                                                              \
    X(glfwSwapBuffers)                                                                                       \
    X(glfwSwapInterval)                                                                                      \
    X(glfwTerminate)                                                                                         \
    X(glfwWaitEventsTimeout)                                                                                 \
    X(glfwWindowHint)                                                                                        \
    X(glfwWindowHintString)                                                                                  \
    X(glfwWindowShouldClose)

typedef struct cab_glfw_table {
    CAB_GLFW_SYMBOLS(CAB_LIBRARY_FIELD)
} cab_glfw_table;
extern cab_glfw_table cab_glfw;

/* Before anything of it is called; the errors of cab_library_load(). */
cab_status cab_glfw_load(const char *user, cab_error *error);

#ifndef CAB_LIBRARY_TABLE /* which glfw.c defines */
#define glfwCreateWindow cab_glfw.glfwCreateWindow
#define glfwDefaultWindowHints cab_glfw.glfwDefaultWindowHints
#define glfwDestroyWindow cab_glfw.glfwDestroyWindow
#define glfwGetFramebufferSize cab_glfw.glfwGetFramebufferSize
#define glfwGetMonitorWorkarea cab_glfw.glfwGetMonitorWorkarea
#define glfwGetPrimaryMonitor cab_glfw.glfwGetPrimaryMonitor
#define glfwGetProcAddress cab_glfw.glfwGetProcAddress
#define glfwGetTime cab_glfw.glfwGetTime
#define glfwGetVersion cab_glfw.glfwGetVersion
#define glfwGetWindowAttrib cab_glfw.glfwGetWindowAttrib
#define glfwGetWindowContentScale cab_glfw.glfwGetWindowContentScale
#define glfwGetWindowSize cab_glfw.glfwGetWindowSize
#define glfwGetWindowUserPointer cab_glfw.glfwGetWindowUserPointer
#define glfwInit cab_glfw.glfwInit
#define glfwMakeContextCurrent cab_glfw.glfwMakeContextCurrent
#define glfwPollEvents cab_glfw.glfwPollEvents
#define glfwSetCharCallback cab_glfw.glfwSetCharCallback
#define glfwSetCursorPosCallback cab_glfw.glfwSetCursorPosCallback
#define glfwSetDropCallback cab_glfw.glfwSetDropCallback
#define glfwSetErrorCallback cab_glfw.glfwSetErrorCallback
#define glfwSetKeyCallback cab_glfw.glfwSetKeyCallback
#define glfwSetMouseButtonCallback cab_glfw.glfwSetMouseButtonCallback
#define glfwSetScrollCallback cab_glfw.glfwSetScrollCallback
#define glfwSetWindowRefreshCallback cab_glfw.glfwSetWindowRefreshCallback
#define glfwSetWindowShouldClose cab_glfw.glfwSetWindowShouldClose
#define glfwSetWindowSizeLimits cab_glfw.glfwSetWindowSizeLimits
#define glfwSetWindowTitle cab_glfw.glfwSetWindowTitle
#define glfwSetWindowUserPointer cab_glfw.glfwSetWindowUserPointer
#define glfwSwapBuffers cab_glfw.glfwSwapBuffers
#define glfwSwapInterval cab_glfw.glfwSwapInterval
#define glfwTerminate cab_glfw.glfwTerminate
#define glfwWaitEventsTimeout cab_glfw.glfwWaitEventsTimeout
#define glfwWindowHint cab_glfw.glfwWindowHint
#define glfwWindowHintString cab_glfw.glfwWindowHintString
#define glfwWindowShouldClose cab_glfw.glfwWindowShouldClose
#endif

#endif
