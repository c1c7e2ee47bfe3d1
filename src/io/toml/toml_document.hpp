// A TOML file with the overrides of --set applied, and its variants in a sweep.
#pragma once

#include "io/toml/toml_table.hpp"
#include "scenario/origin.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace beadwave::io {

struct TomlDocument {
    std::shared_ptr<const toml::table> table;
    scenario::Origin origin;  ///< of every key: "segment.0.radius", "sensors.beads[2]"
    std::string text;         ///< text of the file; with overrides, the changed table as TOML

    /// Valid as long as the document.
    TomlTable root() const { return {*table, "", origin}; }
};

/// Throws InputError if the file cannot be read or is not TOML, or if an override cannot be
/// applied.
TomlDocument load_toml(const std::filesystem::path& file, std::span<const std::string> overrides);

/// Parses the document from text; errors call it `name`.
TomlDocument parse_toml(std::string text, const std::string& name,
                        std::span<const std::string> overrides = {});

/// The document with the settings of one run of a sweep; its `text` is empty.
TomlDocument variant_of(const TomlDocument& document, std::span<const std::string> settings);

}  // namespace beadwave::io
