// The contact of a mechanism that was deepest, beside the size of its bodies.
#pragma once

#include "mechanism/mechanism.hpp"
#include "mechanism/result.hpp"

#include <optional>
#include <string>

namespace beadwave::mechanism {

/// The warning about a contact deeper than a tenth of its smaller radius, beyond which no contact
/// law holds; none if all were less deep. Contacts of shapes, whose radii vary, are not looked at.
std::optional<std::string> deep_contact(const Mechanism&, const Result&);

}  // namespace beadwave::mechanism
