// The [[contact]] tables of a mechanism.
#pragma once

#include "io/scenario/named_files.hpp"
#include "io/scenario/segment_reader.hpp"
#include "io/toml/toml_document.hpp"
#include "mechanism/mechanism.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::io {

/// The bodies that contacts and joints refer to.
struct NamedBodies {
    std::vector<std::string> names;
    std::vector<std::optional<std::string>> materials;  ///< by body
    std::optional<std::string> ground_material;

    /// The two bodies of the key `bodies`, such as ["ground", "crank"].
    std::array<std::size_t, 2> pair(const TomlTable& table) const;
};

/// A point or direction: two numbers.
std::optional<mechanism::Vector> read_vector(const TomlTable& table, std::string_view name,
                                             std::string_view unit);
mechanism::Vector need_vector(const TomlTable& table, std::string_view name, std::string_view unit);

std::vector<mechanism::Contact> read_contacts(const TomlDocument& document,
                                              const NamedBodies& bodies, const Materials& materials,
                                              NamedFiles& files,
                                              std::vector<std::string>& warnings);

}  // namespace beadwave::io
