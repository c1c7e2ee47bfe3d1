# Installs what `find_package(beadwave)` finds: the public headers, the libraries of all parts, and the target
# beadwave::beadwave, which includes all of them.
include(CMakePackageConfigHelpers)

add_library(beadwave_everything INTERFACE)
target_link_libraries(beadwave_everything INTERFACE beadwave_subjects)
set_target_properties(beadwave_everything PROPERTIES EXPORT_NAME beadwave)

get_property(libraries GLOBAL PROPERTY beadwave_libraries)
list(REMOVE_ITEM libraries beadwave_cli)
install(TARGETS beadwave_everything beadwave_subjects ${libraries} EXPORT beadwave_targets)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/beadwave")
install(EXPORT beadwave_targets FILE beadwave-targets.cmake NAMESPACE beadwave:: DESTINATION "${package_folder}")
configure_package_config_file(cmake/beadwave-config.cmake.in beadwave-config.cmake
    INSTALL_DESTINATION "${package_folder}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(beadwave-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/beadwave-config.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/beadwave-config-version.cmake" DESTINATION "${package_folder}")
install(DIRECTORY include/beadwave DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
