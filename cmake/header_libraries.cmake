# The libraries that the laws and engines need, as headers only, for a processor that has no packages on this machine.
# They are linked into a separate folder, because the rest of /usr/include is for this machine.
set(header_folder ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${header_folder})
foreach(library IN ITEMS boost doctest fmt hwy Random123)
    find_path(folder ${library} NO_CACHE REQUIRED PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
    file(CREATE_LINK ${folder}/${library} ${header_folder}/${library} SYMBOLIC)
    unset(folder)
endforeach()

foreach(target IN ITEMS Boost::headers fmt::fmt hwy::hwy doctest::doctest)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} INTERFACE ${header_folder})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
set(Random123_INCLUDE_DIR ${header_folder})
