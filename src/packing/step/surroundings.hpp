// What is around the particles of a running packing, in all back ends: how far the run is, walls,
// the box, what particles carry, and which of them are there.
#pragma once

#include "packing/box_motion.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing/flow/population.hpp"
#include "packing/packing.hpp"
#include "packing/walls/wall_loads.hpp"

#include <cstdint>

namespace beadwave::packing {

struct Surroundings {
    /// `time_step` [s].
    Surroundings(const Packing& of, double time_step)
        : packing(of),
          particles(of.particles()),
          dt(time_step),
          loads(packing, dt),
          box(packing, dt),
          elements(packing, dt),
          population(packing, dt) {}
    Surroundings(const Surroundings&) = delete;  // parts refer to the packing
    Surroundings& operator=(const Surroundings&) = delete;

    /// Fixed: also those that are absent. On ranks what is there per particle may be gone.
    Packing packing;
    const std::size_t particles;
    double dt;  ///< [s]
    std::int64_t step = 0;
    WallLoads loads;
    BoxMotion box;
    ElementStepper elements;
    Population population;

    double time() const { return static_cast<double>(step) * dt; }  ///< [s]
    /// Absent particles are held, and what they carry does nothing.
    void hold_absent() {
        if (!population.changes()) return;
        packing.fixed = population.held();
        elements.set_absent(population.absent());
    }
};

}  // namespace beadwave::packing
