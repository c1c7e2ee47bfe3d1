// [dissipation], [wear] and [heat] of packings: what follows from single contacts.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/build/scenario.hpp"

namespace beadwave::io {

Table<packing::Scenario> contact_record_rows();

}  // namespace beadwave::io
