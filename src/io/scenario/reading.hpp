// What the reader of a key needs and its own table does not give.
#pragma once

#include "io/scenario/named_files.hpp"
#include "scenario/common.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::io {

using Materials = decltype(scenario::Common::materials);

struct Reading {
    NamedFiles files;
    std::vector<std::string> warnings{};  ///< keys without effect, one sentence each
    const Materials* materials = nullptr;
    int dimension = 3;                 ///< of a packing
    std::int64_t bodies = 0;           ///< number of the beads or particles that can have a sensor
    std::vector<std::string> names{};  ///< of the bodies of a mechanism

    void no_effect(const std::string& key, std::string_view why);
};

/// The key's material, if it is given; it must be one of the scenario's.
std::optional<std::string> read_material_name(const TomlTable& table, const Key& key,
                                              const Materials& materials);

}  // namespace beadwave::io
