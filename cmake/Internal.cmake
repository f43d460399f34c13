# `clcable_internal`: what the command line and the tests link. They reach inside, where a shared library shows only
# its promise, so that one is compiled a second time, as a static one.

if(BUILD_SHARED_LIBS)
  add_library(clcable_internal_code STATIC $<TARGET_PROPERTY:clcable,SOURCES>)
  target_link_libraries(clcable_internal_code PUBLIC clcable_options ${CLCABLE_DEPENDENCIES})
  add_dependencies(clcable_internal_code clcable)
else()
  add_library(clcable_internal_code ALIAS clcable)
endif()
add_library(clcable_internal INTERFACE)
target_link_libraries(clcable_internal INTERFACE clcable_internal_code clcable_options ${CLCABLE_DEPENDENCIES})
