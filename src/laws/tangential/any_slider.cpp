#include "laws/tangential/any_slider.hpp"

#include <cmath>

namespace beadwave::laws {

double effective_shear_modulus(const Elasticity& a, const Elasticity& b) {
    const auto compliance = [](const Elasticity& m) {
        return (2.0 - m.poisson_ratio) * 2.0 * (1.0 + m.poisson_ratio) / m.youngs_modulus;
    };
    return 1.0 / (compliance(a) + compliance(b));
}

bool needs_velocity(const AnySlider& slider) {
    return std::visit([]<class Slider>(const Slider&) { return Slider::needs_velocity; }, slider);
}

double tangential_stiffness(const AnySlider& slider, double overlap) {
    return std::visit([&](const auto& each) { return each.tangential_stiffness(overlap); }, slider);
}

double tangential_damping(const AnySlider& slider, double overlap) {
    return std::visit([&](const auto& each) { return each.tangential_damping(overlap); }, slider);
}

bool needs_stick_slip(const Friction& friction) {
    if (friction.law == FrictionLaw::none) return false;
    if (friction.static_coefficient || depends_on_slip_speed(friction)) return true;
    return friction.law != FrictionLaw::linear &&
           (friction.damping > 0.0 || friction.has_relative_damping());
}

AnySlider make_slider(const Friction& friction, double effective_radius, double shear_modulus,
                      const TangentialDashpot& dashpot, bool stick_slip) {
    const double stiffness = 8.0 * shear_modulus * std::sqrt(effective_radius);
    const double mu = friction.coefficient;
    const SlidingCoefficient<double> sliding = sliding_coefficient(friction);
    const bool plain = !stick_slip && !dashpot.acts() && !friction.static_coefficient &&
                       !depends_on_slip_speed(friction);
    const StickSlipNumbers<double> numbers{sliding, stiffness, dashpot.constant, dashpot.scaled};
    switch (friction.law) {
        case FrictionLaw::none:
        case FrictionLaw::coulomb:
            break;
        case FrictionLaw::linear:
            if (plain) return LinearSlider<double>{friction.stiffness, friction.damping, mu};
            return StickSlipLinear<double>{sliding, friction.stiffness, friction.damping};
        case FrictionLaw::mindlin:
            if (plain) return Mindlin<double>{stiffness, mu};
            return StickSlipMindlin<double>{numbers};
        case FrictionLaw::mindlin_displacement:
            if (plain) return MindlinDisplacement<double>{stiffness, mu};
            return StickSlipMindlinDisplacement<double>{numbers};
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
