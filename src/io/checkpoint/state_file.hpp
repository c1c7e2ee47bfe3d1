// The state of a system between two steps, in a file of its own: what is needed to make the system
// again and to continue it to the bit. It belongs to no history; a checkpoint does
// (checkpoint_file.hpp).
//
//     the first 512 bytes   the checksum header, as in a checkpoint
//     /parameters           scenario, files: texts
//     /arrays               of a chain from arrays, one dataset per argument; otherwise missing
//     /state                step, time_step, system (its fingerprint), ledger
//     /state/engine         the columns of the engine's state
#pragma once

#include "io/files/output_path.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace beadwave::io {

using NamedNumbers = std::map<std::string, std::vector<double>>;

struct SystemState {
    std::string text;  ///< the scenario; of a chain from arrays its tables
    std::map<std::string, std::string> file_texts;  ///< of the files that it names, by dotted key
    NamedNumbers arrays;                            ///< of a chain from arrays; otherwise empty
    std::string system;                             ///< its fingerprint, see text_of()
    std::int64_t step;
    double time_step;            ///< [s]
    std::vector<double> ledger;  ///< what the owner of the engine sums up [J]
    NamedNumbers columns;        ///< of the engine
};

/// Throws InputError if the path cannot be used, std::runtime_error if the file cannot be written.
void write_state(const Output& output, const SystemState& state);

/// Throws InputError, which names the file, unless it is complete and of this version.
SystemState read_state(const std::filesystem::path& path);

}  // namespace beadwave::io
