# What every target of ours is compiled with: `clcable_options`.

add_library(clcable_options INTERFACE)
target_include_directories(clcable_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/host
                                                     ${PROJECT_SOURCE_DIR})
target_compile_definitions(clcable_options INTERFACE CLCABLE_VERSION="${PROJECT_VERSION}"
                                                     $<$<BOOL:${CLCABLE_OPENCL}>:CAB_HAVE_OPENCL>
                                                     $<$<BOOL:${CLCABLE_CLBLAST}>:CAB_HAVE_CLBLAST>
                                                     $<$<BOOL:${CLCABLE_HDF5}>:CAB_HAVE_HDF5>
                                                     $<$<BOOL:${CLCABLE_LIBZIP}>:CAB_HAVE_LIBZIP>
                                                     $<$<BOOL:${CLCABLE_STUDIES}>:CAB_HAVE_STUDIES>)

# Contraction off: native and OpenCL must give the same bits. No -march=native and never -ffast-math either.
target_compile_options(clcable_options INTERFACE -ffp-contract=off -fno-math-errno -Wall -Wextra -Wshadow)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  # A loop that asks to be vectorised cannot have it without optimisation or under sanitizers: no fault.
  # Comparisons joined by & are meant: no branch, so that lanes stay lanes.
  target_compile_options(clcable_options INTERFACE -Wno-pass-failed -Wno-bitwise-instead-of-logical)
endif()
if(CLCABLE_WERROR)
  target_compile_options(clcable_options INTERFACE -Werror)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

if(CLCABLE_SANITIZE)
  string(REPLACE ";" "," sanitizers "${CLCABLE_SANITIZE}")
  # What is read before it is written holds a pattern, always the same, instead of whatever the stack held.
  set(sanitizer_flags -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -ftrivial-auto-var-init=pattern)
  target_compile_options(clcable_options INTERFACE ${sanitizer_flags})
  target_link_options(clcable_options INTERFACE ${sanitizer_flags})
endif()
if(CLCABLE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CLCABLE_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
  endif()
  target_compile_options(clcable_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

set(CLCABLE_DEPENDENCIES PkgConfig::JANSSON Threads::Threads m ${CMAKE_DL_LIBS})
if(CLCABLE_OPENCL)
  list(APPEND CLCABLE_DEPENDENCIES OpenCL::OpenCL)
endif()
# Of these there are headers only: they are loaded when used (host/library/library.h).
target_include_directories(clcable_options SYSTEM INTERFACE ${CLBLAST_INCLUDE_DIRS} ${LIBXML2_INCLUDE_DIRS} ${HDF5_INCLUDE_DIRS}
                                                            ${LIBZIP_INCLUDE_DIRS} ${CMINPACK_INCLUDE_DIRS})
