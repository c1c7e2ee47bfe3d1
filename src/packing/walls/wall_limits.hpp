// How fast walls with a load vibrate and how strongly they are damped: they limit the time step
// like the particles.
#pragma once

#include "packing/engine_state.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace beadwave::packing {

class WallLimits {
  public:
    explicit WallLimits(const Packing& packing)
        : packing_(packing), stiffness_(packing.walls.size()), damping_(packing.walls.size()) {
        for (std::size_t w = 0; w < packing.walls.size(); ++w) {
            if (const auto& load = packing.walls[w].load) damping_[w] = load->gain / load->mass;
        }
    }

    /// A contact with this stiffness [N/m] and damping [N s/m].
    void add(std::size_t wall, double stiffness, double damping) {
        const auto& load = packing_.walls[wall].load;
        if (!load) return;
        stiffness_[wall] += stiffness / load->mass;
        damping_[wall] += damping / load->mass;
    }

    /// Limits of these walls and of particles with stiffness [1/s^2] and damping [1/s] over mass.
    StabilityLimits limits_with(double stiffness, double damping) const {
        for (const double wall : stiffness_)
            stiffness = std::max(stiffness, wall);
        for (const double wall : damping_)
            damping = std::max(damping, wall);
        return {.frequency = std::sqrt(stiffness), .damping = damping};
    }

  private:
    const Packing& packing_;
    std::vector<double> stiffness_, damping_;
};

}  // namespace beadwave::packing
