# What `view` and `render` need: CLCABLE_VIEW_FOUND, or CLCABLE_VIEW_MISSING with what is not there.

find_program(GLAD_PROGRAM glad) # glad 2: makes the OpenGL loader
find_path(NUKLEAR_INCLUDE_DIR nuklear.h PATHS ${PROJECT_SOURCE_DIR}/third_party NO_CMAKE_FIND_ROOT_PATH)
pkg_check_modules(GLFW glfw3>=3.3)
pkg_check_modules(EGL egl)
pkg_check_modules(PNG libpng)
pkg_check_modules(CGLM IMPORTED_TARGET cglm)

set(CLCABLE_VIEW_MISSING "")
foreach(need IN ITEMS GLAD_PROGRAM NUKLEAR_INCLUDE_DIR GLFW_FOUND EGL_FOUND PNG_FOUND CGLM_FOUND)
  if(NOT ${need})
    string(REGEX REPLACE "_.*" "" name ${need})
    string(TOLOWER ${name} name)
    list(APPEND CLCABLE_VIEW_MISSING ${name})
  endif()
endforeach()
list(JOIN CLCABLE_VIEW_MISSING ", " CLCABLE_VIEW_MISSING)
set(CLCABLE_VIEW_FOUND ON)
if(CLCABLE_VIEW_MISSING)
  set(CLCABLE_VIEW_FOUND OFF)
  message(STATUS "`view` and `render` are left out, not found: ${CLCABLE_VIEW_MISSING}")
endif()
