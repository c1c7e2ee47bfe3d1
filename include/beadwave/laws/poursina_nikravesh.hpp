// Poursina-Nikravesh: linear damping on a spring of any exponent n in [1, 2].
//
//     F = K delta^n + c delta_dot,   delta > 0                       [Poursina2020 Eqs (7), (49)]
//     c = kappa (K delta_dot_0^(n-1) m^n)^(1/(n+1))
//
// Contact ends at zero force in restitution, at the residual overlap (c e delta_dot_0 / K)^(1/n).
// The output restitution depends on n and kappa alone. Two choices of kappa(n, e):
//
//     fit       alpha (e^beta - 1),  alpha = 0.3331 n^4 - 1.48 n^3 + 3.077 n^2 - 2.306 n + 1.794,
//                                    beta = 1.285 n^0.2553 - 1.725      [Eqs (46), (47), (49)]
//     optimal   found so that e is returned exactly                     [Eq. (23)]
//
// With one impact speed for all contacts c is a constant and the kernel is SpringDashpot or
// PowerDashpot. Here the memory of every contact is the c of its own impact. The force jumps to
// c delta_dot_0 at closing. The spring stores K delta^(n+1) / (n+1).
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct PoursinaNikravesh {
    template <class U>
    using Rebind = PoursinaNikravesh<U>;
    static constexpr bool conservative = false;

    struct Memory {
        T damping;  ///< c of this contact [N s/m]; zero while it is open

        static constexpr auto fields() { return std::make_tuple(&Memory::damping); }
    };

    T stiffness;         ///< K [N/m^n]
    T exponent;          ///< n [-]
    T damping;           ///< c at delta_dot_0 = 1 m/s [N s/m]
    T speed_exponent;    ///< (n - 1) / (n + 1) [-]
    T min_impact_speed;  ///< [m/s]

    static constexpr auto fields() {
        return std::make_tuple(&PoursinaNikravesh::stiffness, &PoursinaNikravesh::exponent,
                               &PoursinaNikravesh::damping, &PoursinaNikravesh::speed_exponent,
                               &PoursinaNikravesh::min_impact_speed);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const auto open = overlap <= T(0.0);
        const auto closes = select(open, T(1.0), memory.damping) <= T(0.0);
        T own = memory.damping;
        if (any(closes)) {
            const T impact_speed = max(approach_speed, min_impact_speed);
            own = select(closes, damping * parameter_power(impact_speed, speed_exponent), own);
        }
        const T force = stiffness * parameter_power(x, exponent) + own * approach_speed;
        return {select(open, T(0.0), max(force, T(0.0))), {select(open, T(0.0), own)}};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return stiffness * x * parameter_power(x, exponent) / (exponent + T(1.0));
    }

    bool ends_in_tension() const { return false; }
};

/// kappa of the paper's fit [-]; restitution in (0, 1], exponent in [1, 2].
double poursina_fit(double restitution, double exponent);

/// kappa that returns the restitution exactly [-]; restitution in [1e-4, 1], exponent in [1, 2].
double poursina_optimum(double restitution, double exponent);

}  // namespace beadwave::laws
