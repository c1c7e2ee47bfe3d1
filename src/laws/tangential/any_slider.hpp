// All compiled tangential laws, and the functions that make them for a pair.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "laws/tangential/friction.hpp"
#include "laws/tangential/linear_slider.hpp"
#include "laws/tangential/mindlin.hpp"
#include "laws/tangential/rolling_slider.hpp"

#include <variant>

namespace beadwave::laws {

/// No tangential force.
template <class T>
struct NoSlider {
    template <class U>
    using Rebind = NoSlider<U>;
    static constexpr bool needs_velocity = false;
    static constexpr auto fields() { return std::tuple<>(); }
    SliderResponse<T, SliderMemory<T>> respond(const Slide<T>&, const SliderMemory<T>&) const {
        return {{}, {}, T(0.0)};
    }
    T tangential_stiffness(T) const { return T(0.0); }
    T stored_energy(T, const SliderMemory<T>&) const { return T(0.0); }
};

using AnySlider = std::variant<NoSlider<double>, LinearSlider<double>, Mindlin<double>,
                               MindlinDisplacement<double>>;

/// G* [Pa]: 1/G* = (2 - nu_1)/G_1 + (2 - nu_2)/G_2 with G = E / (2 (1 + nu)).
double effective_shear_modulus(const Elasticity& a, const Elasticity& b);

/// effective_radius [m], shear_modulus G* [Pa].
AnySlider make_slider(const Friction& friction, double effective_radius, double shear_modulus);

/// effective_inertia [kg m^2]: I_1 I_2 / (I_1 + I_2).
RollingSlider<double> make_rolling(const Rolling& rolling, double effective_radius,
                                   double shear_modulus, double effective_inertia);

}  // namespace beadwave::laws
