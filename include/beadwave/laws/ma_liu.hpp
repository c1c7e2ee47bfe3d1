// Ma-Liu: an elastoplastic sphere contact with a memory of its largest overlap [WangLiu2022 Eqs (1)-(5)].
//
// Loading:             F = K delta^(3/2)                              delta < delta_y
//                      F = delta (c1 + c2 ln(delta/delta_y)) + c3     delta_y <= delta < delta_p
//                      F = F_p + k1 (delta - delta_p)                 delta_p <= delta
// Unloading/reloading: F = K_u (delta - delta_r)^(3/2)                up to the old maximum
//
// Unloading is Hertzian with the flattened radius R_u: K_u = (4/3) E sqrt(R_u). R_u / R is the Hertz
// force over the loading force, both at delta_max in the elastoplastic phase and both at delta_p in
// the plastic phase. (The paper's Eq. (4) prints the Hertz force at delta_y; only delta_max gives
// its coefficients of restitution.) The residual overlap delta_r makes the force continuous where
// loading turns into unloading. In the elastoplastic phase that is in closed form
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
    T overlap_yield;                ///< delta_y [m]
    T overlap_plastic;              ///< delta_p [m]
    T c1, c2;                       ///< [N/m]
    T c3;                           ///< [N]
    T k1;                           ///< [N/m]
    T force_plastic;                ///< F_p [N]
    T plastic_unloading_stiffness;  ///< K_u of the plastic phase [N/m^1.5]

    static constexpr auto fields() {
        return std::make_tuple(&MaLiu::stiffness, &MaLiu::overlap_yield, &MaLiu::overlap_plastic,
                               &MaLiu::c1, &MaLiu::c2, &MaLiu::c3, &MaLiu::k1, &MaLiu::force_plastic,
                               &MaLiu::plastic_unloading_stiffness);
    }

    T loading_force(T overlap) const {
        const T x = at_least(overlap, T(0.0));
        const T in_log = at_least(overlap, overlap_yield) / overlap_yield;
        const T elastoplastic = x * (c1 + c2 * log(in_log)) + c3;
        const T plastic = force_plastic + k1 * (x - overlap_plastic);
        return select(x < overlap_yield, stiffness * power_3_2(x),
                      select(x < overlap_plastic, elastoplastic, plastic));
    }

    Response<T, Memory> respond(T overlap, T /*approach_speed*/, Memory memory) const {
        const auto loading = overlap > memory.largest_overlap;
        const T unloading = memory.unloading_stiffness * power_3_2(overlap - memory.residual_overlap);
        if (!any(loading)) return {unloading, memory};

        const T force = loading_force(overlap);
        const Memory turned = turn(overlap, force);
        return {select(loading, force, unloading),
                {select(loading, turned.largest_overlap, memory.largest_overlap),
                 select(loading, turned.residual_overlap, memory.residual_overlap),
                 select(loading, turned.unloading_stiffness, memory.unloading_stiffness)}};
    }

    T stored_energy(T overlap, Memory memory) const {
        const T recovered = at_least(overlap - memory.residual_overlap, T(0.0));
        return T(0.4) * memory.unloading_stiffness * recovered * power_3_2(recovered);
    }

    bool ends_in_tension() const { return false; }

   private:
    /// The unloading path from a largest overlap where the loading force is `force`.
    Memory turn(T overlap, T force) const {
        const T x = at_least(overlap, overlap_yield);  // lanes below yield are replaced below
        const T hertz = stiffness * power_3_2(x);
        const T in_plastic = cbrt(force / plastic_unloading_stiffness);
        const auto elastic = overlap < overlap_yield;
        const auto elastoplastic = overlap < overlap_plastic;
        return {overlap,
                select(elastic, T(0.0),
                       select(elastoplastic, overlap - force / (stiffness * sqrt(x)),
                              overlap - in_plastic * in_plastic)),
                select(elastic, stiffness,
                       select(elastoplastic, stiffness * sqrt(hertz / force),
                              plastic_unloading_stiffness))};
    }
};

/// The law of one contact; psi and xi as in MaLiuConstants.
MaLiu<double> make_ma_liu(const Contact& contact, double psi, double xi);

}  // namespace beadwave::laws
