// The [[contact]] tables of a mechanism.
#pragma once

#include "io/scenario/table.hpp"
#include "io/toml/toml_document.hpp"
#include "mechanism/mechanism.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::io {

/// The materials of the bodies, for contacts that have none of their own.
struct BodyMaterials {
    std::vector<std::optional<std::string>> of_bodies;
    std::optional<std::string> of_ground;
};

/// The key `bodies`, two names such as ["ground", "crank"], and its value. The reading knows all
/// names.
Key bodies_key(std::string_view meaning);
std::array<std::size_t, 2> read_bodies(const TomlTable& table, const Key& key,
                                       const Reading& reading);

Key contacts_key();

std::vector<mechanism::Contact> read_contacts(const TomlDocument& document,
                                              const BodyMaterials& materials, Reading& reading);

}  // namespace beadwave::io
