#include "tasks/history_argument.hpp"

#include "beadwave/input_error.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace beadwave::tasks {

namespace fs = std::filesystem;

void check_history(const std::string& name) {
    std::error_code error;
    const fs::file_status status = fs::status(name, error);
    if (status.type() == fs::file_type::not_found)
        throw InputError(fmt::format("{}: no such file", name));
    if (fs::is_directory(status))
        throw InputError(fmt::format("{}: is a folder; expected a history, an HDF5 file", name));
    if (fs::is_other(status)) throw InputError(fmt::format("{}: is not a regular file", name));
    if (::access(name.c_str(), R_OK) != 0) {
        throw InputError(
            fmt::format("{}: cannot be read ({})", name, std::generic_category().message(errno)));
    }
    const io::hdf5::Silence silence;
    if (H5Fis_hdf5(name.c_str()) <= 0) {
        throw InputError(fmt::format(
            "{}: is not an HDF5 file; expected a history that beadwave run wrote", name));
    }
}

void check_structure(const std::string& name) {
    check_history(name);
    try {
        io::hdf5::check_file(name);
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: {}", name, error.what()));
    }
}

}  // namespace beadwave::tasks
