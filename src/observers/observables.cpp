#include "observers/observables.hpp"

#include <algorithm>

namespace beadwave::observers {
namespace {

void put(const packing::Vec3& v, std::span<double> out) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

void put(const Tensor& tensor, std::span<double> out) {
    std::ranges::copy(tensor, out.begin());
}

}  // namespace

const std::vector<Observable>& observables() {
    static const std::vector<Observable> all{
        {.name = "momentum",
         .unit = "kg m s-1",
         .meaning = "of all beads, towards higher numbers",
         .shape = {},
         .of_chain = [](const ChainState& now, auto out) { out[0] = now.totals.momentum; }},
        {.name = "sleep_loss_momentum",
         .unit = "kg m s-1",
         .meaning = "of beads put to sleep by time.sleep_speed since the start",
         .shape = {},
         .of_chain = [](const ChainState& now,
                        auto out) { out[0] = now.totals.sleep_loss_momentum; }},
        {.name = "largest_contact_force",
         .unit = "N",
         .meaning = "absolute value, of all contacts",
         .shape = {},
         .of_chain = [](const ChainState& now,
                        auto out) { out[0] = now.totals.largest_contact_force; }},
        {.name = "momentum",
         .unit = "kg m s-1",
         .meaning = "of all particles",
         .shape = {3},
         .of_packing = [](const PackingState& now, auto out) { put(now.totals.momentum, out); }},
        {.name = "angular_momentum",
         .unit = "kg m2 s-1",
         .meaning = "of all particles, about the origin",
         .shape = {3},
         .of_packing = [](const PackingState& now,
                          auto out) { put(now.totals.angular_momentum, out); }},
        {.name = "region_edges",
         .unit = "m",
         .meaning = "of the region of the measures",
         .shape = {3},
         .of_measures = [](const MeasuredState& now, auto out) { put(now.region.edges(), out); }},
        {.name = "stress",
         .unit = "Pa",
         .meaning = "of contacts, bonds and motion, symmetric; compression is positive",
         .shape = {3, 3},
         .unit_in_plane = "N m-1",
         .of_measures = [](const MeasuredState& now, auto out) { put(stress(now), out); }},
        {.name = "contact_stress",
         .unit = "Pa",
         .meaning = "of contacts alone, not symmetrised: force component i, branch component j",
         .shape = {3, 3},
         .unit_in_plane = "N m-1",
         .of_measures = [](const MeasuredState& now, auto out) { put(contact_stress(now), out); }},
        {.name = "bond_stress",
         .unit = "Pa",
         .meaning = "of the forces of bonds alone, not symmetrised, as contact_stress",
         .shape = {3, 3},
         .unit_in_plane = "N m-1",
         .of_bonds = true,
         .of_measures = [](const MeasuredState& now, auto out) { put(bond_stress(now), out); }},
        {.name = "volume_fraction",
         .unit = "1",
         .meaning = "of the particles in the region",
         .shape = {},
         .of_measures = [](const MeasuredState& now, auto out) { out[0] = volume_fraction(now); }},
        {.name = "coordination_number",
         .unit = "1",
         .meaning = "contacts per particle",
         .shape = {},
         .of_measures = [](const MeasuredState& now,
                           auto out) { out[0] = coordination_number(now); }},
        {.name = "fabric",
         .unit = "1",
         .meaning = "mean of n n over the contacts of the particles",
         .shape = {3, 3},
         .of_measures = [](const MeasuredState& now, auto out) { put(fabric(now), out); }},
        {.name = "rattlers",
         .unit = "1",
         .meaning = "particles that carry no force",
         .shape = {},
         .of_measures = [](const MeasuredState& now, auto out) { out[0] = rattlers(now); }},
    };
    return all;
}

}  // namespace beadwave::observers
