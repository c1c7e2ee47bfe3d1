// Packings in mixed precision beside double precision.
#pragma once

#include "packing/packing_engine.hpp"
#include "packings.hpp"
#include "relative.hpp"

#include <cstdint>

namespace beadwave::validation {

inline packing::Packing in_mixed_precision(packing::Packing p) {
    p.precision = packing::Precision::mixed;
    return p;
}

/// Checks motion and ledger after `steps` steps of dt [s]: `bound` is relative to the largest
/// velocity, and to the energies.
inline void check_mixed_precision(const packing::Packing& p, double dt, std::int64_t steps,
                                  double bound) {
    const auto exact = packing::make_packing_engine(p, dt, 1);
    const auto engine = packing::make_packing_engine(in_mixed_precision(p), dt, 1);
    const double before = energy_of(exact->totals()), start = energy_of(engine->totals());
    exact->advance(steps);
    engine->advance(steps);
    const packing::PackingTotals a = engine->totals(), b = exact->totals();
    const double scale = b.translational + b.rotational + b.stored_normal + b.dissipated_normal +
                         b.dissipated_tangential;
    const double velocity = largest_difference(engine->velocity(), exact->velocity());
    CHECK_ABSOLUTE(velocity, 0.0, bound);
    CHECK(velocity > 0.0);  // the floats were used
    CHECK_ABSOLUTE(largest_difference(engine->angular_velocity(), exact->angular_velocity()), 0.0,
                   bound);
    CHECK(exact->closed_contacts() > 0);
    CHECK(engine->closed_contacts() == exact->closed_contacts());
    CHECK_ABSOLUTE(a.stored_normal, b.stored_normal, bound * scale);
    CHECK_ABSOLUTE(a.stored_tangential, b.stored_tangential, bound * scale);
    CHECK_ABSOLUTE(a.dissipated_normal, b.dissipated_normal, bound * scale);
    CHECK_ABSOLUTE(a.dissipated_tangential, b.dissipated_tangential, bound * scale);
    CHECK_ABSOLUTE(a.external_work, b.external_work, bound * scale);
    CHECK_ABSOLUTE(energy_of(a) - start, energy_of(b) - before, bound * scale);
}

}  // namespace beadwave::validation
