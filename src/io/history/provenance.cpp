#include "io/history/provenance.hpp"

#include "simd/instruction_sets.hpp"

#include <fstream>
#include <string>

namespace beadwave::io {
namespace {

constexpr const char* commit =
#include "build_commit.inc"
    ;

#ifdef __clang__
constexpr const char* compiler = "Clang " __clang_version__;
#else
constexpr const char* compiler = "GCC " __VERSION__;
#endif

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return "unknown";
}

}  // namespace

void write_provenance(const hdf5::Group& parameters) {
    hdf5::write_text(parameters.id(), "commit", commit);
    hdf5::write_text(parameters.id(), "compiler", compiler);
    hdf5::write_text(parameters.id(), "instruction_set", simd::instruction_sets().front().name);
    hdf5::write_text(parameters.id(), "processor", processor());
}

}  // namespace beadwave::io
