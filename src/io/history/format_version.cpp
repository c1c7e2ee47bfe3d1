#include "io/history/format_version.hpp"

#include "beadwave/input_error.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace beadwave::io {
namespace {

/// A dataset or group of an earlier version and its present name.
struct RenamedPath {
    const char* path;
    const char* was;
    const char* is;
};

constexpr RenamedPath renamed_paths[] = {
    {"particles/bodies", "particles/bodies", "particles/all"},
    {"observables/residual", "residual", "energy_error and relative_energy_error"},
    {"observables/work", "work", "external_work"},
    {"particles/beads/spin", "spin", "angular_velocity"},
    {"observables/discarded_energy", "discarded_energy", "sleep_loss_energy"},
    {"parameters/notes", "notes", "warnings"},
    {"observables/stress", "stress in compression, above 0,", "below 0"},
};

/// " (residual is now relative_energy_error, work is now external_work)": names of the file itself.
std::string examples(const hdf5::File& history) {
    constexpr std::size_t most = 3;
    std::vector<std::string> found;
    for (const RenamedPath& each : renamed_paths) {
        if (found.size() < most && hdf5::has(history.id(), each.path))
            found.push_back(fmt::format("{} is now {}", each.was, each.is));
    }
    return found.empty() ? "" : fmt::format(" ({})", fmt::join(found, ", "));
}

/// Histories of format 1 do not say their version.
double version_of(const hdf5::File& history, const std::string& name) {
    constexpr const char* path = "parameters/format_version";
    try {
        return hdf5::has(history.id(), path) ? hdf5::read_number(history.id(), path) : 1.0;
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: is damaged: {}", name, error.what()));
    }
}

}  // namespace

void check_format_version(const hdf5::File& history, const std::string& name) {
    const double version = version_of(history, name);
    if (version == format_version) return;
    if (version > format_version) {
        throw InputError(
            fmt::format("{}: was written by a newer version of beadwave (format {}, this version "
                        "reads format {})",
                        name, version, format_version));
    }
    throw InputError(
        fmt::format("{}: was written by an earlier version, whose names have changed{}; run the "
                    "scenario again",
                    name, examples(history)));
}

}  // namespace beadwave::io
