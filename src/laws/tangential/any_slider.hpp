// All compiled tangential laws, and the functions that make them for a pair.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "laws/tangential/dashpot.hpp"
#include "laws/tangential/friction.hpp"
#include "laws/tangential/linear_slider.hpp"
#include "laws/tangential/mindlin.hpp"
#include "laws/tangential/rolling_slider.hpp"
#include "laws/tangential/stick_slip_linear.hpp"
#include "laws/tangential/stick_slip_mindlin.hpp"

#include <cstddef>
#include <variant>

namespace beadwave::laws {

/// A slider without tangential force.
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
    T tangential_damping(T) const { return T(0.0); }
    T stored_energy(T, const SliderMemory<T>&) const { return T(0.0); }
};

using AnySlider = std::variant<NoSlider<double>, LinearSlider<double>, Mindlin<double>,
                               MindlinDisplacement<double>, StickSlipLinear<double>,
                               StickSlipMindlin<double>, StickSlipMindlinDisplacement<double>>;

/// The last three: with a dashpot beside Mindlin's spring, with two coefficients of friction, or
/// with one that depends on the slip speed.
inline constexpr std::size_t plain_sliders = 4;

/// Whether the slider has a dashpot, which sees the velocity at the end of a step; its memory then
/// does not tell its whole force.
bool needs_velocity(const AnySlider& slider);
/// Stiffness and damping at rest [N/m]; [N s/m]. overlap [m].
double tangential_stiffness(const AnySlider& slider, double overlap);
double tangential_damping(const AnySlider& slider, double overlap);

/// G* [Pa]: 1/G* = (2 - nu_1)/G_1 + (2 - nu_2)/G_2 with G = E / (2 (1 + nu)).
double effective_shear_modulus(const Elasticity& a, const Elasticity& b);

/// Whether contacts with this friction need one of the sliders after the plain ones.
bool needs_stick_slip(const Friction& friction);

/// effective_radius [m], shear_modulus G* [Pa]. `stick_slip`: the slider is one after the plain
/// ones, even if this contact does not need it.
AnySlider make_slider(const Friction& friction, double effective_radius, double shear_modulus,
                      const TangentialDashpot& dashpot = {}, bool stick_slip = false);

/// effective_inertia [kg m^2]: I_1 I_2 / (I_1 + I_2).
RollingSlider<double> make_rolling(const Rolling& rolling, double effective_radius,
                                   double shear_modulus, double effective_inertia);

}  // namespace beadwave::laws
