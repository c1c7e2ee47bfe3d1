// What a contact of a packing stores, by parts.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "laws/tangential/slider.hpp"
#include "packing/contacts/pair_laws.hpp"

namespace beadwave::packing {

/// The energy that a contact stores [J].
struct ContactEnergy {
    double normal = 0.0, sliding = 0.0, rolling = 0.0, twisting = 0.0;

    double tangential() const { return sliding + rolling + twisting; }
    bool empty() const { return normal == 0.0 && tangential() == 0.0; }
    ContactEnergy operator-() const { return {-normal, -sliding, -rolling, -twisting}; }
    void add(const ContactEnergy& other) {
        normal += other.normal;
        sliding += other.sliding;
        rolling += other.rolling;
        twisting += other.twisting;
    }
};

/// The memory of a contact's laws.
struct MemoryOfLaws {
    laws::AnyMemory normal{};
    laws::SliderMemory<double> sliding{}, rolling{};
};

/// `branch`: between the centres, of any length.
ContactEnergy contact_energy(const PairLaw& law, double overlap, const MemoryOfLaws& memory,
                             const Vec3& branch);

/// The part of a rolling resistance's memory that twists about the unit normal.
inline laws::SliderMemory<double> twisting_part(const laws::SliderMemory<double>& memory,
                                                const Vec3& normal) {
    return {dot(memory.vector, normal) * normal, memory.number};
}

}  // namespace beadwave::packing
