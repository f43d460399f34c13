# Install rules, and the files that find_package(clcable) and pkg-config read.

include(CMakePackageConfigHelpers)

install(TARGETS clcable EXPORT clcable-targets)
install(TARGETS clcable_program RUNTIME)
install(DIRECTORY include/clcable DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/clcable/scenes FILES_MATCHING PATTERN "*.json" PATTERN "*.kbl")
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
if(CLCABLE_CLBLAST)
  string(APPEND pc_requires " clblast")
endif()
if(CLCABLE_KBL)
  string(APPEND pc_requires " libxml-2.0")
endif()
if(CLCABLE_HDF5)
  string(APPEND pc_requires " hdf5")
endif()
if(CLCABLE_LIBZIP)
  string(APPEND pc_requires " libzip")
endif()
# The package may be moved after it was configured.
file(RELATIVE_PATH CLCABLE_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/clcable.pc.in clcable.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clcable.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
