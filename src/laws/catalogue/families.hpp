// The families of the catalogue, in the order in which they are shown: one function per family, in
// a file of its own.
#pragma once

#include "beadwave/laws/catalogue.hpp"

#include <vector>

namespace beadwave::laws {

std::vector<Entry> elastic_entries();
std::vector<Entry> hysteresis_entries();
std::vector<Entry> viscous_entries();
std::vector<Entry> elastoplastic_dashpot_entries();
std::vector<Entry> elastoplastic_entries();
std::vector<Entry> fitted_entries();
std::vector<Entry> adhesion_entries();
std::vector<Entry> own_entries();

}  // namespace beadwave::laws
