#include "beadwave/laws/restitution.hpp"

#include "beadwave/laws/ma_liu.hpp"
#include "laws/root_between.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::laws {
namespace {

using std::numbers::pi;

constexpr double yield_pressure_ratio = 1.61;  // largest Hertz pressure at yield / sigma_y

double kinetic_energy(const Impact& i) {
    return 0.5 * i.contact.mass * i.speed * i.speed;
}

/// The overlap where loading along the Ma-Liu curve has done `work` [m].
double ma_liu_overlap(const MaLiuConstants& constants, double work) {
    const auto excess = [&](double overlap) {
        return ma_liu_loading_work(constants, overlap) - work;
    };
    double high = constants.overlap_yield;
    while (excess(high) < 0.0)
        high *= 2.0;
    return root_between(excess, 0.0, high);
}

}  // namespace

double yield_speed(const Contact& c, double pressure) {
    return std::sqrt(std::pow(pi * pressure, 5) * std::pow(c.radius, 3) /
                     (30.0 * std::pow(c.modulus, 4) * c.mass));
}

double ma_liu_loading_work(const MaLiuConstants& c, double overlap) {
    const double y = c.overlap_yield;
    const double to_yield = 0.4 * c.force_yield * y;
    if (overlap < y) return to_yield * std::pow(overlap / y, 2.5);
    const double d = std::min(overlap, c.overlap_plastic);
    const double to_plastic = to_yield + (0.5 * c.c1 - 0.25 * c.c2) * (d * d - y * y) +
                              0.5 * c.c2 * d * d * std::log(d / y) + c.c3 * (d - y);
    const double beyond = overlap - d;
    return to_plastic + beyond * (c.force_plastic + 0.5 * c.k1 * beyond);
}

namespace restitution {

double chang_ling(const Impact& i, double exponent) {
    const Contact& c = i.contact;
    const double pressure = (1.282 + 1.158 * *i.poisson_ratio) * c.yield_stress;
    const double critical = std::pow(0.5 * pi * pressure / c.modulus, 2) * c.radius;
    const double elastic_work = 0.4 * c.stiffness * std::pow(critical, 2.5);
    const double work = kinetic_energy(i);
    if (work <= elastic_work) return 1.0;
    const double slope = pi * pressure * c.radius;
    const double largest =
        0.5 * critical + std::sqrt(0.25 * critical * critical + (work - elastic_work) / slope);
    return std::sqrt(elastic_work * std::pow(2.0 * largest / critical - 1.0, exponent) / work);
}

double thornton(const Impact& i) {
    const double q =
        yield_speed(i.contact, yield_pressure_ratio * i.contact.yield_stress) / i.speed;
    if (q >= 1.0) return 1.0;
    return std::sqrt(1.2 * std::numbers::sqrt3) * std::sqrt(1.0 - q * q / 6.0) *
           std::pow(q / (q + 2.0 * std::sqrt(1.2 - 0.2 * q * q)), 0.25);
}

double wu(const Impact& i) {
    const Contact& c = i.contact;
    const double x = i.speed / yield_speed(c, yield_pressure_ratio * c.yield_stress);
    const double strain = c.yield_stress / c.modulus;
    const double meet = std::pow(0.62 / 2.08, 4) / (strain * strain);
    return std::min(1.0, x < meet ? 2.08 * std::pow(x, -0.25) : 0.62 / std::sqrt(x * strain));
}

double weir_tallon(const Impact& i) {
    const double ball_radius = std::cbrt(0.75 * i.contact.mass / (pi * *i.density));
    return weir_tallon(i, i.contact.radius / ball_radius);
}

double weir_tallon(const Impact& i, double radius_ratio) {
    const Contact& c = i.contact;
    const double sound_speed = std::sqrt(c.modulus / *i.density);
    return std::min(1.0, 3.1 * std::pow(c.yield_stress / c.modulus, 0.625) *
                             std::pow(radius_ratio, 0.375) * std::pow(sound_speed / i.speed, 0.25));
}

std::optional<double> jackson(const Impact& i) {
    const Contact& c = i.contact;
    const double x =
        i.speed / yield_speed(c, 1.295 * std::exp(0.736 * *i.poisson_ratio) * c.yield_stress);
    if (x > 1000.0) return std::nullopt;
    if (x <= 1.0) return 1.0;
    if (x <= 60.0) return 1.0 - 0.1 * std::log(x) * std::pow((x - 1.0) / 59.0, 0.156);
    return 1.0 - 0.1 * std::log(60.0) -
           0.1 * std::log(x / 60.0) * std::pow(x - 60.0, 2.36 * c.yield_stress / c.modulus);
}

double ma_liu(const Impact& i) {
    const Contact& c = i.contact;
    const MaLiuConstants m(c, i.psi, i.xi);
    const double radius =
        c.radius * c.stiffness * std::pow(m.overlap_plastic, 1.5) / m.force_plastic;
    return 0.81 * std::pow(c.modulus, -1.0 / 3.0) * std::pow(radius, -1.0 / 6.0) *
           std::pow(m.k1, 5.0 / 12.0) * std::pow(c.mass, -1.0 / 12.0) *
           std::pow(i.speed, -1.0 / 6.0);
}

double ma_liu_energy(const Impact& i) {
    const MaLiuConstants constants(i.contact, i.psi, i.xi);
    const double work = kinetic_energy(i);
    const double largest = ma_liu_overlap(constants, work);
    const MaLiu<double> law = make_ma_liu(i.contact, i.psi, i.xi);
    return std::sqrt(law.stored_energy(largest, law.respond(largest, 0.0, {}).memory) / work);
}

}  // namespace restitution
}  // namespace beadwave::laws
