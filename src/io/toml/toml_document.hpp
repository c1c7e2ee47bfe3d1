// A TOML file with the --set overrides applied, and variants of it.
#pragma once

#include "io/toml/toml_table.hpp"
#include "scenario/origin.hpp"

#include <toml++/toml.h>

#include <filesystem>
#include <span>
#include <string>

namespace beadwave::io {

struct TomlDocument {
    toml::table table;
    scenario::Origin origin;  ///< every key of the table, "segment.0.radius", "sensors.beads[2]"
    std::string text;  ///< the file's own text, or the table as TOML once overrides changed it

    /// Valid as long as the document.
    TomlTable root() const { return {table, "", origin}; }
};

/// Throws InputError if the file cannot be read or is not TOML, or if an override cannot be
/// applied.
TomlDocument load_toml(const std::filesystem::path& file, std::span<const std::string> overrides);

/// The same from text; errors call it `name`.
TomlDocument parse_toml(std::string text, const std::string& name,
                        std::span<const std::string> overrides = {});

/// The document with one more value of each --vary setting; its `text` is left empty.
TomlDocument variant_of(const TomlDocument& document, std::span<const std::string> settings);

}  // namespace beadwave::io
