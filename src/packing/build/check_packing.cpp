// What is wrong with a packing.

#include "laws/tangential/make_dashpot.hpp"
#include "packing/build/shared_check.hpp"
#include "packing/device/missing_on_devices.hpp"
#include "packing/elements/check_elements.hpp"
#include "packing/flow/check_flow.hpp"
#include "packing/packing.hpp"
#include "packing/rigid/check_rigid.hpp"
#include "packing/shaped/check_shapes.hpp"
#include "packing/shaped/start_facings.hpp"
#include "packing/share_of_rank.hpp"
#include "packing/state/finite.hpp"
#include "packing/walls/mesh_images.hpp"
#include "ranks/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

constexpr std::size_t max_walls = 30'000;
constexpr std::ptrdiff_t max_turning_walls = 30;  // the fast engine counts pairs with 16 bits

double largest_component(Vec3 v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

// Far beyond anything that has a meaning; the neighbour list counts cells up to 1e30 m.
constexpr double most_metres = 1e30, most_speed = 1e30;

std::string validate_particle(const Packing& p, std::size_t i) {
    const auto wrong = [&](const char* what) { return fmt::format("particle {}: {}", i, what); };
    if (!(std::isnormal(p.radius[i]) && p.radius[i] > 0.0))
        return wrong("radius is not a finite number above 0");
    if (!(std::isnormal(p.mass[i]) && p.mass[i] > 0.0))
        return wrong("mass is not a finite number above 0");
    if (!(std::isnormal(p.inertia[i]) && p.inertia[i] > 0.0))
        return wrong("inertia is not a finite number above 0");
    if (!finite(p.position[i])) return wrong("position is not finite");
    if (!finite(p.velocity[i])) return wrong("velocity is not finite");
    if (!finite(p.angular_velocity[i])) return wrong("angular velocity is not finite");
    // Distances, energies and the curves of laws take powers of these numbers.
    const auto too_large = [&](const char* what, Vec3 v, double most, const char* unit) {
        return fmt::format("particle {}: {} ({:g}, {:g}, {:g}) {}; expected components up to {:g}",
                           i, what, v.x, v.y, v.z, unit, most);
    };
    if (largest_component(p.position[i]) > most_metres)
        return too_large("position", p.position[i], most_metres, "m");
    if (largest_component(p.velocity[i]) > most_speed)
        return too_large("velocity", p.velocity[i], most_speed, "m/s");
    if (p.radius[i] * largest_component(p.angular_velocity[i]) > most_speed)
        return too_large("angular velocity", p.angular_velocity[i], most_speed / p.radius[i],
                         "rad/s");
    if (p.species[i] >= p.species_list.size()) return wrong("its material is not in the list");
    if (p.is_fixed(i) && (p.velocity[i] != Vec3{} || p.angular_velocity[i] != Vec3{}))
        return wrong("is fixed, but moves or rotates");
    if (p.dimension == 2) {
        if (p.position[i].z != 0.0) return wrong("is not in the plane z = 0");
        if (p.velocity[i].z != 0.0) return wrong("moves out of the plane z = 0");
        if (p.angular_velocity[i].x != 0.0 || p.angular_velocity[i].y != 0.0)
            return wrong("rotates about an axis other than z");
    }
    return {};
}

/// `own`: the particles that are looked at.
std::string validate_wall(const Packing& p, std::size_t w, const NumberRange& own) {
    const Wall& wall = p.walls[w];
    const auto wrong = [&](const char* what) { return fmt::format("wall {}: {}", w, what); };
    if (const char* fault = wall.fault()) return wrong(fault);
    if (!finite(wall.velocity)) return wrong("velocity is not finite");
    if (largest_component(wall.velocity) > most_speed)
        return fmt::format(
            "wall {}: velocity ({:g}, {:g}, {:g}) m/s; expected components up to {:g}", w,
            wall.velocity.x, wall.velocity.y, wall.velocity.z, most_speed);
    if (!(std::abs(wall.angular_velocity) <= most_speed))
        return wrong("angular velocity is not a number up to 1e+30 rad/s");
    if (wall.load) {
        const Load& load = *wall.load;
        if (!(std::isnormal(load.mass) && load.mass > 0.0))
            return wrong("mass is not a finite number above 0");
        if (!(std::isfinite(load.force) && std::isfinite(load.target_velocity)))
            return wrong("force or target velocity is not finite");
        if (!(std::isfinite(load.gain) && load.gain >= 0.0))
            return wrong("gain is not a finite number, 0 or larger");
        if (!(std::isfinite(load.start) && load.start >= 0.0))
            return wrong("start is not a finite number, 0 or larger");
        constexpr double rounding = 1e-12;
        const double along = std::abs(dot(wall.velocity, wall.direction()));
        if (wall.drive || along > rounding * largest_component(wall.velocity))
            return wrong("has a mass and a prescribed motion along its normal or axis");
    }
    for (int a = 0; a < 3; ++a) {
        if (p.box.periodic[a] && !wall.repeats_along(a)) {
            return fmt::format(
                "wall {}: is curved and would have to repeat along {} as the "
                "box does; expected an endless cylinder along {}",
                w, "xyz"[a], "xyz"[a]);
        }
    }
    if (const std::string images = fault_of_images(wall, p.box); !images.empty())
        return wrong(images.c_str());
    if (wall.species >= p.species_list.size()) return wrong("its material is not in the list");
    if (p.dimension == 2 && (!wall.is_along_z() || wall.velocity.z != 0.0))
        return wrong(
            std::holds_alternative<Plane>(wall.shape)
                ? "its normal or its velocity leaves the plane z = 0"
                : "is neither a plane nor an endless cylinder along z, or its velocity leaves the "
                  "plane z = 0");
    if (p.dimension == 2 && wall.load && wall.direction().z != 0.0)
        return wrong("its mass moves out of the plane z = 0");
    if (p.dimension == 2 && wall.angular_velocity != 0.0 && std::abs(wall.direction().z) < 1.0)
        return wrong("turns about an axis other than z");
    for (std::size_t i = own.begin; i < own.end; ++i) {
        if (!p.is_fixed(i) && !p.waits(i) && !(wall.closest(p.position[i], {}).distance > 0.0))
            return fmt::format("wall {}: the centre of particle {} lies on it or behind it", w, i);
    }
    return {};
}

std::string validate_particles(const Packing& p, ranks::Communicator* ranks) {
    const NumberRange own = share_of_rank(p.particles(), ranks);
    std::string wrong;
    for (std::size_t i = own.begin; i < own.end && wrong.empty(); ++i)
        wrong = validate_particle(p, i);
    return ranks::first_text(ranks, wrong);
}

std::string validate_walls(const Packing& p, ranks::Communicator* ranks) {
    if (p.walls.size() > max_walls) return fmt::format("more walls than {}", max_walls);
    const auto turning = std::ranges::count_if(
        p.walls, [](const Wall& wall) { return wall.angular_velocity != 0.0; });
    if (turning > max_turning_walls)
        return fmt::format("more walls that turn than {}", max_turning_walls);
    const NumberRange own = share_of_rank(p.particles(), ranks);
    std::string wrong;
    std::size_t wall = 0;
    for (; wall < p.walls.size() && wrong.empty(); ++wall)
        wrong = validate_wall(p, wall, own);
    // The first wall that is wrong for any rank, and of these the first rank: the first particle.
    double behind = -static_cast<double>(wrong.empty() ? p.walls.size() + 1 : wall);
    const double here = behind;
    if (ranks != nullptr) ranks->largest({&behind, 1});
    return ranks::first_text(ranks, here == behind ? wrong : std::string());
}

std::string validate_friction(const Packing& p) {
    if (std::string wrong = laws::fault_of_friction(p.friction, p.law); !wrong.empty())
        return wrong;
    for (std::size_t k = 0; k < p.pairs.size(); ++k) {
        const std::string wrong = laws::fault_of_friction(p.pairs[k].friction, p.pairs[k].law);
        if (!wrong.empty()) return fmt::format("pair {}: {}", k, wrong);
    }
    return {};
}

std::string validate_cylinders(const Packing& p) {
    if (!(std::isfinite(p.length) && p.length >= 0.0))
        return "the length of the cylinders is not a finite number above 0";
    if (!p.has_line_contacts()) return {};
    if (p.dimension != 2) return "cylinders are for the plane; expected dimension 2";
    if (p.friction.is_mindlin())
        return "friction: Mindlin's laws are for spheres; expected \"linear\" between cylinders";
    if (p.rolling.acts())
        return "rolling: its stiffness is one of spheres; expected none between cylinders";
    for (std::size_t w = 0; w < p.walls.size(); ++w) {
        if (!std::holds_alternative<Plane>(p.walls[w].shape))
            return fmt::format("wall {}: is curved; expected planes around cylinders", w);
    }
    return {};
}

std::string validate_box(const Packing& p) {
    const double lower[] = {p.box.lower.x, p.box.lower.y, p.box.lower.z};
    const double upper[] = {p.box.upper.x, p.box.upper.y, p.box.upper.z};
    const double narrowest = narrowest_box(p);
    constexpr double rounding = 1e-12;  // of the corners
    for (int a = 0; a < 3; ++a) {
        if (!p.box.periodic[a]) continue;
        if (p.dimension == 2 && a == 2) return "box: z cannot be periodic in the plane";
        const double width = upper[a] - lower[a];
        if (!std::isfinite(width) || !(width >= (1.0 - rounding) * narrowest)) {
            return fmt::format(
                "box: {:g} m wide along {}; expected at least {:g} m, two of the "
                "largest diameters",
                width, "xyz"[a], narrowest);
        }
    }
    return {};
}

std::string validate_strain(const Packing& p) {
    if (!p.box.strain) return {};
    const Straining& s = *p.box.strain;
    const double rate[] = {s.rate.x, s.rate.y, s.rate.z};
    const double stress[] = {s.stress.x, s.stress.y, s.stress.z};
    const double shear[] = {s.shear_rate.x, s.shear_rate.y, s.shear_rate.z};
    if (!finite(s.rate) || largest_component(s.rate) > most_speed || !finite(s.shear_rate) ||
        largest_component(s.shear_rate) > most_speed)
        return "box: a strain rate is not a number up to 1e+30 1/s";
    if (!finite(s.stress)) return "box: a stress is not finite";
    const auto needs_period = [&](std::size_t axis) {
        return p.box.periodic[axis]
                   ? std::string()
                   : fmt::format("box: strains along {}, but is not periodic there", "xyz"[axis]);
    };
    for (std::size_t a = 0; a < 3; ++a) {
        if (s.has_piston[a] && rate[a] != 0.0)
            return fmt::format(
                "box: along {} both stress and strain rate are prescribed; expected "
                "one of them",
                "xyz"[a]);
        if (!s.has_piston[a] && stress[a] != 0.0)
            return fmt::format("box: along {} a stress is given, but no piston holds it", "xyz"[a]);
        if (rate[a] != 0.0 || s.has_piston[a]) {
            if (std::string wrong = needs_period(a); !wrong.empty()) return wrong;
        }
        constexpr std::size_t first[] = {0, 0, 1}, second[] = {1, 2, 2};
        if (shear[a] == 0.0) continue;
        for (const std::size_t axis : {first[a], second[a]}) {
            if (std::string wrong = needs_period(axis); !wrong.empty()) return wrong;
        }
    }
    if (!(std::isfinite(s.start) && s.start >= 0.0))
        return "box: start is not a finite number, 0 or larger";
    if (s.has_pistons()) {
        for (std::size_t a = 0; a < static_cast<std::size_t>(p.dimension); ++a) {
            if (!p.box.periodic[a])
                return fmt::format(
                    "box: the stress along an axis needs the area of the face, and "
                    "the box is not periodic along {}",
                    "xyz"[a]);
        }
        if (!(std::isnormal(s.mass) && s.mass > 0.0))
            return "box: the mass of the pistons is not a finite number above 0";
        if (!(std::isfinite(s.damping) && s.damping >= 0.0))
            return "box: the damping of the pistons is not a finite number, 0 or larger";
    }
    for (std::size_t i = 0; i < p.fixed.size(); ++i) {
        if (p.is_fixed(i))
            return fmt::format("box: particle {} is fixed and cannot follow the strain", i);
    }
    const std::array<bool, 3> strains = strained_axes(p.box);
    const auto along = [&](const Vec3& v) {
        return (strains[0] && v.x != 0.0) || (strains[1] && v.y != 0.0) ||
               (strains[2] && v.z != 0.0);
    };
    if (along(p.gravity)) return "box: gravity acts along an axis that strains";
    for (std::size_t w = 0; w < p.walls.size(); ++w) {
        const auto* const plane = std::get_if<Plane>(&p.walls[w].shape);
        if (plane != nullptr && along(plane->normal))
            return fmt::format("wall {}: its normal is along an axis of the box that strains", w);
    }
    return {};
}

std::string validate_region(const Packing& p) {
    if (!p.region) return {};
    if (p.box.strain) return "measure: the box strains; expected no region, so that it is measured";
    const double edges[] = {p.region->upper.x - p.region->lower.x,
                            p.region->upper.y - p.region->lower.y,
                            p.region->upper.z - p.region->lower.z};
    const double period[] = {p.box.upper.x - p.box.lower.x, p.box.upper.y - p.box.lower.y,
                             p.box.upper.z - p.box.lower.z};
    constexpr double rounding = 1e-12;
    constexpr double longest = 1e100;  // its cube is a number
    for (int a = 0; a < p.dimension; ++a) {
        const double limit = p.box.periodic[a] ? period[a] * (1.0 + rounding) : longest;
        if (!(edges[a] > 0.0 && edges[a] <= limit)) {
            return fmt::format(
                "measure: the region is {:g} m long along {}; expected a number "
                "above 0, up to {:g}{}",
                edges[a], "xyz"[a], p.box.periodic[a] ? period[a] : longest,
                p.box.periodic[a] ? ", the period of the box" : "");
        }
    }
    return {};
}

std::string validate_precision(const Packing& p) {
    if (p.precision == Precision::full) return {};
    constexpr double least = 1e-9, most = 1e9;  // torques and works are floats
    const double smallest = p.radius.smallest(), largest = p.radius.largest();
    if (smallest < least || largest > most) {
        return fmt::format(
            "precision: \"mixed\" takes radii from {:g} to {:g} m, not {:g} m; "
            "expected \"double\"",
            least, most, smallest < least ? smallest : largest);
    }
    return {};
}

}  // namespace

std::string validate(const Packing& p, ranks::Communicator* ranks) {
    const std::size_t n = p.particles();
    if (n == 0) return "no particles";
    if (p.dimension != 2 && p.dimension != 3) return "dimension is neither 2 nor 3";
    if (p.mass.size() != n || p.inertia.size() != n || p.position.size() != n ||
        p.velocity.size() != n || p.angular_velocity.size() != n || p.species.size() != n ||
        (!p.fixed.empty() && p.fixed.size() != n))
        return "arrays of different lengths; expected one value per particle";
    if (n > 1u << 30) return "more particles than 2^30";
    if (std::string wrong = validate_particles(p, ranks); !wrong.empty()) return wrong;
    if (std::string wrong = validate_walls(p, ranks); !wrong.empty()) return wrong;
    if (!finite(p.gravity)) return "gravity is not finite";
    if (largest_component(p.gravity) > most_speed)
        return fmt::format("gravity ({:g}, {:g}, {:g}) m/s^2; expected components up to {:g}",
                           p.gravity.x, p.gravity.y, p.gravity.z, most_speed);
    if (p.dimension == 2 && p.gravity.z != 0.0) return "gravity points out of the plane z = 0";
    if (!std::isfinite(p.skin) || p.skin < 0.0) return "skin is not a finite number, 0 or larger";
    if (std::string wrong = validate_rigid(p); !wrong.empty()) return wrong;
    if (std::string wrong = validate_friction(p); !wrong.empty()) return wrong;
    if (!(p.rolling.coefficient >= 0.0 && p.rolling.twisting_coefficient >= 0.0 &&
          p.rolling.damping_ratio >= 0.0))
        return "a rolling or twisting coefficient is not a number, 0 or larger";
    if (std::string wrong = validate_shapes(p); !wrong.empty()) return wrong;
    if (std::string wrong = validate_cylinders(p); !wrong.empty()) return wrong;
    if (std::string wrong = validate_box(p); !wrong.empty()) return wrong;
    if (p.has_shapes()) {
        if (std::string wrong = fault_of_start_places(p); !wrong.empty()) return wrong;
    }
    if (std::string wrong = validate_strain(p); !wrong.empty()) return wrong;
    if (std::string wrong = validate_elements(p); !wrong.empty()) return wrong;
    if (std::string wrong = validate_flow(p); !wrong.empty()) return wrong;
    if (std::string wrong = validate_precision(p); !wrong.empty()) return wrong;
    if (std::string wrong = missing_on_devices(p); !wrong.empty()) return wrong;
    return validate_region(p);
}

std::string validate(const Packing& p) {
    return validate(p, nullptr);
}

}  // namespace beadwave::packing
