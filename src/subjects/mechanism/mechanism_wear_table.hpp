// [wear] of a mechanism, and `wear` of its contacts.
#pragma once

#include "io/scenario/table.hpp"
#include "io/toml/toml_document.hpp"
#include "mechanism/mechanism.hpp"

namespace beadwave::io {

Key wear_key();             ///< [wear]
Key wear_of_contact_key();  ///< contact.N.wear

/// Reads [wear], and the wear of contacts, into the mechanism. Throws InputError.
void read_wear(const TomlDocument& document, mechanism::Mechanism& mechanism, Reading& reading);

}  // namespace beadwave::io
