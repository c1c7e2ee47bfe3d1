// All numbers that an engine of chains gives, for comparisons to the bit.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "dynamics/tiled/tiled_engine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace beadwave::validation {

struct Outcome {
    std::vector<std::vector<double>> columns;
    std::array<double, 6> totals;
    bool operator==(const Outcome&) const = default;
};

inline Outcome outcome_of(dynamics::Engine& engine) {
    Outcome outcome;
    for (const auto column : {engine.displacement(), engine.velocity(), engine.contact_force()})
        outcome.columns.emplace_back(column.begin(), column.end());
    for (const dynamics::StateColumn& each : engine.state()) {
        if (std::string_view(each.name).starts_with("bond_broken"))
            outcome.columns.emplace_back(each.values.begin(), each.values.end());
    }
    const dynamics::Totals t = engine.totals();
    outcome.totals = {t.kinetic,       t.stored,   t.dissipated,
                      t.external_work, t.momentum, t.broken_energy};
    return outcome;
}

/// A copy of the state, as in a checkpoint.
inline std::vector<std::vector<double>> saved(dynamics::Engine& engine) {
    std::vector<std::vector<double>> columns;
    for (const dynamics::StateColumn& column : engine.state())
        columns.emplace_back(column.values.begin(), column.values.end());
    return columns;
}

inline void restore(dynamics::Engine& engine, const std::vector<std::vector<double>>& columns,
                    std::int64_t step) {
    const std::vector<dynamics::StateColumn> state = engine.state();
    REQUIRE(state.size() == columns.size());
    for (std::size_t k = 0; k < state.size(); ++k) {
        REQUIRE(state[k].values.size() == columns[k].size());
        std::ranges::copy(columns[k], state[k].values.begin());
    }
    engine.continue_at(step);
}

/// Both engines: a state after `before` steps goes on for `after` steps to the same bits in another
/// engine. Returns what the last engine gave at the cut.
inline Outcome check_continues(const chain::Chain& chain, double dt, std::int64_t before,
                               std::int64_t after, std::size_t tile) {
    Outcome at_cut;
    for (const bool plain : {false, true}) {
        CAPTURE(plain);
        const auto make = [&] {
            return plain ? dynamics::make_plain_engine(chain, dt)
                         : dynamics::make_tiled_engine(chain, dt, 1, {.beads = tile, .steps = 9});
        };
        const auto whole = make(), piece = make();
        dynamics::SensorTrace trace;
        whole->advance(before, trace);
        at_cut = outcome_of(*whole);
        restore(*piece, saved(*whole), whole->step());
        whole->advance(after, trace);
        piece->advance(after, trace);
        CHECK(outcome_of(*whole) == outcome_of(*piece));
    }
    return at_cut;
}

/// After `groups` of steps in these tiles.
inline Outcome tiled_outcome(const chain::Chain& chain, double dt, const dynamics::TileShape& shape,
                             int threads, const std::vector<std::int64_t>& groups) {
    const auto engine = dynamics::make_tiled_engine(chain, dt, threads, shape);
    dynamics::SensorTrace trace;
    for (const std::int64_t steps : groups)
        engine->advance(steps, trace);
    return outcome_of(*engine);
}

}  // namespace beadwave::validation
