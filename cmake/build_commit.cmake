# Writes the commit of the sources as a C string, if it has changed: cmake -DSOURCES=... -DOUT=... -P build_commit.cmake
execute_process(COMMAND git -C "${SOURCES}" describe --always --dirty --abbrev=12 --match=no_tag
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
    set(commit "unknown")  # an archive of the sources
endif()
set(text "\"${commit}\"\n")
if(EXISTS "${OUT}")
    file(READ "${OUT}" before)
endif()
if(NOT "${before}" STREQUAL "${text}")
    file(WRITE "${OUT}" "${text}")
endif()
