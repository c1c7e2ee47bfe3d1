#include "packing/flow/check_flow.hpp"

#include "packing/edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::packing {
namespace {

constexpr double rounded = 1e-12;
constexpr double largest_length = 1e30;  // [m], as of positions

/// By how much a region is on the side to which the normal points, at most and at least [m].
std::array<double, 2> heights(const Region& region, const Plane& plane) {
    std::array<double, 2> all{-std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::infinity()};
    for (const Vec3& corner : corners(region)) {
        const double height = dot(plane.normal, corner - plane.point);
        all = {std::max(all[0], height), std::min(all[1], height)};
    }
    return all;
}

/// What is wrong with the edges of a region; empty: nothing.
std::string fault_of(const Packing& p, const Region& region, double least, const char* why) {
    const auto edge = components(region.upper - region.lower),
               period = components(p.box.upper - p.box.lower), lower = components(region.lower);
    for (std::size_t a = 0; a < static_cast<std::size_t>(p.dimension); ++a) {
        const double most = p.box.periodic[a] ? period[a] : largest_length;
        if (!(std::abs(lower[a]) <= largest_length && edge[a] >= least * (1.0 - rounded) &&
              edge[a] > 0.0 && edge[a] <= most * (1.0 + rounded))) {
            return fmt::format(
                "the region is {:g} m long along {}; expected {} {:g} m{}, up to {:g} m", edge[a],
                "xyz"[a], least > 0.0 ? "at least" : "more than", least, why, most);
        }
    }
    return {};
}

std::string fault_of(const Packing& p, const Pour& pour) {
    if (pour.count == 0 || pour.first + pour.count > p.particles())
        return "names particles that do not exist";
    double largest = 0.0;
    for (std::size_t i = pour.first; i < pour.first + pour.count; ++i) {
        largest = std::max(largest, p.radius[i]);
        if (p.is_fixed(i)) return fmt::format("particle {} is fixed; expected free ones", i);
    }
    if (std::string wrong =
            fault_of(p, pour.region, 2.0 * largest, ", the diameter of the largest particle");
        !wrong.empty())
        return wrong;
    if (!(std::isfinite(pour.rate) && pour.rate >= 0.0))
        return "the rate is not a finite number, 0 or larger";
    if (!(pour.start >= 0.0 && pour.end > pour.start))
        return fmt::format("lasts from {:g} s to {:g} s; expected an end after the start",
                           pour.start, pour.end);
    const double duration = pour.rate > 0.0 ? static_cast<double>(pour.count - 1) / pour.rate : 0.0;
    if (pour.start + duration > pour.end * (1.0 + rounded)) {
        return fmt::format(
            "{} particles at a rate of {:g} per second come until {:g} s, after the end, {:g} s; "
            "expected a later end, a higher rate or fewer particles",
            pour.count, pour.rate, pour.start + duration, pour.end);
    }
    for (std::size_t w = 0; w < p.walls.size(); ++w) {
        const auto* const plane = std::get_if<Plane>(&p.walls[w].shape);
        if (plane != nullptr && !p.walls[w].moves() && heights(pour.region, *plane)[0] <= 0.0)
            return fmt::format("the region is behind wall {}; expected it in front", w);
    }
    return {};
}

std::string fault_of(const Packing& p, const Plane& plane) {
    if (plane.fault() != nullptr) return plane.fault();
    if (p.dimension == 2 && plane.normal.z != 0.0) return "its normal leaves the plane z = 0";
    const auto normal = components(plane.normal);
    for (std::size_t a = 0; a < 3; ++a) {
        if (p.box.periodic[a] && normal[a] != 0.0)
            return fmt::format(
                "its normal has a component along {}, where the box repeats; expected a region, "
                "or a plane along that axis",
                "xyz"[a]);
    }
    return {};
}

bool overlap(const Packing& p, const Region& a, const Region& b) {
    const auto a_lower = components(a.lower), a_upper = components(a.upper),
               b_lower = components(b.lower), b_upper = components(b.upper),
               period = components(p.box.upper - p.box.lower);
    const std::array<bool, 3> strains = strained_axes(p.box);
    for (std::size_t k = 0; k < static_cast<std::size_t>(p.dimension); ++k) {
        if (strains[k]) continue;  // refused: their images can meet
        // The image of a that begins within one period from where b begins, and the one before it.
        const double shift =
            p.box.periodic[k] ? std::floor((a_lower[k] - b_lower[k]) / period[k]) * period[k] : 0.0;
        const bool meets = a_lower[k] - shift < b_upper[k] && b_lower[k] < a_upper[k] - shift;
        const bool image_meets = p.box.periodic[k] && b_lower[k] < a_upper[k] - shift - period[k];
        if (!meets && !image_meets) return false;
    }
    return true;
}

/// What poured particles carry but cannot, as a message; empty: nothing.
std::string fault_of_carriers(const Packing& p) {
    for (std::size_t k = 0; k < p.elements.driven.size(); ++k) {
        if (p.waits(p.elements.driven[k].particle))
            return fmt::format(
                "drive {}: particle {} is poured, and a drive says from the start where its "
                "particle is; expected particles that are there at the start",
                k, p.elements.driven[k].particle);
    }
    for (std::size_t k = 0; k < p.elements.bonds.size(); ++k) {
        for (const std::size_t particle : {p.elements.bonds[k].first, p.elements.bonds[k].second}) {
            if (p.waits(particle))
                return fmt::format(
                    "bond {}: particle {} is poured, and cement joins particles where they are at "
                    "the start; expected particles that are there then",
                    k, particle);
        }
    }
    return {};
}

/// Whether an exit takes particles that a pour has just placed.
bool empties(const Packing& p, const Exit& exit, const Pour& pour) {
    if (const auto* plane = std::get_if<Plane>(&exit.place))
        return heights(pour.region, *plane)[1] < 0.0;
    return overlap(p, pour.region, std::get<Region>(exit.place));
}

}  // namespace

std::string validate_flow(const Packing& p) {
    if (p.pours.empty() && p.exits.empty()) return {};
    if (std::string wrong = fault_of_carriers(p); !wrong.empty()) return wrong;
    for (std::size_t k = 0; k < p.pours.size(); ++k) {
        if (std::string wrong = fault_of(p, p.pours[k]); !wrong.empty())
            return fmt::format("pour {}: {}", k, wrong);
    }
    for (std::size_t e = 0; e < p.exits.size(); ++e) {
        const auto* const plane = std::get_if<Plane>(&p.exits[e].place);
        const std::string wrong = plane != nullptr
                                      ? fault_of(p, *plane)
                                      : fault_of(p, std::get<Region>(p.exits[e].place), 0.0, "");
        if (!wrong.empty()) return fmt::format("exit {}: {}", e, wrong);
        for (std::size_t k = 0; k < p.pours.size(); ++k) {
            if (empties(p, p.exits[e], p.pours[k]))
                return fmt::format(
                    "exit {}: takes particles out of the region in which particles {} to {} come; "
                    "expected it elsewhere",
                    e, p.pours[k].first, p.pours[k].first + p.pours[k].count - 1);
        }
    }
    return {};
}

}  // namespace beadwave::packing
