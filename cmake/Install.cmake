# Install rules, and the files that find_package(clcable) and pkg-config read.

include(CMakePackageConfigHelpers)

install(TARGETS clcable EXPORT clcable-targets)
install(TARGETS clcable_program RUNTIME)
install(DIRECTORY include/clcable DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/clcable/scenes FILES_MATCHING PATTERN "*.json" PATTERN "*.kbl" PATTERN "*.obj")
include(cmake/Words.cmake)
clcable_words(${PROJECT_BINARY_DIR}/words)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clcable)
install(EXPORT clcable-targets NAMESPACE clcable:: DESTINATION ${package_dir})
configure_package_config_file(cmake/clcable-config.cmake.in clcable-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(clcable-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/clcable-config.cmake ${PROJECT_BINARY_DIR}/clcable-config-version.cmake
        DESTINATION ${package_dir})

set(pc_requires jansson)
if(CLCABLE_OPENCL)
  string(APPEND pc_requires " OpenCL")
endif()
# The package may be moved after it was configured.
file(RELATIVE_PATH CLCABLE_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/clcable.pc.in clcable.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clcable.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# `cpack -G DEB` in the build folder makes a package of all that is installed, with the libraries that it was linked with.
set(CPACK_PACKAGE_NAME clcable)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "the clcable project <clcable@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of cables on CPUs and OpenCL devices")
set(CPACK_PACKAGE_DESCRIPTION "Simulates cables, thousands of them at once: they hang, bend, stretch, branch and touch. Scene files go in,
shapes, tensions, animations, pictures and reports come out. The program, the C library and its headers.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
find_program(CLCABLE_SHLIBDEPS dpkg-shlibdeps)
if(CLCABLE_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# What is loaded when used (host/library), which dpkg-shlibdeps does not see: the package of each file name that is tried.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libegl1, libgl1-mesa-dri")
foreach(pair IN ITEMS "VIEW/libglfw3" "VIEW/libpng16-16 | libpng16-16t64" "CLBLAST/libclblast1" "HDF5/libhdf5-103-1 | libhdf5-103-1t64 | libhdf5-310"
        "KBL/libxml2" "FIT/libcminpack1" "LIBZIP/libzip4 | libzip4t64 | libzip5")
  string(REGEX MATCH "^([A-Z0-9]+)/(.*)$" pair "${pair}")
  if(CLCABLE_${CMAKE_MATCH_1})
    string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", ${CMAKE_MATCH_2}")
  endif()
endforeach()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "pocl-opencl-icd, ffmpeg")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
if(PROJECT_IS_TOP_LEVEL)
  include(CPack)
endif()
