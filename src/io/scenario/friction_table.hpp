// [friction]: the tangential law of contacts.
#pragma once

#include "io/scenario/table.hpp"
#include "laws/tangential/friction.hpp"

namespace beadwave::io {

Table<laws::Friction> friction_table();

}  // namespace beadwave::io
