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
/// The row of this key, of anything with the member `bodies`.
template <class Element>
void add_bodies(Table<Element>& t, std::string_view meaning) {
    t.row(bodies_key(meaning),
          [](const TomlTable& table, const Key& key, Element& element, const Reading& reading) {
              element.bodies = read_bodies(table, key, reading);
          });
}

/// The body of this name among `names`; an error is one of `key`.
std::size_t body_named(const std::string& name, const std::vector<std::string>& names,
                       const TomlTable& table, const std::string& key);

Key contacts_key();

std::vector<mechanism::Contact> read_contacts(const TomlDocument& document,
                                              const BodyMaterials& materials, Reading& reading);

}  // namespace beadwave::io
