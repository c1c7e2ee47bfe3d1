// Ma-Liu: an elastoplastic sphere contact with a memory of its largest overlap [WangLiu2022 Eqs
// (1)-(5)].
//
// Loading:             F = K delta^(3/2)                              delta < delta_y
//                      F = delta (c1 + c2 ln(delta/delta_y)) + c3     delta_y <= delta < delta_p
//                      F = F_p + k1 (delta - delta_p)                 delta_p <= delta
// Unloading/reloading: F = K_u (delta - delta_r)^(3/2)                up to the old maximum
//
// Unloading is Hertzian with the flattened radius R_u: K_u = (4/3) E sqrt(R_u). R_u / R is the
// Hertz force over the loading force, both at delta_max in the elastoplastic phase and both at
// delta_p in the plastic phase. (The paper's Eq. (4) prints the Hertz force at delta_y; only
// delta_max gives its coefficients of restitution.) The residual overlap delta_r makes the force
// continuous where unloading begins. In the elastoplastic phase this gives the closed form
// delta_r = delta_max - F_max / (K sqrt(delta_max)).
//
// Stored: (2/5) K_u (delta - delta_r)^(5/2). Contact ends at zero force, at delta = delta_r.
#pragma once

#include "beadwave/laws/ma_liu_constants.hpp"
#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct MaLiu {
    template <class U>
    using Rebind = MaLiu<U>;
    static constexpr bool conservative = false;

    struct Memory {
        T largest_overlap;      ///< delta_max [m]
        T residual_overlap;     ///< delta_r [m]
        T unloading_stiffness;  ///< K_u [N/m^1.5]

        static constexpr auto fields() {
            return std::make_tuple(&Memory::largest_overlap, &Memory::residual_overlap,
                                   &Memory::unloading_stiffness);
        }
    };

    T stiffness;                    ///< K [N/m^1.5]
    T inverse_stiffness;            ///< 1/K [m^1.5/N]
    T overlap_yield;                ///< delta_y [m]
    T inverse_overlap_yield;        ///< 1/delta_y [1/m]
    T overlap_plastic;              ///< delta_p [m]
    T c1, c2;                       ///< [N/m]
    T c3;                           ///< [N]
    T k1;                           ///< [N/m]
    T force_plastic;                ///< F_p [N]
    T plastic_unloading_stiffness;  ///< K_u of the plastic phase [N/m^1.5]

    static constexpr auto fields() {
        return std::make_tuple(&MaLiu::stiffness, &MaLiu::inverse_stiffness, &MaLiu::overlap_yield,
                               &MaLiu::inverse_overlap_yield, &MaLiu::overlap_plastic, &MaLiu::c1,
                               &MaLiu::c2, &MaLiu::c3, &MaLiu::k1, &MaLiu::force_plastic,
                               &MaLiu::plastic_unloading_stiffness);
    }

    T unloading_force(T overlap, Memory memory) const {
        return memory.unloading_stiffness * power_3_2(overlap - memory.residual_overlap);
    }

    Response<T, Memory> respond(T overlap, T /*approach_speed*/, Memory memory) const {
        const auto loading = overlap > memory.largest_overlap;
        if (!any(loading)) return {unloading_force(overlap, memory), memory};

        // Phases that no lane is in are skipped.
        T unloading(0.0), force(0.0);
        if (any(!loading)) unloading = unloading_force(overlap, memory);
        if (any(loading && !(overlap >= overlap_yield))) force = stiffness * power_3_2(overlap);
        Memory turn{overlap, T(0.0), stiffness};
        if (any(loading && overlap >= overlap_yield)) {
            const auto elastic = overlap < overlap_yield;
            const T x = max(overlap, overlap_yield);
            const T inverse_root = inverse_sqrt(x);
            const T elastoplastic = x * (c1 + c2 * log(x * inverse_overlap_yield)) + c3;
            const T recovered =
                elastoplastic * inverse_stiffness * inverse_root;            // delta_max - delta_r
            const T inverse_part = recovered * inverse_root * inverse_root;  // R / R_u
            force = select(elastic, force, elastoplastic);
            turn.residual_overlap = select(elastic, T(0.0), overlap - recovered);
            turn.unloading_stiffness =
                select(elastic, stiffness, stiffness * inverse_sqrt(inverse_part));
        }
        if (any(loading && overlap >= overlap_plastic)) {
            const auto plastic = overlap >= overlap_plastic;
            const T line = force_plastic + k1 * (overlap - overlap_plastic);
            const T root = cbrt(line / plastic_unloading_stiffness);
            force = select(plastic, line, force);
            turn.residual_overlap = select(plastic, overlap - root * root, turn.residual_overlap);
            turn.unloading_stiffness =
                select(plastic, plastic_unloading_stiffness, turn.unloading_stiffness);
        }
        return {select(loading, force, unloading),
                {select(loading, turn.largest_overlap, memory.largest_overlap),
                 select(loading, turn.residual_overlap, memory.residual_overlap),
                 select(loading, turn.unloading_stiffness, memory.unloading_stiffness)}};
    }

    T stored_energy(T overlap, Memory memory) const {
        const T recovered = max(overlap - memory.residual_overlap, T(0.0));
        return T(0.4) * memory.unloading_stiffness * recovered * power_3_2(recovered);
    }

    bool ends_in_tension() const { return false; }
};

/// The law of one contact; psi and xi as in MaLiuConstants.
MaLiu<double> make_ma_liu(const Contact& contact, double psi, double xi);

}  // namespace beadwave::laws
