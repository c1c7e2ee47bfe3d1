#include "packing_system/meeting_speed.hpp"

#include "beadwave/laws/impact_limit.hpp"
#include "packing/vector_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace beadwave::running {
namespace {

using packing::Packing;
using packing::Vec3;

/// [m^3]; in the plane particles without a length are spheres, too.
double volume_of(const Packing& p, std::size_t i) {
    if (p.has_shapes() || p.dimension == 3) return p.solid(i);
    if (p.has_line_contacts()) return p.solid(i) * p.length;
    return 4.0 / 3.0 * std::numbers::pi * std::pow(p.radius[i], 3);
}

double distance(const Vec3& a, const Vec3& b) {
    return std::sqrt(dot(a - b, a - b));
}

std::size_t alike_until(std::span<const Vec3>, std::size_t i) {
    return i + 1;
}

std::size_t alike_until(const packing::ParticleColumn<Vec3>& column, std::size_t i) {
    return column.alike_until(i);
}

}  // namespace

MeetingSpeeds::MeetingSpeeds(const Packing& packing) {
    packing.each_alike([&](std::size_t i, std::size_t end) {
        const double modulus = packing.species_list[packing.species[i]].elasticity.youngs_modulus;
        const double limit =
            laws::elastic_impact_speed(modulus, packing.mass[i] / volume_of(packing, i));
        limit_.append_alike(end - i, limit);
        limited_ = limited_ || std::isfinite(limit);
        still_ = still_ || packing.is_held(i);
    });
    still_ = still_ || !packing.walls.empty();
}

template <class Velocities>
MeetingSpeed MeetingSpeeds::fastest_of(const Velocities& velocity) const {
    MeetingSpeed fastest;
    const std::size_t n = std::min(velocity.size(), limit_.size());
    constexpr std::size_t few = 64;
    if (n <= few) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                fastest.keep_larger(
                    {distance(velocity[i], velocity[j]), std::min(limit_[i], limit_[j])});
            }
        }
    }
    Vec3 mean{};
    const auto each = [&](const auto& visit) {
        for (std::size_t i = 0, end = 0; i < n; i = end) {
            end = std::min(alike_until(velocity, i), limit_.alike_until(i));
            visit(Vec3(velocity[i]), i, end);
        }
    };
    each([&](const Vec3& v, std::size_t i, std::size_t end) {
        for (std::size_t k = i; k < end; ++k)
            mean += v;
    });
    mean = mean * (1.0 / static_cast<double>(std::max<std::size_t>(n, 1)));
    each([&](const Vec3& v, std::size_t i, std::size_t) {
        if (n > few) fastest.keep_larger({distance(v, mean), limit_[i]});
        if (still_) fastest.keep_larger({distance(v, {}), limit_[i]});
    });
    return fastest;
}

MeetingSpeed MeetingSpeeds::of(std::span<const Vec3> velocity) const {
    return fastest_of(velocity);
}

MeetingSpeed MeetingSpeeds::at_start(const Packing& packing) const {
    return fastest_of(packing.velocity);
}

std::optional<std::string> bursting_spin(const Packing& p) {
    const auto modulus_of = [&](std::size_t i) {
        return p.species_list[p.species[i]].elasticity.youngs_modulus;
    };
    std::size_t worst = 0;
    double most = 0.0;  // speed of the surface over that of waves
    p.each_alike([&](std::size_t i, std::size_t) {
        const double spin = packing::length_of(p.angular_velocity[i]), modulus = modulus_of(i);
        if (spin == 0.0 || !(modulus > 0.0)) return;
        const double part = p.radius[i] * spin * std::sqrt(p.mass[i] / volume_of(p, i) / modulus);
        if (part > most) most = part, worst = i;
    });
    if (most == 0.0) return std::nullopt;
    return laws::beyond_spin_limit(fmt::format("particle {}: a spin of", worst),
                                   packing::length_of(p.angular_velocity[worst]), p.radius[worst],
                                   modulus_of(worst), p.mass[worst] / volume_of(p, worst));
}

std::optional<std::string> fast_meeting(const Packing& packing, const MeetingSpeed& fastest) {
    if (packing.is_rigid()) return std::nullopt;  // its restitution is what the user measured
    return laws::beyond_impact_limit(packing.law.name, packing.has_line_contacts(),
                                     "a relative speed of", fastest.speed, fastest.limit);
}

}  // namespace beadwave::running
