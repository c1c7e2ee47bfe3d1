#include "base/load_module.hpp"

#include "beadwave/input_error.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <string.h>  // NOLINT: strnlen is POSIX's, not the standard library's

#include <stdexcept>
#include <string_view>
#include <system_error>

namespace beadwave {
namespace {

namespace fs = std::filesystem;

/// The path of a module if this code is in a library that another program, such as Python, loaded.
fs::path beside_own_library(const fs::path& name) {
    static const int anchor = 0;
    Dl_info info{};
    if (::dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
    const fs::path library = info.dli_fname;
    if (library.extension() != ".so") return {};
    return library.parent_path() / BEADWAVE_MODULES_FROM_PYTHON / name;
}

fs::path file_of(const Module& module) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path() / module.from_program;
    for (const fs::path& file :
         {installed, beside_own_library(module.built.filename()), module.built}) {
        if (fs::is_regular_file(file, error)) return file.lexically_normal();
    }
    if constexpr (BEADWAVE_WHEEL) {
        throw std::runtime_error(
            fmt::format("the wheel of beadwave does not contain what {} need; install beadwave's "
                        "Debian package, "
                        "or build it from its sources",
                        module.purpose));
    }
    throw std::runtime_error(
        fmt::format("the module of beadwave for {} is missing: neither {} nor {} exists; build "
                    "it (./dev build) or install beadwave again (cmake --install)",
                    module.purpose, installed.lexically_normal().string(), module.built.string()));
}

constexpr std::string_view stamp =
#include "module_stamp.inc"
    ;

[[noreturn]] void refuse_other_build(const std::string& file, std::string_view found) {
    throw InputError(
        fmt::format("{}: is a module of {}, and this program needs that of {}: a module and a "
                    "program must come from one build; build all of it (./dev build), or install "
                    "beadwave again",
                    file, found, stamp));
}

/// Modules and program share the layout of classes: of another build, nothing else may be used.
void check_stamp(void* loaded, const std::string& file) {
    const void* const found = ::dlsym(loaded, "beadwave_module_stamp");
    if (found == nullptr) refuse_other_build(file, "another program or an older beadwave");
    const auto* const text = static_cast<const char*>(found);
    const std::string_view its(text, ::strnlen(text, 200));
    if (its != stamp) refuse_other_build(file, shortened(std::string(its)));
}

}  // namespace

void* load_module(const Module& module) {
    const std::string file = file_of(module);
    void* const loaded = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed
    if (loaded != nullptr) check_stamp(loaded, file);
    void* const function = loaded == nullptr ? nullptr : ::dlsym(loaded, module.function);
    if (function == nullptr)
        throw std::runtime_error(fmt::format("cannot load {}: {}", file, ::dlerror()));
    return function;
}

}  // namespace beadwave
