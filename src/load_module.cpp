#include "load_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>
#include <system_error>

namespace beadwave {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const Module& module) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path() / module.from_program;
    for (const fs::path& file : {installed, module.built}) {
        if (fs::is_regular_file(file, error)) return file.lexically_normal();
    }
    throw std::runtime_error(
        fmt::format("beadwave's module for {} is missing: neither {} nor {} is there; install "
                    "beadwave again (cmake --install)",
                    module.purpose, installed.lexically_normal().string(), module.built.string()));
}

}  // namespace

void* load_module(const Module& module) {
    const std::string file = file_of(module);
    void* const loaded = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // for good
    void* const function = loaded == nullptr ? nullptr : ::dlsym(loaded, module.function);
    if (function == nullptr)
        throw std::runtime_error(fmt::format("cannot load {}: {}", file, ::dlerror()));
    return function;
}

}  // namespace beadwave
