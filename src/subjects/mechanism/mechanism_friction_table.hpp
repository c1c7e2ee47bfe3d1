// [contact.N.friction] and [joint.N.friction] of a mechanism.
#pragma once

#include "io/scenario/table.hpp"
#include "mechanism/mechanism.hpp"

#include <string_view>

namespace beadwave::io {

Table<mechanism::Friction> contact_friction_table();

/// The friction of a joint: its coefficients, and one size, `member`.
Table<mechanism::JointFriction> joint_friction_table(std::string_view size,
                                                     double mechanism::JointFriction::*member,
                                                     std::string_view meaning);

}  // namespace beadwave::io
