# Everything that reads and writes files: scenarios, jobs, subjects, the program, the Python package.
beadwave_part(io beadwave_running tomlplusplus::tomlplusplus)
target_link_libraries(beadwave_io PUBLIC $<BUILD_INTERFACE:beadwave_hdf5> $<INSTALL_INTERFACE:HDF5::HDF5>)
# The precompiled headers of io serve more parts, so that no definition may be that of a whole part.
set_source_files_properties(src/io/tables/sweep_journal.cpp src/io/tables/sweep_hdf5.cpp src/io/history/constants.cpp
    src/io/history/h5md.cpp src/io/durable/checksum_header.cpp src/io/checkpoint/checkpoint_file.cpp src/tasks/cite.cpp
    src/cli/command_line.cpp src/jobs/program_facts.cpp PROPERTIES COMPILE_DEFINITIONS BEADWAVE_VERSION="${PROJECT_VERSION}")
# The commit is looked up in every build; only its own file then compiles again.
set(commit_file "${PROJECT_BINARY_DIR}/generated/build_commit.inc")
add_custom_target(beadwave_commit BYPRODUCTS "${commit_file}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" -DSOURCES=${PROJECT_SOURCE_DIR} "-DOUT=${commit_file}" -P "${PROJECT_SOURCE_DIR}/cmake/build_commit.cmake")
add_dependencies(beadwave_io beadwave_commit)
set_source_files_properties(src/io/history/provenance.cpp PROPERTIES
    INCLUDE_DIRECTORIES "${PROJECT_BINARY_DIR}/generated" SKIP_UNITY_BUILD_INCLUSION ON)
# Each sample of a run passes through it.
set_source_files_properties(src/io/history/h5md.cpp PROPERTIES
    COMPILE_OPTIONS $<$<CONFIG:Release>:-O3> SKIP_PRECOMPILE_HEADERS ON)
beadwave_part(jobs beadwave_io nlohmann_json::nlohmann_json)
beadwave_part(tasks beadwave_jobs beadwave_device beadwave_translation)
beadwave_part(cli beadwave_tasks CLI11::CLI11)
# The program finds its Python files where they are installed, otherwise in this source tree.
file(RELATIVE_PATH data_from_program "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/beadwave")
target_compile_definitions(beadwave_cli PRIVATE
    BEADWAVE_DATA_FROM_PROGRAM="${data_from_program}" BEADWAVE_SOURCES="${PROJECT_SOURCE_DIR}/src")

# A library that registers something before main(): nothing calls its file of registration, so the linker is told to
# take it. The file defines beadwave_registered_NAME.
function(beadwave_registered target name)
    target_link_options(${target} INTERFACE "LINKER:--undefined=beadwave_registered_${name}")
endfunction()

# What the program can do. Each subject registers itself where it is linked: its scenarios in its library, its command in
# another one, so that the Python package needs no command line.
add_library(beadwave_announced STATIC src/subjects/announced.cpp)
beadwave_library(beadwave_announced)
target_link_libraries(beadwave_announced PUBLIC beadwave_jobs)
beadwave_registered(beadwave_announced announced)
add_library(beadwave_subjects INTERFACE)  # all of this build
add_library(beadwave_commands INTERFACE)  # and their commands
target_link_libraries(beadwave_subjects INTERFACE beadwave_announced)
target_link_libraries(beadwave_commands INTERFACE beadwave_subjects beadwave_cli)
function(beadwave_subject name)
    beadwave_part(subjects/${name} ${ARGN})
    beadwave_registered(beadwave_subjects_${name} ${name})
    target_link_libraries(beadwave_subjects INTERFACE beadwave_subjects_${name})
    set(command ${PROJECT_SOURCE_DIR}/src/subjects/${name}/${name}_command.cpp)
    if(EXISTS ${command})
        add_library(beadwave_${name}_command STATIC ${command})
        target_link_libraries(beadwave_${name}_command PRIVATE beadwave_flags PUBLIC beadwave_subjects_${name} beadwave_cli)
        target_compile_options(beadwave_${name}_command PRIVATE $<$<CONFIG:Release>:-O1>)
        beadwave_registered(beadwave_${name}_command ${name}_command)
        target_link_libraries(beadwave_commands INTERFACE beadwave_${name}_command)
    endif()
endfunction()
beadwave_subject(chain beadwave_jobs)
if(with_packings)
    beadwave_subject(packing beadwave_subjects_chain beadwave_packing_system)
endif()
if("mechanism" IN_LIST subjects)
    beadwave_subject(mechanism beadwave_jobs beadwave_mechanism)
endif()
if("fit" IN_LIST subjects)
    beadwave_part(fit beadwave_subjects_chain beadwave_tangent)
    target_compile_definitions(beadwave_fit PRIVATE BEADWAVE_VERSION="${PROJECT_VERSION}")
    if(BEADWAVE_WHEEL)
        # Most builds of Ceres use SuiteSparse, parts of which are under the GPL; a wheel would contain them.
        target_compile_definitions(beadwave_fit PRIVATE BEADWAVE_CERES_FROM_PROGRAM="beadwave_ceres.so"
            BEADWAVE_CERES_BUILT="beadwave_ceres.so")
    else()
        beadwave_module(beadwave_ceres src/fit/ceres/minimise.cpp beadwave_fit BEADWAVE_CERES)
        target_include_directories(beadwave_ceres SYSTEM PRIVATE ${CERES_INCLUDE_DIRS} ${EIGEN3_INCLUDE_DIRS})
        target_link_libraries(beadwave_ceres PRIVATE Ceres::ceres)
    endif()
    beadwave_subject(fit beadwave_fit beadwave_tasks)
endif()
if("modes" IN_LIST subjects)
    beadwave_part(modes beadwave_linear beadwave_jobs)
    target_compile_definitions(beadwave_modes PRIVATE BEADWAVE_VERSION="${PROJECT_VERSION}")
    beadwave_module(beadwave_lapack src/modes/lapack/routines.cpp beadwave_modes BEADWAVE_LAPACK)
    target_link_libraries(beadwave_lapack PRIVATE LAPACK::LAPACK)
    beadwave_module(beadwave_eigen src/modes/eigen/response.cpp beadwave_modes BEADWAVE_EIGEN)
    target_include_directories(beadwave_eigen SYSTEM PRIVATE ${EIGEN3_INCLUDE_DIRS})
    target_link_libraries(beadwave_modes PRIVATE OpenMP::OpenMP_CXX)
    beadwave_subject(modes beadwave_modes beadwave_tasks beadwave_subjects_packing)
endif()
if("gradients" IN_LIST subjects)
    beadwave_subject(gradients beadwave_packing_gradients beadwave_tasks beadwave_subjects_packing)
    # Designs use them, and come with them.
    beadwave_part(design beadwave_gradients)
    if(BEADWAVE_WHEEL)
        # NLopt contains code under the LGPL; the wheel does without it.
        target_compile_definitions(beadwave_design PRIVATE BEADWAVE_NLOPT_FROM_PROGRAM="beadwave_nlopt.so"
            BEADWAVE_NLOPT_BUILT="beadwave_nlopt.so")
    elseif(NLopt_FOUND)
        beadwave_module(beadwave_nlopt src/design/nlopt/search.cpp beadwave_design BEADWAVE_NLOPT)
        target_link_libraries(beadwave_nlopt PRIVATE NLopt::nlopt)
    endif()
    beadwave_subject(design beadwave_design beadwave_subjects_gradients)
    target_compile_definitions(beadwave_subjects_design PRIVATE BEADWAVE_VERSION="${PROJECT_VERSION}")
endif()
if("orbits" IN_LIST subjects AND "modes" IN_LIST subjects)
    beadwave_part(orbits beadwave_modes)
    beadwave_subject(orbits beadwave_orbits beadwave_tasks beadwave_subjects_chain)
    target_compile_definitions(beadwave_subjects_orbits PRIVATE BEADWAVE_VERSION="${PROJECT_VERSION}")
endif()
if("shapes" IN_LIST subjects)
    beadwave_subject(shapes beadwave_jobs beadwave_shapes)
endif()

add_executable(beadwave src/cli/main.cpp)
target_link_libraries(beadwave PRIVATE beadwave_commands beadwave_flags)
add_custom_target(program DEPENDS beadwave ${loaded_modules})  # and all that it loads
install(TARGETS beadwave)
include(cmake/pages.cmake)
if(BEADWAVE_COMPLETE)
    include(cmake/install_library.cmake)
endif()
install(DIRECTORY src/report DESTINATION ${CMAKE_INSTALL_DATADIR}/beadwave FILES_MATCHING
        PATTERN "*.py" PATTERN "*.js" PATTERN "*.css")
if(BEADWAVE_PYTHON_MODULE AND BEADWAVE_COMPLETE AND NOT BEADWAVE_FUZZ AND NOT CMAKE_CROSSCOMPILING)
    include(cmake/python_module.cmake)
endif()
