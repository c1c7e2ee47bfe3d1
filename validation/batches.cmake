# The cases of one program of tests as tests of ctest: those of costs.cmake alone, all others in batches, because with sanitizers each
# start takes a third of a second. Runs after EXECUTABLE was linked, and writes FILE. Cases that are long, or simulate, have one of
# the labels third-0 to third-2: with sanitizers .ci/run runs one third of them, another one for each commit.
cmake_minimum_required(VERSION 3.25)
set(batch 12)

set(long "")
function(cost seconds test)
    set(long "${long};${test}" PARENT_SCOPE)
endfunction()
include(${CMAKE_CURRENT_LIST_DIR}/costs.cmake)

execute_process(COMMAND "${EXECUTABLE}" --list-test-cases OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" listed "${listed}")
list(FILTER listed EXCLUDE REGEX "^(=+|\\[doctest\\] .*|)$")

set(script "")
# The test NAME of these cases.
function(add name label)
    list(LENGTH ARGN count)
    set(escaped "")
    foreach(case IN LISTS ARGN)
        string(REPLACE "," "\\," case "${case}")
        list(APPEND escaped "${case}")
    endforeach()
    list(JOIN escaped "," escaped)
    string(APPEND script "add_test([==[${name}]==] [==[${EXECUTABLE}]==] [==[--test-case=${escaped}]==])\n"
        "set_tests_properties([==[${name}]==] PROPERTIES WORKING_DIRECTORY [==[${FOLDER}]==] ENVIRONMENT BEADWAVE_CASES=${count} LABELS ${label})\n")
    set(script "${script}" PARENT_SCOPE)
endfunction()

# Thirds of what simulates, or runs the program; unit is whole.
foreach(case IN LISTS listed)
    string(MD5 third "${case}")
    string(SUBSTRING ${third} 0 7 third)
    math(EXPR third "0x${third} % 3")
    if("${KIND}:${case}" IN_LIST long)
        add("${KIND}:${case}" third-${third} "${case}")
    elseif(KIND MATCHES "^(cli|physics|papers|shapes)$")
        list(APPEND cases_third-${third} "${case}")
    else()
        list(APPEND cases_always "${case}")
    endif()
endforeach()
foreach(label IN ITEMS third-0 third-1 third-2 always)
    set(rest ${cases_${label}})
    while(rest)
        list(SUBLIST rest 0 ${batch} collected)
        list(GET collected 0 first)
        add("${KIND}:${first}, and what follows" ${label} ${collected})
        list(REMOVE_ITEM rest ${collected})
    endwhile()
endforeach()
file(WRITE "${FILE}" "${script}")
