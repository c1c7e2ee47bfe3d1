// The tables that all scenarios have in common. [material.NAME] is in segment_reader.hpp, [law] in
// law_reader.hpp.
#pragma once

#include "io/toml/toml_table.hpp"
#include "scenario/common.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace beadwave::io {

/// Whether [time] has the key sleep_speed.
enum class SleepSpeed { allowed, unknown };

scenario::Time read_time(const TomlTable& root, SleepSpeed sleep_speed);

/// A table with one number: [precompression] force, [snapshots] interval, ...
std::optional<double> read_single(const TomlTable& root, std::string_view name,
                                  std::string_view key, std::string_view unit);

std::optional<scenario::Checkpoints> read_checkpoints(const TomlTable& root);

/// `key`: the list, "beads". `body`: one of them, "bead". `count`: their number in the system.
std::optional<scenario::Sensors> read_sensors(const TomlTable& root, std::string_view key,
                                              std::string_view body, std::int64_t count);

}  // namespace beadwave::io
