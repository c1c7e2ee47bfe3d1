// The numbers of a chain that its steps read, or derivatives by them: one per contact or bead.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/initial_state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace beadwave::gradients {

struct MotionNumbers {
    std::vector<std::vector<double>> law;  ///< one column per number of the law, per contact
    std::vector<double> gap;               ///< per contact [m]
    std::vector<double> mass;              ///< per bead [kg]
    std::vector<double> velocity;          ///< per bead, at the start [m/s]
    std::vector<double> load;              ///< per bead, constant, without its weight [N]
    double gravity = 0.0;                  ///< [m/s^2]
    double precompression = 0.0;           ///< [N]
    /// What beads carry. As derivatives: those by the numbers of springs, masses and pair forces.
    chain::Elements elements;
    std::optional<stepping::Drive> left_drive, right_drive;  ///< of the walls
    /// Distances of the centres of beads c - 1 and c at the start, per contact [m]; empty without
    /// pair forces.
    std::vector<double> spacing;
    // Only as derivatives, one number per step from step 0: by the forces over time, and by
    // displacement and velocity of the left wall, of driven beads, and of the right wall.
    std::vector<std::vector<double>> load_over_time, place_over_time, speed_over_time;

    explicit MotionNumbers(const chain::Chain& chain)
        : law(chain.contacts.columns()),
          gap(chain.gap),
          mass(chain.mass),
          velocity(chain.velocity),
          load(chain.beads(), 0.0),
          gravity(chain.gravity),
          elements(chain.elements),
          left_drive(chain.left_drive),
          right_drive(chain.right_drive) {
        chain::refuse_displaced(chain, "a gradient");
        for (const chain::Load& each : chain.loads)
            load[each.bead] += each.force;
        if (elements.pair_forces.empty()) return;
        spacing.assign(gap.size(), 0.0);
        for (std::size_t c = 1; c < mass.size(); ++c)
            spacing[c] = chain.radius[c - 1] + gap[c] + chain.radius[c];
    }

    /// The places of the left wall, of driven bead k, and of the right wall in lists over time.
    static constexpr std::size_t left_wall = 0;
    static std::size_t driven_bead(std::size_t k) { return k + 1; }
    std::size_t right_wall() const { return elements.driven.size() + 1; }

    /// Zeros for the derivatives by these numbers, of a run of so many steps.
    void clear(std::int64_t steps) {
        for (std::vector<double>& column : law)
            column.assign(column.size(), 0.0);
        for (std::vector<double>* column : {&gap, &mass, &velocity, &load})
            column->assign(column->size(), 0.0);
        spacing.assign(spacing.size(), 0.0);
        gravity = precompression = 0.0;
        for (chain::Foundation& each : elements.foundations)
            each.spring = {};
        for (chain::Resonator& each : elements.resonators) {
            each.mass = 0.0;
            each.spring = {};
        }
        for (chain::Bond& each : elements.bonds)
            each.stiffness = each.damping = each.stretch = 0.0;
        for (chain::PairForce& each : elements.pair_forces)
            each.force = 0.0;
        const std::vector<double> zeros(static_cast<std::size_t>(steps) + 1, 0.0);
        load_over_time.assign(elements.loads.size(), zeros);
        const bool walls = left_drive || right_drive;
        if (!walls && elements.driven.empty()) return;
        place_over_time.assign(elements.driven.size() + 2, zeros);
        speed_over_time = place_over_time;
    }
};

}  // namespace beadwave::gradients
