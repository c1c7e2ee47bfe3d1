# The package for Python: the module and the Python files.
if(NOT SKBUILD AND NOT PYTHON_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(PYTHON_EXECUTABLE /usr/bin/python3)  # this one finds the modules that apt installs
endif()
find_package(pybind11 2.9 CONFIG REQUIRED)

file(GLOB python_sources CONFIGURE_DEPENDS src/python/*.cpp)
set(python_subjects ${subjects})
if("gradients" IN_LIST subjects)
    list(APPEND python_subjects design)  # comes with gradients
endif()
foreach(subject IN LISTS python_subjects)
    file(GLOB sources CONFIGURE_DEPENDS src/subjects/${subject}/python/*.cpp)
    list(APPEND python_sources ${sources})
endforeach()
pybind11_add_module(beadwave_python NO_EXTRAS ${python_sources})
# The module only forwards calls. With full optimisation it takes minutes to compile and is not faster.
target_compile_options(beadwave_python PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
target_link_libraries(beadwave_python PRIVATE beadwave_subjects beadwave_tasks beadwave_flags)
target_include_directories(beadwave_python PRIVATE src include)
set(python_build_folder "${CMAKE_BINARY_DIR}/python")
file(RELATIVE_PATH report_from_module "/usr/${python_folder}" "/usr/${CMAKE_INSTALL_DATADIR}/beadwave/report")
set_target_properties(beadwave_python PROPERTIES OUTPUT_NAME _beadwave
    LIBRARY_OUTPUT_DIRECTORY "${python_build_folder}/beadwave")
target_compile_definitions(beadwave_python PRIVATE BEADWAVE_VERSION="${PROJECT_VERSION}"
    BEADWAVE_REPORT_FROM_MODULE="${report_from_module}" BEADWAVE_SOURCES="${PROJECT_SOURCE_DIR}/src")

# In the build folder the package is a folder of links, so that PYTHONPATH=build/PRESET/python finds it.
file(GLOB package_files CONFIGURE_DEPENDS src/python/beadwave/*)
list(FILTER package_files EXCLUDE REGEX "__pycache__")
file(MAKE_DIRECTORY "${python_build_folder}/beadwave")
foreach(file IN LISTS package_files)
    get_filename_component(name ${file} NAME)
    file(CREATE_LINK ${file} "${python_build_folder}/beadwave/${name}" SYMBOLIC)
endforeach()

if(BEADWAVE_WHEEL)
    # h5py brings an HDF5 of its own into the process. Neither may see the other's symbols.
    target_link_options(beadwave_python PRIVATE -Wl,--exclude-libs,ALL)
endif()

install(TARGETS beadwave_python DESTINATION "${python_folder}" COMPONENT python)
add_custom_target(python_package DEPENDS beadwave_python ${loaded_modules})
if(NOT SKBUILD)  # pip's backend installs the Python files itself
    install(FILES ${package_files} DESTINATION "${python_folder}" COMPONENT python)
endif()
