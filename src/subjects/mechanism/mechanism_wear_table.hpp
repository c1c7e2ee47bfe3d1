// [wear] of a mechanism, and `wear` of its contacts.
#pragma once

#include "io/scenario/table.hpp"
#include "io/toml/toml_document.hpp"
#include "mechanism/mechanism.hpp"

namespace beadwave::io {

Key wear_key();             ///< [wear]
Key wear_of_contact_key();  ///< contact.N.wear

/// What [wear] and the contacts give. Throws InputError.
void read_wear(const TomlDocument& document, mechanism::Mechanism& mechanism, Reading& reading);

}  // namespace beadwave::io
