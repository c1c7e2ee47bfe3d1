// Loads code that depends on large libraries on demand: commands that do not need it start faster.
#pragma once

#include <filesystem>
#include <string>

namespace beadwave {

struct Module {
    const char* purpose;                 ///< "mechanisms"
    std::filesystem::path from_program;  ///< installed path, relative to the program's folder
    std::filesystem::path built;         ///< path in the build folder
    const char* function;                ///< name of the function to load, extern "C"
};

/// Loads the installed module, or the one in the build folder, and returns its function. The module
/// stays loaded. Throws InputError if it belongs to another build, otherwise std::runtime_error.
void* load_module(const Module& module);

}  // namespace beadwave
