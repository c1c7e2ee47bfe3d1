#include "packing_system/packing_observables.hpp"

#include "packing_system/orientation_order.hpp"
#include "packing_system/put_vector.hpp"

#include <algorithm>

namespace beadwave::observers {
namespace {

void put(const Tensor& tensor, std::span<double> out) {
    std::ranges::copy(tensor, out.begin());
}

}  // namespace

const std::vector<Observable<PackingState>>& packing_observables() {
    static const std::vector<Observable<PackingState>> all{
        {.name = "momentum",
         .unit = "kg m s-1",
         .meaning = "of all particles",
         .shape = {3},
         .compute = [](const PackingState& now,
                       auto out) { put_vector(now.totals.momentum, out); }},
        {.name = "angular_momentum",
         .unit = "kg m2 s-1",
         .meaning = "of all particles, about the origin",
         .shape = {3},
         .compute = [](const PackingState& now,
                       auto out) { put_vector(now.totals.angular_momentum, out); }},
    };
    return all;
}

const std::vector<Observable<MeasuredState>>& packing_measures() {
    static const std::vector<Observable<MeasuredState>> all{
        {.name = "region_edges",
         .unit = "m",
         .meaning = "of the region of the measures",
         .shape = {3},
         .compute = [](const MeasuredState& now,
                       auto out) { put_vector(now.region.edges(), out); }},
        {.name = "stress",
         .unit = "Pa",
         .meaning = "of contacts, bonds and motion, symmetric; compression is negative",
         .shape = {3, 3},
         .unit_in_plane = "N m-1",
         .compute = [](const MeasuredState& now, auto out) { put(stress(now), out); }},
        {.name = "contact_stress",
         .unit = "Pa",
         .meaning = "of contacts alone, not symmetrised: force component i, branch component j",
         .shape = {3, 3},
         .unit_in_plane = "N m-1",
         .compute = [](const MeasuredState& now, auto out) { put(contact_stress(now), out); }},
        {.name = "bond_stress",
         .unit = "Pa",
         .meaning = "of the forces of bonds alone, not symmetrised, as contact_stress",
         .shape = {3, 3},
         .unit_in_plane = "N m-1",
         .of_bonds = true,
         .compute = [](const MeasuredState& now, auto out) { put(bond_stress(now), out); }},
        {.name = "volume_fraction",
         .unit = "1",
         .meaning = "of the particles in the region",
         .shape = {},
         .compute = [](const MeasuredState& now, auto out) { out[0] = volume_fraction(now); }},
        {.name = "coordination_number",
         .unit = "1",
         .meaning = "contacts per particle",
         .shape = {},
         .compute = [](const MeasuredState& now, auto out) { out[0] = coordination_number(now); }},
        {.name = "fabric",
         .unit = "1",
         .meaning = "mean of n n over the contacts of the particles",
         .shape = {3, 3},
         .compute = [](const MeasuredState& now, auto out) { put(fabric(now), out); }},
        {.name = "rattlers",
         .unit = "1",
         .meaning = "particles that carry no force",
         .shape = {},
         .compute = [](const MeasuredState& now, auto out) { out[0] = rattlers(now); }},
        {.name = "orientation_fabric",
         .unit = "1",
         .meaning = "mean of u u over the axes of particles that are no spheres",
         .shape = {3, 3},
         .of_shapes = true,
         .compute = [](const MeasuredState& now, auto out) { put(orientation_fabric(now), out); }},
        {.name = "nematic_order",
         .unit = "1",
         .meaning = "largest eigenvalue of (3 u u - 1)/2, on average over these axes",
         .shape = {},
         .of_shapes = true,
         .compute = [](const MeasuredState& now, auto out) { out[0] = nematic_order(now); }},
    };
    return all;
}

}  // namespace beadwave::observers
