# Installs the build BUILD below FOLDER, builds the outside program with the installed files, and runs it.
file(REMOVE_RECURSE "${FOLDER}")
function(step)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "failed: ${ARGV}")
    endif()
endfunction()
step("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${FOLDER}/prefix")
step("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${FOLDER}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${FOLDER}/prefix"
    -DCMAKE_BUILD_TYPE=Release)
step("${CMAKE_COMMAND}" --build "${FOLDER}/build")
step("${CMAKE_COMMAND}" -E chdir "${FOLDER}" "${FOLDER}/build/outside")
step("${CMAKE_COMMAND}" -E chdir "${FOLDER}" "${FOLDER}/prefix/bin/beadwave" laws hertz)
