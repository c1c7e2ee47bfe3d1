// Loads the module that holds simbody/tree.cpp: beside the installed program, else where it was
// built.

#include "mechanism/simbody/tree.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace beadwave::mechanism::simbody {
namespace {

namespace fs = std::filesystem;

fs::path module_file() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path() / BEADWAVE_SIMBODY_FROM_PROGRAM;
    const fs::path built = BEADWAVE_SIMBODY_BUILT;
    for (const fs::path& file : {installed, built}) {
        if (fs::is_regular_file(file, error)) return file.lexically_normal();
    }
    throw std::runtime_error(
        fmt::format("beadwave's module for mechanisms is missing: neither {} nor {} is there; "
                    "install beadwave again (cmake --install)",
                    installed.lexically_normal().string(), built.string()));
}

MakeTree load() {
    const std::string file = module_file();
    void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // for good
    void* const function = module == nullptr ? nullptr : ::dlsym(module, make_tree_name);
    if (function == nullptr)
        throw std::runtime_error(fmt::format("cannot load Simbody: {}", ::dlerror()));
    return reinterpret_cast<MakeTree>(function);
}

}  // namespace

std::unique_ptr<Tree> make_tree(const std::vector<Branch>& branches,
                                const std::vector<Closure>& closures) {
    static const MakeTree make = load();
    return std::unique_ptr<Tree>(make(&branches, &closures));
}

}  // namespace beadwave::mechanism::simbody
