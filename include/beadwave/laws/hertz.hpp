// Hertz: two elastic spheres.
//
//     F = K delta^(3/2),   K = (4/3) E sqrt(R)        [WangLiu2022 Eq. (1), first line]
//
// with the effective modulus 1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2 and the effective radius
// 1/R = 1/R_1 + 1/R_2. All of the work is stored: U = (2/5) K delta^(5/2).
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct Hertz {
    template <class U>
    using Rebind = Hertz<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = true;

    T stiffness;  ///< K [N/m^1.5]

    static constexpr auto fields() { return std::make_tuple(&Hertz::stiffness); }

    Response<T, Memory> respond(T overlap, T /*approach_speed*/, Memory memory) const {
        return {stiffness * power_3_2(overlap), memory};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return T(0.4) * stiffness * x * power_3_2(x);
    }

    bool ends_in_tension() const { return false; }
};

}  // namespace beadwave::laws
