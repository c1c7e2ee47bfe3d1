// Code with large libraries behind it, loaded where it is asked for: other commands start without.
#pragma once

#include <filesystem>
#include <string>

namespace beadwave {

struct Module {
    const char* purpose;                 ///< "mechanisms"
    std::filesystem::path from_program;  ///< where it is installed, from the program's folder
    std::filesystem::path built;         ///< where it was built
    const char* function;                ///< the one that it is loaded for, extern "C"
};

/// The function, of the module beside the installed program or else where it was built; the module
/// stays loaded. Throws std::runtime_error.
void* load_module(const Module& module);

}  // namespace beadwave
