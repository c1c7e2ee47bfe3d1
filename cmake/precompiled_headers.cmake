# Headers of libraries that most files include, compiled once: half of the time of a short file. No header of this
# project is among them, because its change would compile everything again. Only with GCC; a file that lacks an
# include fails with the other compilers. CMAKE_DISABLE_PRECOMPILE_HEADERS turns them off.
# nlohmann/json and CLI11 are not among them either: each file would instantiate again what their inline functions use,
# three seconds per file.
set(precompiled_library_headers <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory>
    <numbers> <optional> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
set(precompiled_optimised_headers ${precompiled_library_headers})
set(precompiled_io_headers ${precompiled_library_headers} <hdf5.h>)
set(precompiled_test_headers ${precompiled_library_headers} <fstream> <sstream> <doctest/doctest.h>)
set(precompiled_json_test_headers ${precompiled_test_headers} <nlohmann/json.hpp>)

# ccache compiles files that include them again each time unless it may ignore __TIME__.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
    list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros)
endif()

# The first target that asks for a set compiles it. The others must have the same options, also -O (GCC crashes
# otherwise), and all of its definitions.
function(beadwave_precompiled_headers target set)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        return()
    endif()
    get_property(owner GLOBAL PROPERTY beadwave_precompiled_${set})
    if(owner)
        target_precompile_headers(${target} REUSE_FROM ${owner})
    else()
        target_precompile_headers(${target} PRIVATE ${precompiled_${set}_headers})
        set_property(GLOBAL PROPERTY beadwave_precompiled_${set} ${target})
    endif()
endfunction()
