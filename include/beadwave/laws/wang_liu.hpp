// Wang-Liu: the elastoplastic dashpot [WangLiu2022 Eq. (18), section 5.2].
//
//     F = K delta^(3/2) (1 + 8 (1-e)/(5 e) delta_dot/delta_dot_0)        delta <  delta_y (Flores)
//     F = S(delta)      (1 + 3 (1-e)/(2 e) delta_dot/delta_dot_0)        delta >= delta_y
//
// with K_p = (F(delta_p) - F(delta_y)) / (delta_p - delta_y) of the Ma-Liu loading curve and
//
//     printed      S = K_p delta                          jumps at delta_y (in the 70-bead steel
//                                                         chain from 1.98 N to 8.87 N)
//     continuous   S = F_y + K_p (delta - delta_y)        the elastic part is continuous; the two
//                                                         damping factors still differ by 16/15
//
// Stored: the integral of the elastic part. No tension unless `lowest_force` allows it.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/impact_speed.hpp"

namespace beadwave::laws {

template <class T, ImpactSpeed kind>
struct WangLiu {
    template <class U>
    using Rebind = WangLiu<U, kind>;
    using Memory = ImpactSpeedMemory<T, kind>;
    static constexpr bool conservative = false;

    T stiffness;              ///< K [N/m^1.5]
    T overlap_yield;          ///< delta_y [m]
    T plastic_stiffness;      ///< K_p [N/m]
    T force_offset;           ///< S(delta) - K_p delta [N]
    T elastic_damping;        ///< Flores, below delta_y; uniform [s/m] or per contact [-]
    T elastoplastic_damping;  ///< above delta_y; uniform [s/m] or per contact [-]
    T min_impact_speed;       ///< [m/s], per contact only
    T lowest_force;           ///< 0: no tension; -infinity: contact lasts to zero overlap

    static constexpr auto fields() {
        return std::make_tuple(&WangLiu::stiffness, &WangLiu::overlap_yield,
                               &WangLiu::plastic_stiffness, &WangLiu::force_offset,
                               &WangLiu::elastic_damping, &WangLiu::elastoplastic_damping,
                               &WangLiu::min_impact_speed, &WangLiu::lowest_force);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const auto [speed, next] = memory.scaled(overlap, approach_speed, min_impact_speed);
        const auto elastic = x < overlap_yield;
        const T spring =
            select(elastic, stiffness * power_3_2(x), plastic_stiffness * x + force_offset);
        const T damping = select(elastic, elastic_damping, elastoplastic_damping);
        return {max(spring * (T(1.0) + damping * speed), lowest_force), next};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        const T y = overlap_yield;
        const T elastic = T(0.4) * stiffness * x * power_3_2(x);
        const T beyond = T(0.4) * stiffness * y * power_3_2(y) +
                         (x - y) * (T(0.5) * plastic_stiffness * (x + y) + force_offset);
        return select(x < y, elastic, beyond);
    }

    bool ends_in_tension() const { return lowest_force < 0.0; }
};

}  // namespace beadwave::laws
