# `./dev package`: one .deb with all of it. What it needs of other packages dpkg-shlibdeps finds.
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
# Modules lie where shared libraries do not: dpkg-shlibdeps is told so by their own entries.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3, python3-numpy, python3-h5py")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib, python3-plotly")
# What a program that links the library includes and links itself.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, libfmt-dev, libboost-dev, libhdf5-dev, libtomlplusplus-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/prerm")
include(CPack)
