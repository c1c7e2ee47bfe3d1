# mold or lld where one is installed: each links a test program in a tenth of the time of GNU ld. Not for a wheel, whose
# libraries are edited afterwards, and not where -fuse-ld is given already.
include(CheckLinkerFlag)
if(NOT BEADWAVE_WHEEL AND NOT "${CMAKE_EXE_LINKER_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fuse-ld=")
    foreach(linker IN ITEMS mold lld)
        check_linker_flag(CXX -fuse-ld=${linker} BEADWAVE_LINKS_WITH_${linker})
        if(BEADWAVE_LINKS_WITH_${linker})
            add_link_options(-fuse-ld=${linker})
            break()
        endif()
    endforeach()
endif()
