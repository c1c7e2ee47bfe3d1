// Elastoplastic contacts: a curve of first loading, and an unloading path that starts on it.
//
//     loading                 F = F_L(delta)                  delta > delta_max
//     unloading, reloading    F = K_u (delta - delta_r)^n     delta_r < delta <= delta_max
//     detached                F = 0                           delta <= delta_r
//
// with delta_max the largest overlap that this contact ever had and delta_r its residual overlap.
// Reloading follows the unloading path up to the old maximum and then the loading curve. The memory
// survives separation: the dent stays, and a later contact begins at delta_r.
//
// A law is a curve (the headers in elastoplastic/): its loading force and, for a turn (the start of
// unloading) at (delta_max, F_max), the recovered span delta_e = delta_max - delta_r. K_u follows
// from continuity of the force at the turn, so no curve can get that wrong. The slope changes at
// the turn on purpose.
//
// Stored: the integral of the unloading path, K_u (delta - delta_r)^(n+1) / (n+1). Dissipated so
// far: D = W_L - F_max delta_e / (n+1), W_L being the work of the loading curve. Some printed laws
// make D negative, or let it fall while delta_max grows: they create energy. Their curves bound
// delta_e by
//
//     delta_e <= (n+1) (W_L - D*) / F_max,     D* = the largest D met so far, not below 0
//
// so that D >= 0 and D never falls. The header of each curve says so, and where the bound is
// active.
//
// Contact ends at zero force, at delta = delta_r.
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

#include <type_traits>

namespace beadwave::laws {

/// x^y in two parts; vectors start with the logarithm. The second part has the bits of pow().
template <class T>
PowersNotStarted start_pow(const T& /*x*/) {
    return {};
}
template <class T>
T finish_pow(PowersNotStarted, const T& x, const T& y) {
    return pow(x, y);
}

/// Unloading with n = 3/2: a Hertz contact of changed radius.
struct HertzUnloading {
    /// F / K_u [m^1.5].
    template <class Curve, class T>
    static T force(const Curve&, T overlap, T /*largest*/, T residual) {
        return power_3_2(max(overlap - residual, T(0.0)));
    }
    /// U / K_u [m^2.5].
    template <class Curve, class T>
    static T energy(const Curve&, T overlap, T /*largest*/, T residual) {
        const T recovered = max(overlap - residual, T(0.0));
        return T(0.4) * recovered * power_3_2(recovered);
    }
};

/// Unloading with n = 1: a straight line.
struct LinearUnloading {
    /// F / K_u [m].
    template <class Curve, class T>
    static T force(const Curve&, T overlap, T /*largest*/, T residual) {
        return max(overlap - residual, T(0.0));
    }
    /// U / K_u [m^2].
    template <class Curve, class T>
    static T energy(const Curve&, T overlap, T /*largest*/, T residual) {
        const T recovered = max(overlap - residual, T(0.0));
        return T(0.5) * recovered * recovered;
    }
};

/// Unloading with the curve's parameter `exponent`.
struct PowerUnloading {
    /// F / K_u [m^n].
    template <class Curve, class T>
    static T force(const Curve& curve, T overlap, T /*largest*/, T residual) {
        return parameter_power(max(overlap - residual, T(0.0)), curve.exponent);
    }
    /// U / K_u [m^(n+1)].
    template <class Curve, class T>
    static T energy(const Curve& curve, T overlap, T /*largest*/, T residual) {
        const T recovered = max(overlap - residual, T(0.0));
        return recovered * parameter_power(recovered, curve.exponent) / (curve.exponent + T(1.0));
    }
};

/// Unloading with an exponent that the turn decides, `unloading_exponent(largest)` of the curve.
/// The memory keeps it, because it is as expensive as the force.
struct TurnPowerUnloading {
    template <class T>
    static T recovered(T overlap, T residual) {
        return max(overlap - residual, T(0.0));
    }
    /// F / K_u [m^n].
    template <class T>
    static T force(T overlap, T residual, T exponent) {
        return pow(recovered(overlap, residual), exponent);
    }
    /// U / K_u [m^(n+1)].
    template <class T>
    static T energy(T overlap, T residual, T exponent) {
        return recovered(overlap, residual) * force(overlap, residual, exponent) /
               (exponent + T(1.0));
    }
};

/// A law from its curve. Curve<T> holds the parameters and provides
///     fields()                       its numbers, as in response.hpp
///     Unloading                      one of the shapes above, or its own
///     loading_force(x)               F_L [N] at an overlap x >= 0 [m]
///     recovered_span(largest, F_L)   delta_e [m], in (0, largest]; the whole of it while elastic
template <template <class> class Curve, class T>
struct Elastoplastic : Curve<T> {
    template <class U>
    using Rebind = Elastoplastic<Curve, U>;
    static constexpr bool conservative = false;

    struct PathMemory {
        T largest_overlap;      ///< delta_max [m]
        T residual_overlap;     ///< delta_r [m]
        T unloading_stiffness;  ///< K_u [N/m^n]

        static constexpr auto fields() {
            return std::make_tuple(&PathMemory::largest_overlap, &PathMemory::residual_overlap,
                                   &PathMemory::unloading_stiffness);
        }
    };
    struct ExponentMemory {
        T largest_overlap, residual_overlap, unloading_stiffness;
        T exponent;  ///< n [-]

        static constexpr auto fields() {
            return std::make_tuple(&ExponentMemory::largest_overlap,
                                   &ExponentMemory::residual_overlap,
                                   &ExponentMemory::unloading_stiffness, &ExponentMemory::exponent);
        }
    };
    static constexpr bool turn_decides =
        std::is_same_v<typename Curve<T>::Unloading, TurnPowerUnloading>;
    using Memory = std::conditional_t<turn_decides, ExponentMemory, PathMemory>;

    T unloading_force(T overlap, Memory memory) const {
        return memory.unloading_stiffness * path(overlap, memory);
    }

    /// unloading_force() in two parts, for unloading curves that take a power.
    static auto start_unloading(T overlap, const Memory& memory) requires turn_decides {
        return start_pow(TurnPowerUnloading::recovered(overlap, memory.residual_overlap));
    }
    template <class Started>
    static T finish_unloading(Started started, T overlap,
                              const Memory& memory) requires turn_decides {
        const T recovered = TurnPowerUnloading::recovered(overlap, memory.residual_overlap);
        return memory.unloading_stiffness * finish_pow(started, recovered, memory.exponent);
    }

    Response<T, Memory> respond(T overlap, T /*approach_speed*/, Memory memory) const {
        const T unloading = unloading_force(overlap, memory);
        const auto loading = overlap > memory.largest_overlap;
        if (!any(loading)) return {unloading, memory};

        Memory turn{};
        const T x = max(overlap, T(0.0));
        const T force = this->loading_force(x);
        turn.largest_overlap = x;
        if constexpr (turn_decides) {
            turn.exponent = this->unloading_exponent(x);
            turn.residual_overlap = max(x - this->recovered_span(x, force, turn.exponent), T(0.0));
        } else {
            turn.residual_overlap = max(x - this->recovered_span(x, force), T(0.0));
        }
        // The smallest overlaps underflow in the power; their force does too.
        turn.unloading_stiffness = force / max(path(x, turn), T(1e-300));
        memory.largest_overlap = select(loading, turn.largest_overlap, memory.largest_overlap);
        memory.residual_overlap = select(loading, turn.residual_overlap, memory.residual_overlap);
        memory.unloading_stiffness =
            select(loading, turn.unloading_stiffness, memory.unloading_stiffness);
        if constexpr (turn_decides)
            memory.exponent = select(loading, turn.exponent, memory.exponent);
        return {select(loading, force, unloading), memory};
    }

    T stored_energy(T overlap, Memory memory) const {
        using Shape = typename Curve<T>::Unloading;
        if constexpr (turn_decides) {
            return memory.unloading_stiffness *
                   Shape::energy(overlap, memory.residual_overlap, memory.exponent);
        } else {
            return memory.unloading_stiffness *
                   Shape::energy(*this, overlap, memory.largest_overlap, memory.residual_overlap);
        }
    }

    bool ends_in_tension() const { return false; }

  private:
    T path(T overlap, const Memory& memory) const {
        using Shape = typename Curve<T>::Unloading;
        if constexpr (turn_decides) {
            return Shape::force(overlap, memory.residual_overlap, memory.exponent);
        } else {
            return Shape::force(*this, overlap, memory.largest_overlap, memory.residual_overlap);
        }
    }
};

}  // namespace beadwave::laws
