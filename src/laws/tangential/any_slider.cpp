#include "laws/tangential/any_slider.hpp"

#include <cmath>

namespace beadwave::laws {

double effective_shear_modulus(const Elasticity& a, const Elasticity& b) {
    const auto compliance = [](const Elasticity& m) {
        return (2.0 - m.poisson_ratio) * 2.0 * (1.0 + m.poisson_ratio) / m.youngs_modulus;
    };
    return 1.0 / (compliance(a) + compliance(b));
}

AnySlider make_slider(const Friction& friction, double effective_radius, double shear_modulus) {
    const double stiffness = 8.0 * shear_modulus * std::sqrt(effective_radius);
    switch (friction.law) {
        case FrictionLaw::none:
            break;
        case FrictionLaw::linear:
            return LinearSlider<double>{friction.stiffness, friction.damping, friction.coefficient};
        case FrictionLaw::mindlin:
            return Mindlin<double>{stiffness, friction.coefficient};
        case FrictionLaw::mindlin_displacement:
            return MindlinDisplacement<double>{stiffness, friction.coefficient};
    }
    return NoSlider<double>{};
}

RollingSlider<double> make_rolling(const Rolling& rolling, double effective_radius,
                                   double shear_modulus, double effective_inertia) {
    const double r = effective_radius;
    return {.stiffness = r * r * 8.0 * shear_modulus * std::sqrt(r),
            .rolling = rolling.coefficient * r,
            .twisting = rolling.twisting_coefficient * r,
            .damping = rolling.damping_ratio * 2.0 * std::sqrt(effective_inertia)};
}

}  // namespace beadwave::laws
