# What `cmake --install` gives a control engineer: the core's headers and find_package(tauhat), target tauhat::core.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/tauhat")

install(TARGETS tauhat_core EXPORT tauhatTargets)
install(EXPORT tauhatTargets NAMESPACE tauhat:: DESTINATION "${package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tauhat/core" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tauhat"
        FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tauhatConfig.cmake.in" "${PROJECT_BINARY_DIR}/tauhatConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may break its users.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tauhatConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/tauhatConfig.cmake" "${PROJECT_BINARY_DIR}/tauhatConfigVersion.cmake"
        DESTINATION "${package_dir}")
