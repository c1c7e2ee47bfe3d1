// The numbers of a chain that its steps read, or derivatives by them: one per contact or bead.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/initial_state.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::gradients {

struct MotionNumbers {
    std::vector<std::vector<double>> law;  ///< one column per number of the law, per contact
    std::vector<double> gap;               ///< per contact [m]
    std::vector<double> mass;              ///< per bead [kg]
    std::vector<double> velocity;          ///< per bead, at the start [m/s]
    std::vector<double> load;              ///< per bead, constant, without its weight [N]
    double gravity = 0.0;                  ///< [m/s^2]

    explicit MotionNumbers(const chain::Chain& chain)
        : law(chain.contacts.columns()),
          gap(chain.gap),
          mass(chain.mass),
          velocity(chain.velocity),
          load(chain.beads(), 0.0),
          gravity(chain.gravity) {
        chain::refuse_displaced(chain, "a gradient");
        for (const chain::Load& each : chain.loads)
            load[each.bead] += each.force;
    }

    /// Zeros for the derivatives by these numbers.
    void clear() {
        for (std::vector<double>& column : law)
            column.assign(column.size(), 0.0);
        for (std::vector<double>* column : {&gap, &mass, &velocity, &load})
            column->assign(column->size(), 0.0);
        gravity = 0.0;
    }
};

}  // namespace beadwave::gradients
