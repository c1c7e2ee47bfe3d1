# `./dev package` makes one .deb with everything. dpkg-shlibdeps finds the packages that it depends on.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME beadwave)
set(CPACK_PACKAGE_VENDOR beadwave)
set(CPACK_PACKAGE_CONTACT "the authors of beadwave <beadwave@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Waves and impacts in chains, packings and mechanisms of bodies that touch")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Modules are not in a folder of shared libraries, so the packages that they need are listed here.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3, python3-numpy, python3-h5py")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib, python3-plotly")
# Needed to build a program with the library.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, libfmt-dev, libboost-dev, libhdf5-dev, libtomlplusplus-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/prerm")
include(CPack)
