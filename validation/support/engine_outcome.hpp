// All numbers that an engine of chains gives, for comparisons to the bit.
#pragma once

#include "beadwave/dynamics/engine.hpp"

#include <array>
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

}  // namespace beadwave::validation
