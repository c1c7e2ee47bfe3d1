// The impact speed delta_dot_0 that dashpot laws divide by: one number for all contacts, or each
// contact's own approach speed at the moment it closed.
//
// A chain starts just touching with zero approach speed, where delta_dot / delta_dot_0 is singular.
// So per-contact impact speeds have a lower limit.
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

enum class ImpactSpeed { uniform, per_contact };

/// Remembers nothing: the damping factors are already divided by the one impact speed.
template <class T, ImpactSpeed kind>
struct ImpactSpeedMemory : NoMemory {
    /// delta_dot itself [m/s], and the next memory.
    std::pair<T, ImpactSpeedMemory> scaled(T /*overlap*/, T approach_speed, T /*floor*/) const {
        return {approach_speed, *this};
    }
};

/// Remembers the impact speed of a closed contact; zero while the contact is open.
template <class T>
struct ImpactSpeedMemory<T, ImpactSpeed::per_contact> {
    T impact_speed;  ///< [m/s]

    static constexpr auto fields() { return std::make_tuple(&ImpactSpeedMemory::impact_speed); }

    /// delta_dot / delta_dot_0 [-], and the next memory.
    std::pair<T, ImpactSpeedMemory> scaled(T overlap, T approach_speed, T floor) const {
        const T now = select(impact_speed > T(0.0), impact_speed, max(approach_speed, floor));
        return {approach_speed / now, {select(overlap > T(0.0), now, T(0.0))}};
    }
};

}  // namespace beadwave::laws
