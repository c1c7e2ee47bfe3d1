// Device code that is part of the program: one text of PTX, the assembly language of NVIDIA's
// drivers, for each module that cmake/device_code.cmake compiled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::device {

/// The PTX of a module; an empty text with no such module.
std::string embedded_code(const std::string& module);

/// The names of the modules of this program, sorted. None if it was built without clang.
std::vector<std::string> embedded_modules();

/// The text with one kernel only, of a module whose kernels call no other functions: the driver
/// compiles what is used. Empty: it has no such kernel.
std::string only_kernel(std::string_view code, const std::string& kernel);

/// What a text of PTX needs of the device and its driver.
struct CodeNeeds {
    int compute_capability = 0;  ///< ten times its number: 80 is 8.0
    std::string version{};       ///< of PTX: "7.0"
};
CodeNeeds needs_of(std::string_view code);

/// Names a module of this program, before main(): cmake/device_code.cmake writes the only callers.
struct EmbedCode {
    EmbedCode(const char* module, const char* begin, const char* end);
};

}  // namespace beadwave::device
