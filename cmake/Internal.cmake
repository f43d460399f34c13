# `clcable_internal`: what the command line and the tests link. They reach inside, where a shared library shows only
# its promise, so they link what that was made of as a static one. Nothing is compiled twice.

if(BUILD_SHARED_LIBS)
  add_library(clcable_internal_code STATIC $<TARGET_OBJECTS:clcable>)
  set_target_properties(clcable_internal_code PROPERTIES LINKER_LANGUAGE C)
  target_link_libraries(clcable_internal_code PUBLIC clcable_options ${CLCABLE_DEPENDENCIES})
else()
  add_library(clcable_internal_code ALIAS clcable)
endif()
add_library(clcable_internal INTERFACE)
target_link_libraries(clcable_internal INTERFACE clcable_internal_code clcable_options ${CLCABLE_DEPENDENCIES})
