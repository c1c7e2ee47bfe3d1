// [dissipation] and [wear] of packings: what is recorded of single contacts.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/scenario.hpp"

#include <string>

namespace beadwave::io {

Table<packing::Scenario> contact_record_rows();

/// The table of a scenario with such records that asks for them.
std::string record_of_contacts(const packing::Scenario& scenario);

}  // namespace beadwave::io
