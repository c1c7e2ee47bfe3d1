#include "beadwave/laws/line_force.hpp"

#include <limits>
#include <variant>

namespace beadwave::laws {
namespace {

/// Calls `function` with the spring as a value of its own form.
template <class Function>
double visit_numbers(double form, double a, double b, double c, const Function& function) {
    switch (static_cast<int>(form)) {
        case 0:
            return function(LogarithmicLine{.compliance = a, .force_scale = b, .offset = c});
        case 1:
            return function(LiuLine{.modulus_length = a, .radius_difference = b});
        case 2:
            return function(
                PerssonLine{.modulus_length = a, .radius_difference = b, .full = c != 0.0});
        default:
            return function(PowerLine{.stiffness = a, .exponent = b});
    }
}

struct Numbers {
    LineNumbers operator()(const LogarithmicLine& s) const {
        return {0.0, s.compliance, s.force_scale, s.offset};
    }
    LineNumbers operator()(const LiuLine& s) const {
        return {1.0, s.modulus_length, s.radius_difference, 0.0};
    }
    LineNumbers operator()(const PerssonLine& s) const {
        return {2.0, s.modulus_length, s.radius_difference, s.full ? 1.0 : 0.0};
    }
    LineNumbers operator()(const PowerLine& s) const { return {3.0, s.stiffness, s.exponent, 0.0}; }
};

/// Zero without overlap, NaN where the form ends.
template <class Value>
double within(double form, double a, double b, double c, double overlap, const Value& value) {
    if (!(overlap > 0.0)) return 0.0;
    return visit_numbers(form, a, b, c, [&](const auto& spring) {
        return overlap < spring.largest_overlap() ? value(spring)
                                                  : std::numeric_limits<double>::quiet_NaN();
    });
}

}  // namespace

LineNumbers numbers_of(const LineSpring& spring) {
    return std::visit(Numbers(), spring);
}

double line_force(double form, double a, double b, double c, double overlap) {
    return within(form, a, b, c, overlap,
                  [=](const auto& spring) { return spring.force(overlap); });
}

double line_energy(double form, double a, double b, double c, double overlap) {
    return within(form, a, b, c, overlap,
                  [=](const auto& spring) { return spring.stored_energy(overlap); });
}

}  // namespace beadwave::laws
