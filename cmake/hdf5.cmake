# HDF5 as the target beadwave_hdf5. Programs link its archive where it is there: Debian's shared library brings thirty others
# along (curl, Kerberos), and loading them takes more than half of a start. Modules keep the shared one: they need
# position-independent code, and share it with whatever loads them.
set(HDF5_PREFER_PARALLEL FALSE)
set(HDF5_USE_STATIC_LIBRARIES ${BEADWAVE_WHEEL})
find_package(HDF5 1.10.7 REQUIRED COMPONENTS C)

add_library(beadwave_hdf5 INTERFACE IMPORTED)
set_target_properties(beadwave_hdf5 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${HDF5_INCLUDE_DIRS}")
set(hdf5_archive)
if(NOT BEADWAVE_WHEEL AND NOT CMAKE_CROSSCOMPILING)
    list(FILTER HDF5_C_LIBRARIES INCLUDE REGEX "libhdf5[^/]*\\.so$")
    string(REGEX REPLACE "\\.so$" ".a" hdf5_archive "${HDF5_C_LIBRARIES}")
endif()
if(EXISTS "${hdf5_archive}")
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
    set(CMAKE_REQUIRED_LIBRARIES ${hdf5_archive} sz z ${CMAKE_DL_LIBS} m Threads::Threads)
    check_cxx_source_compiles("#include <hdf5.h>\nint main() { return H5open(); }" BEADWAVE_LINKS_HDF5_ARCHIVE)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(BEADWAVE_LINKS_HDF5_ARCHIVE)
    set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
    set_target_properties(beadwave_hdf5 PROPERTIES INTERFACE_LINK_LIBRARIES
        "$<IF:${is_program},${hdf5_archive},HDF5::HDF5>;$<${is_program}:sz>;$<${is_program}:z>;$<${is_program}:${CMAKE_DL_LIBS}>")
else()
    set_target_properties(beadwave_hdf5 PROPERTIES INTERFACE_LINK_LIBRARIES HDF5::HDF5)
endif()
