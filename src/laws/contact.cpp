#include "beadwave/laws/contact.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace beadwave::laws {
namespace {

double compliance(const Elasticity& material) {
    return (1.0 - material.poisson_ratio * material.poisson_ratio) / material.youngs_modulus;
}

double softer_yield_stress(double a, double b) {
    if (a == 0.0 || b == 0.0) return std::max(a, b);
    return std::min(a, b);
}

double mean_poisson_ratio(const Elasticity& a, const Elasticity& b) {
    return 0.5 * (a.poisson_ratio + b.poisson_ratio);
}

double softer_poisson_ratio(const Elasticity& a, const Elasticity& b) {
    if (a.yield_stress == b.yield_stress) return mean_poisson_ratio(a, b);
    const double yields = softer_yield_stress(a.yield_stress, b.yield_stress);
    return a.yield_stress == yields ? a.poisson_ratio : b.poisson_ratio;
}

Contact contact_of(double radius, double mass, const Elasticity& a, const Elasticity& b) {
    const double modulus = effective_modulus(a, b);
    return {.radius = radius,
            .modulus = modulus,
            .mass = mass,
            .stiffness = hertz_stiffness(modulus, radius),
            .yield_stress = softer_yield_stress(a.yield_stress, b.yield_stress),
            .poisson_ratio = mean_poisson_ratio(a, b),
            .yielding_poisson_ratio = softer_poisson_ratio(a, b)};
}

std::array<ContactBody, 2> in_order(const ContactBody& a, const ContactBody& b) {
    const auto key = [](const ContactBody& body) {
        const Elasticity& m = body.material;
        return std::tuple(body.radius, m.youngs_modulus, m.poisson_ratio, m.yield_stress,
                          m.bulk_viscosity, m.shear_viscosity);
    };
    return key(b) < key(a) ? std::array{b, a} : std::array{a, b};
}

}  // namespace

double effective_modulus(const Elasticity& a, const Elasticity& b) {
    return 1.0 / (compliance(a) + compliance(b));
}

double hertz_stiffness(double modulus, double radius) {
    return 4.0 / 3.0 * modulus * std::sqrt(radius);
}

double effective_mass(double mass_1, double mass_2) {
    return 1.0 / (1.0 / mass_1 + 1.0 / mass_2);
}

double hertz_largest_overlap(double stiffness, double mass, double speed) {
    return std::pow(1.25 * mass * speed * speed / stiffness, 0.4);
}

double hertz_duration(double stiffness, double mass, double speed) {
    // 2 integral_0^1 dx / sqrt(1 - x^(5/2)) = (4/5) B(2/5, 1/2)
    constexpr double quadrature = 2.9432751843247047;
    return quadrature * hertz_largest_overlap(stiffness, mass, speed) / speed;
}

Contact sphere_contact(double radius_1, double mass_1, const Elasticity& material_1,
                       double radius_2, double mass_2, const Elasticity& material_2) {
    Contact contact = contact_of(1.0 / (1.0 / radius_1 + 1.0 / radius_2),
                                 effective_mass(mass_1, mass_2), material_1, material_2);
    contact.bodies = in_order({radius_1, material_1}, {radius_2, material_2});
    return contact;
}

Contact socket_contact(double ball_radius, double ball_mass, const Elasticity& ball,
                       double socket_radius, double socket_mass, const Elasticity& socket) {
    Contact contact = contact_of(1.0 / (1.0 / ball_radius - 1.0 / socket_radius),
                                 effective_mass(ball_mass, socket_mass), ball, socket);
    contact.bodies = in_order({ball_radius, ball}, {-socket_radius, socket});
    return contact;
}

Contact contact_of_radius(double radius, double axis_ratio, double mass_1,
                          const Elasticity& material_1, double mass_2,
                          const Elasticity& material_2) {
    Contact contact = contact_of(radius, effective_mass(mass_1, mass_2), material_1, material_2);
    contact.axis_ratio = axis_ratio;
    return contact;
}

}  // namespace beadwave::laws
