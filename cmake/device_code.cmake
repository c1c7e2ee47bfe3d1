# Code for graphics processors: clang compiles a source to PTX, which is embedded in the program and compiled once more by
# the driver of the machine that runs it. No toolkit of a vendor is needed.
set(BEADWAVE_DEVICE AUTO CACHE STRING "Code for graphics processors: AUTO (where there is clang 14 or later), ON or OFF")
set_property(CACHE BEADWAVE_DEVICE PROPERTY STRINGS AUTO ON OFF)
set(BEADWAVE_DEVICE_ARCHITECTURE sm_80 CACHE STRING "The oldest graphics processors that device code is compiled for")
# -O0 takes a quarter of the time, for checks on machines without such a processor.
set(BEADWAVE_DEVICE_OPTIMISATION -O3 CACHE STRING "How device code is optimised")

# Only IEEE operations, none of them fused: kernels give the bits of the host.
set(device_flags -std=c++20 -x cuda --cuda-device-only --cuda-gpu-arch=${BEADWAVE_DEVICE_ARCHITECTURE} -nocudainc -nocudalib
    -Xclang -target-feature -Xclang +ptx72 -mllvm -inline-threshold=100000
    ${BEADWAVE_DEVICE_OPTIMISATION} -DNDEBUG -ffp-contract=off -fno-math-errno -Wall -Wextra -Wno-unknown-cuda-version -Wno-unused-command-line-argument
    "-D__host__=__attribute__((host))" "-D__device__=__attribute__((device))" "-D__global__=__attribute__((global))")

# Whether a compiler makes PTX. A validator of find_program.
function(beadwave_makes_ptx result compiler)
    set(source "${PROJECT_BINARY_DIR}/device_code/try.cu")
    file(WRITE "${source}" "#include <cstddef>\nextern \"C\" __attribute__((global)) void empty(double* x) {\n"
         "    *x = __builtin_sqrt(*x) + __nvvm_read_ptx_sreg_tid_x();\n}\n")
    execute_process(COMMAND "${compiler}" ${device_flags} -S "${source}" -o "${source}.ptx"
                    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(NOT status EQUAL 0)
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()

set(device_compiler)
if(BEADWAVE_DEVICE AND NOT CMAKE_CROSSCOMPILING)
    find_program(BEADWAVE_DEVICE_COMPILER NAMES clang++-14 clang++-15 clang++-16 clang++-17 clang++-18 clang++-19 clang++-20
                 clang++-21 clang++ VALIDATOR beadwave_makes_ptx)
    if(BEADWAVE_DEVICE_COMPILER)
        set(device_compiler "${BEADWAVE_DEVICE_COMPILER}")
    elseif(NOT BEADWAVE_DEVICE STREQUAL "AUTO")
        message(FATAL_ERROR "BEADWAVE_DEVICE is ${BEADWAVE_DEVICE}, and there is no clang 14 or later that makes PTX")
    endif()
endif()
# The text is embedded compressed, a twentieth of its size.
if(device_compiler)
    find_package(ZLIB)
    find_program(BEADWAVE_GZIP gzip)
    if(NOT ZLIB_FOUND OR NOT BEADWAVE_GZIP)
        if(NOT BEADWAVE_DEVICE STREQUAL "AUTO")
            message(FATAL_ERROR "BEADWAVE_DEVICE is ${BEADWAVE_DEVICE}, and zlib or gzip is missing")
        endif()
        set(device_compiler)
    endif()
endif()
if(device_compiler)
    message(STATUS "Code for graphics processors: ${device_compiler}")
else()
    message(STATUS "Code for graphics processors: none (BEADWAVE_DEVICE=${BEADWAVE_DEVICE})")
endif()

# beadwave_device_code(TARGET SOURCE MODULE [DEFINITION...]): compiles SOURCE, with definitions such as LAW=3, and embeds it in
# what links TARGET, a part above `device`, as the module called MODULE. One source can make several modules. Without clang
# nothing is embedded.
function(beadwave_device_code target source module)
    if(NOT device_compiler)
        return()
    endif()
    list(TRANSFORM ARGN PREPEND -D OUTPUT_VARIABLE definitions)
    get_filename_component(source "${source}" ABSOLUTE)
    set(folder "${PROJECT_BINARY_DIR}/device_code")
    set(ptx "${folder}/${module}.ptx")
    file(MAKE_DIRECTORY "${folder}")
    file(RELATIVE_PATH shown "${PROJECT_SOURCE_DIR}" "${source}")
    add_custom_command(OUTPUT "${ptx}.gz"
        COMMAND "${device_compiler}" ${device_flags} ${definitions} "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}/src"
                -S "${source}" -MD -MF "${ptx}.d" -MT "${ptx}.gz" -o "${ptx}"
        COMMAND "${BEADWAVE_GZIP}" -9 -n -f -k "${ptx}"
        DEPENDS "${source}" DEPFILE "${ptx}.d" COMMENT "Compiling ${shown} for graphics processors: ${module}" VERBATIM)
    set(embedding "${folder}/${module}.cpp")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/embedded_code.cpp.in" "${embedding}" @ONLY)
    set_source_files_properties("${embedding}" PROPERTIES OBJECT_DEPENDS "${ptx}.gz" SKIP_UNITY_BUILD_INCLUSION ON
        SKIP_PRECOMPILE_HEADERS ON)
    target_sources(${target} PRIVATE "${embedding}")
    # Nothing calls the file that names the module, so the linker is told to take it.
    target_link_options(${target} INTERFACE "LINKER:--undefined=beadwave_code_${module}")
endfunction()
