// Runs of a packing that have the same bits on any number of threads, and resumed at any step.
#pragma once

#include "packing/packing_engine.hpp"
#include "saved_packings.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace beadwave::validation {

inline void check_same_state(const packing::PackingEngine& engine,
                             const packing::PackingEngine& expected) {
    CHECK(engine.displacement() == expected.displacement());
    CHECK(engine.velocity() == expected.velocity());
    CHECK(engine.angular_velocity() == expected.angular_velocity());
    for (std::size_t w = 0; w < expected.walls().size(); ++w)
        CHECK(engine.walls()[w].displacement == expected.walls()[w].displacement);
    CHECK(engine.box().edges.of == expected.box().edges.of);
    const packing::PackingTotals a = engine.totals(), b = expected.totals();
    CHECK(a.external_work == b.external_work);
    CHECK(a.inflow_energy == b.inflow_energy);
    CHECK(a.dissipated_normal == b.dissipated_normal);
    CHECK(a.dissipated_tangential == b.dissipated_tangential);
    CHECK(engine.population().numbers() == expected.population().numbers());
}

/// `at`: steps at which runs stop and go on, in ascending order: at the first one with three
/// threads in place of one, at the others with two in place of three; the plain engine at the
/// second one.
inline void check_resumed_bits(const packing::Packing& p, double dt,
                               const std::vector<std::int64_t>& at, std::int64_t end) {
    const auto one = packing::make_packing_engine(p, dt, 1),
               three = packing::make_packing_engine(p, dt, 3);
    one->advance(at.front());
    restore(*three, at.front(), saved(*one));
    one->advance(end - at.front());
    for (const std::int64_t step : at) {
        three->advance(step - three->step());
        const SavedPacking columns = saved(*three);
        const auto resumed = packing::make_packing_engine(p, dt, 2);
        restore(*resumed, step, columns);
        resumed->advance(end - step);
        check_same_state(*resumed, *one);
    }
    three->advance(end - three->step());
    check_same_state(*three, *one);

    const auto plain = packing::make_plain_packing_engine(p, dt),
               again = packing::make_plain_packing_engine(p, dt);
    plain->advance(at[1]);
    restore(*again, at[1], saved(*plain));
    plain->advance(300);
    again->advance(300);
    check_same_state(*again, *plain);
}

}  // namespace beadwave::validation
