// Packings in mixed precision beside the same in double precision. A float keeps 6e-8 of a number;
// what that becomes in a motion is measured, and bounds are a few times what was found.
#pragma once

#include "packing/packing_engine.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "tumbling.hpp"

#include <cstdint>
#include <string>

namespace beadwave::validation {

inline packing::Packing in_mixed_precision(packing::Packing p) {
    p.precision = packing::Precision::mixed;
    return p;
}

/// For either precision.
inline packing::Packing mixed_tumble(const std::string& law, laws::FrictionLaw friction) {
    packing::Packing p = tumbling(law,
                                  {.law = friction,
                                   .coefficient = friction == laws::FrictionLaw::none ? 0.0 : 0.3,
                                   .stiffness = 5e6,
                                   .damping = friction == laws::FrictionLaw::linear ? 1.0 : 0.0},
                                  {.lattice = packing::Lattice::bcc,
                                   .cells = {6, 5, 12},
                                   .origin = {0, 0, steel_radius},
                                   .radius = steel_radius});
    p.skin = 2e-5;
    return p;
}

/// Checks motion and ledger after `steps` steps of dt [s]: `bound` is relative to the largest
/// velocity, and to the energies.
inline void check_mixed_close(const packing::Packing& p, double dt, std::int64_t steps,
                              double bound) {
    const auto exact = packing::make_packing_engine(p, dt, 1);
    const auto engine = packing::make_packing_engine(in_mixed_precision(p), dt, 1);
    const double before = energy_of(exact->totals()), start = energy_of(engine->totals());
    exact->advance(steps);
    engine->advance(steps);
    const packing::PackingTotals a = engine->totals(), b = exact->totals();
    const double scale = b.translational + b.rotational + b.stored_normal + b.stored_elements +
                         b.dissipated_normal + b.dissipated_tangential + b.dissipated_elements;
    const double velocity = largest_difference(engine->velocity(), exact->velocity());
    CHECK_ABSOLUTE(velocity, 0.0, bound);
    CHECK(velocity > 0.0);  // the floats were used
    CHECK_ABSOLUTE(largest_difference(engine->angular_velocity(), exact->angular_velocity()), 0.0,
                   bound);
    CHECK(exact->closed_contacts() > 0);
    CHECK(engine->closed_contacts() == exact->closed_contacts());
    const double bound_of_energy = bound * scale;
    CHECK_ABSOLUTE(a.stored_normal, b.stored_normal, bound_of_energy);
    CHECK_ABSOLUTE(a.stored_tangential, b.stored_tangential, bound_of_energy);
    CHECK_ABSOLUTE(a.stored_elements, b.stored_elements, bound_of_energy);
    CHECK_ABSOLUTE(a.dissipated_normal, b.dissipated_normal, bound_of_energy);
    CHECK_ABSOLUTE(a.dissipated_tangential, b.dissipated_tangential, bound_of_energy);
    CHECK_ABSOLUTE(a.dissipated_rolling, b.dissipated_rolling, bound_of_energy);
    CHECK_ABSOLUTE(a.dissipated_elements, b.dissipated_elements, bound_of_energy);
    CHECK_ABSOLUTE(a.external_work, b.external_work, bound_of_energy);
    CHECK_ABSOLUTE(energy_of(a) - start, energy_of(b) - before, bound_of_energy);
}

/// Threads, interruptions and resumption leave the state of each step.
inline void check_mixed_bits(const packing::Packing& p, double dt) {
    const auto one = packing::make_packing_engine(p, dt, 1);
    one->advance(500);
    REQUIRE(one->neighbour_list_builds() > 1);
    const SavedPacking expected = saved(*one);
    const auto more = packing::make_packing_engine(p, dt, 3);
    more->advance(123);
    more->advance(1);
    const auto again = packing::make_packing_engine(p, dt, 2);
    restore(*again, 124, saved(*more));
    more->advance(376);
    again->advance(376);
    CHECK(saved(*more) == expected);
    CHECK(saved(*again) == expected);
}

}  // namespace beadwave::validation
