// What particles carry, as they come and leave: what they bring and take along, in both engines.
#pragma once

#include "packing/elements/element_stepper.hpp"
#include "packing/flow/population.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::packing {

/// Ends the bonds of particles that leave, which take along what is stored in them. One flag per
/// particle.
inline void release_bonds(ElementStepper& elements, Population& population,
                          const std::vector<char>& leaves) {
    for (const std::uint32_t bond : elements.bonds_of(leaves)) {
        population.take_stored(elements.bonds().stored(bond));
        elements.bonds().release(bond);
    }
}

/// What a particle carries leaves with it. `displacement`: from the start [m].
inline void take_carried(const ElementStepper& elements, Population& population,
                         std::size_t particle, const Vec3& displacement) {
    if (const std::uint32_t c = elements.carrier_of(particle); c != ElementStepper::none)
        population.take(elements.carried(c, displacement));
}

/// What a poured particle carries comes with it, at its velocity.
inline void bring_carried(ElementStepper& elements, Population& population, std::size_t particle,
                          const Vec3& displacement) {
    const std::uint32_t c = elements.carrier_of(particle);
    if (c == ElementStepper::none) return;
    elements.enter(c, displacement, population.velocity(particle));
    population.bring(elements.carried(c, displacement));
}

}  // namespace beadwave::packing
