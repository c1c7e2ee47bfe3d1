#include "packing/shaped/check_shapes.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "laws/neck.hpp"
#include "packing/build/particle_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

std::string fault_of_ellipsoid(const Packing& p, std::size_t i) {
    const auto wrong = [&](const std::string& what) {
        return fmt::format("particle {}: {}", i, what);
    };
    const Vec3& a = p.semi_axes[i];
    for (const double axis : {a.x, a.y, a.z}) {
        if (!(std::isnormal(axis) && axis > 0.0))
            return wrong("a semi-axis is not a finite number above 0");
    }
    if (p.is_superellipsoid(i)) {
        constexpr double most = 8.0;
        for (const double n : {p.exponents[i].plane, p.exponents[i].axis}) {
            if (!(n >= 2.0 && n <= most))
                return wrong(fmt::format("an exponent is {:g}; expected 2 to 8", n));
        }
        const double reach = farthest(shape_of(p, i));
        if (p.radius[i] != reach) {
            return wrong(
                fmt::format("radius {:g} m; expected the largest distance of a point of "
                            "the superellipsoid from its centre, {:g} m",
                            p.radius[i], reach));
        }
        const Vec3 moments = principal_moments(p, i);
        for (const double moment : {moments.x, moments.y, moments.z}) {
            if (!(std::isnormal(moment) && moment > 0.0))
                return wrong("a moment of inertia is not a finite number above 0");
        }
    }
    const double largest = p.is_superellipsoid(i) ? p.radius[i] : std::max({a.x, a.y, a.z});
    if (p.radius[i] != largest) {
        return wrong(fmt::format("radius {:g} m; expected the largest semi-axis, {:g} m",
                                 p.radius[i], largest));
    }
    constexpr double rounding = 1e-9;
    const double size = norm(p.orientation[i]);
    if (!(std::abs(size - 1.0) <= rounding)) {
        return wrong(
            fmt::format("the orientation has the length {:g}; expected a unit quaternion", size));
    }
    return {};
}

std::string fault_of_clump(const Packing& p, std::size_t i) {
    const shapes::Clump& clump = *p.clumps[i];
    const Vec3& a = p.semi_axes[i];
    if (p.radius[i] != clump.radius || a != Vec3{clump.radius, clump.radius, clump.radius}) {
        return fmt::format(
            "particle {}: radius {:g} m; expected that of the sphere around the clump, {:g} m", i,
            p.radius[i], clump.radius);
    }
    const Vec3 moments = p.mass[i] * clump.inertia;
    for (const double moment : {moments.x, moments.y, moments.z}) {
        if (!(std::isnormal(moment) && moment > 0.0)) {
            return fmt::format("particle {}: a moment of inertia is not a finite number above 0",
                               i);
        }
    }
    return {};
}

/// A contact of a material with itself, to try a law on.
laws::Contact contact_on(const Packing& p, const laws::Elasticity& material, double axis_ratio) {
    return laws::contact_of_radius(p.radius[0], axis_ratio, p.mass[0], material, p.mass[0],
                                   material);
}

std::string fault_of_making(const laws::Contact& contact, laws::Settings law) {
    // Packings of scenarios get it later.
    if (law.is("impact_speed", "initial")) law.values.insert_or_assign("impact_speed", 1.0);
    try {
        laws::make(contact, law);
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return {};
}

/// A law that does not hold on an ellipse would be found when bodies touch, in the middle of a run.
std::string fault_of_law(const Packing& p, const laws::Settings& law) {
    const auto is_ball = [](const Vec3& a) { return a.x == a.y && a.y == a.z; };
    const auto ellipsoidal = [](const shapes::Exponents& n) { return n == shapes::Exponents{}; };
    const bool balls =
        std::ranges::all_of(p.semi_axes, is_ball) && std::ranges::all_of(p.exponents, ellipsoidal);
    if (laws::is_adhesive(law.name) && !balls) {
        return fmt::format(
            "law \"{}\" has adhesion, and the neck between surfaces with two radii of curvature is "
            "not known; expected a law without adhesion between ellipsoids",
            law.name);
    }
    if (balls) return {};
    for (const Species& species : p.species_list) {
        const laws::Elasticity& material = species.elasticity;
        const auto fault_on = [&](double axis_ratio) {
            return fault_of_making(contact_on(p, material, axis_ratio), law);
        };
        // A law that cannot be made on a circle either has other faults, which are found elsewhere.
        if (fault_on(1.0).empty() && !fault_on(0.5).empty()) return fault_on(0.5);
    }
    return {};
}

/// Whether contacts of the law remember what they have been through.
bool has_memory(const Packing& p, laws::Settings law) {
    if (law.is("impact_speed", "initial")) law.values.insert_or_assign("impact_speed", 1.0);
    return std::ranges::any_of(p.species_list, [&](const Species& species) {
        const laws::Elasticity& material = species.elasticity;
        try {
            return laws::make(contact_on(p, material, 1.0), law).traits().memory_numbers > 0;
        } catch (const ArgumentError&) {
            return false;  // of a material that the law does not take
        }
    });
}

/// Superellipsoids touch cylinders at several points: facing_of_cylinder.cpp.
std::string fault_of_walls(const Packing& p) {
    const auto ellipsoidal = [](const shapes::Exponents& n) { return n == shapes::Exponents{}; };
    if (std::ranges::all_of(p.exponents, ellipsoidal)) return {};
    for (std::size_t w = 0; w < p.walls.size(); ++w) {
        const Wall& wall = p.walls[w];
        const auto* const curved = std::get_if<Revolved>(&wall.shape);
        if (curved == nullptr) continue;
        if (!curved->is_endless()) {
            return fmt::format(
                "wall {}: is curved and ends; expected planes, meshes and cylinders without ends "
                "around superellipsoids, or ellipsoids and clumps on it",
                w);
        }
        std::vector<laws::Settings> all{p.law};
        for (const PairSettings& pair : p.pairs)
            all.push_back(pair.law);
        for (const laws::Settings& law : all) {
            if (!has_memory(p, law)) continue;
            return fmt::format(
                "wall {}: is a cylinder, which a superellipsoid touches at several points, and the "
                "law \"{}\" remembers each contact; expected a law that depends on overlap and "
                "approach speed alone",
                w, law.name);
        }
    }
    return {};
}

}  // namespace

std::string validate_shapes(const Packing& p) {
    const std::size_t n = p.particles();
    if (!p.has_shapes() && !p.clumps.empty())
        return "clumps: expected semi-axes and orientations too";
    if (!p.has_shapes())
        return p.orientation.empty() ? "" : "orientations of spheres; expected semi-axes for them";
    if (p.semi_axes.size() != n || p.orientation.size() != n)
        return "semi-axes and orientations: expected one value per particle, spheres included";
    if (!p.clumps.empty() && p.clumps.size() != n)
        return "clumps: expected one value per particle, or none";
    if (!p.exponents.empty() && p.exponents.size() != n)
        return "exponents: expected one pair per particle, or none";
    if (p.dimension != 3 && !p.clumps.empty())
        return "clumps are bodies in space; expected dimension 3";
    if (p.dimension != 3) return "ellipsoids are bodies in space; expected dimension 3";
    for (std::size_t i = 0; i < n; ++i) {
        if (std::string wrong = fault_of_ellipsoid(p, i); !wrong.empty()) return wrong;
        if (!p.is_clump(i)) continue;
        if (std::string wrong = fault_of_clump(p, i); !wrong.empty()) return wrong;
    }
    if (std::string wrong = fault_of_walls(p); !wrong.empty()) return wrong;
    const char* const bodies = p.clumps.empty() ? "ellipsoids" : "clumps";
    if (p.precision != Precision::full)
        return fmt::format(R"(precision: "mixed" takes spheres; expected "double" for {})", bodies);
    if (p.place != Place::host)
        return fmt::format("device: {} run on the processor's cores; expected no device", bodies);
    if (std::string wrong = fault_of_law(p, p.law); !wrong.empty()) return wrong;
    for (const PairSettings& pair : p.pairs) {
        if (std::string wrong = fault_of_law(p, pair.law); !wrong.empty()) return wrong;
    }
    return {};
}

}  // namespace beadwave::packing
