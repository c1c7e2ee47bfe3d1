#include "packing_system/meeting_speed.hpp"

#include "beadwave/laws/impact_limit.hpp"
#include "packing/vector_length.hpp"
#include "ranks/communicator.hpp"
#include "ranks/exact_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

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

MeetingSpeed MeetingSpeeds::among_few(const packing::PackingEngine& engine,
                                      ranks::Communicator* ranks) const {
    struct Body {
        Vec3 velocity;
        double limit;
    };
    std::vector<Body> all;
    engine.visit_velocities([&](std::size_t i, const Vec3& v) { all.push_back({v, limit_[i]}); });
    if (ranks != nullptr) {
        const auto of_ranks = ranks->gather_numbers_to_all<Body>(all);
        all.clear();
        for (const std::vector<Body>& theirs : of_ranks)
            all.insert(all.end(), theirs.begin(), theirs.end());
    }
    MeetingSpeed fastest;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [velocity, limit] = all[i];
        for (std::size_t j = 0; j < i; ++j) {
            fastest.keep_larger(
                {distance(velocity, all[j].velocity), std::min(limit, all[j].limit)});
        }
        if (still_) fastest.keep_larger({distance(velocity, {}), limit});
    }
    return fastest;
}

MeetingSpeed MeetingSpeeds::of(const packing::PackingEngine& engine,
                               ranks::Communicator* ranks) const {
    constexpr std::size_t few = 64;
    if (limit_.size() <= few) return among_few(engine, ranks);
    // Exact, so that it is the same on any number of ranks.
    std::array<ranks::ExactSum, 4> sums;
    engine.visit_velocities([&](std::size_t, const Vec3& v) {
        sums[0].add(v.x), sums[1].add(v.y), sums[2].add(v.z), sums[3].add(1.0);
    });
    ranks::add_up(ranks, sums);
    const double count = std::max(sums[3].value(), 1.0);
    const Vec3 mean = Vec3{sums[0].value(), sums[1].value(), sums[2].value()} * (1.0 / count);
    MeetingSpeed fastest;
    engine.visit_velocities([&](std::size_t i, const Vec3& v) {
        fastest.keep_larger({distance(v, mean), limit_[i]});
        if (still_) fastest.keep_larger({distance(v, {}), limit_[i]});
    });
    if (ranks == nullptr) return fastest;
    MeetingSpeed of_all;
    for (const auto& theirs : ranks->gather_numbers_to_all<MeetingSpeed>({&fastest, 1}))
        of_all.keep_larger(theirs.front());
    return of_all;
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
