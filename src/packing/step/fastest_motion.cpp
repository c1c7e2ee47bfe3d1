#include "packing/step/fastest_motion.hpp"

#include "packing/build/particle_shapes.hpp"
#include "packing/elements/element_limits.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/share_of_rank.hpp"
#include "packing/vector_length.hpp"
#include "packing/walls/mesh_place.hpp"
#include "packing/walls/wall_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace beadwave::packing {
namespace {

struct MotionBounds {
    Vec3 lower, upper;
    void include(Vec3 p, double margin = 0.0) {
        lower = {std::min(lower.x, p.x - margin), std::min(lower.y, p.y - margin),
                 std::min(lower.z, p.z - margin)};
        upper = {std::max(upper.x, p.x + margin), std::max(upper.y, p.y + margin),
                 std::max(upper.z, p.z + margin)};
    }
};

/// The largest of all ranks, each of which looks at its share of the particles.
double largest_of(double own, ranks::Communicator* ranks) {
    if (ranks != nullptr) ranks->largest({&own, 1});
    return own;
}

/// The volume of the particles that are there and free to move, in the plane their area.
double volume_of_free(const Packing& p) {
    double filled = 0.0;
    p.each_alike([&](std::size_t begin, std::size_t end) {
        if (p.is_held(begin)) return;
        const double r = p.radius[begin];
        const double each =
            p.has_shapes() ? p.solid(begin)
                           : std::numbers::pi * r * r * (p.dimension == 2 ? 1.0 : 4.0 / 3.0 * r);
        for (std::size_t i = begin; i < end; ++i)
            if (!p.waits(i)) filled += each;
    });
    return filled;
}

/// The height that the highest particle can fall until it lies on a wall or on others [m].
double fall(const Packing& p, Vec3 down, ranks::Communicator* ranks) {
    MotionBounds bounds{p.position[0], p.position[0]};
    double lowest = 0.0, highest = 0.0, above_wall = 0.0;
    std::vector<ClosestInBox> closest;
    for (const Wall& wall : p.walls)
        closest.emplace_back(wall, p.box);
    // The first of those that are poured fall on an empty floor.
    const auto include_place = [&](const Vec3& position, double r) {
        const double depth = dot(down, position - p.position[0]);
        bounds.include(position, r);
        lowest = std::max(lowest, depth + r);
        highest = std::min(highest, depth - r);
        double clear = std::numeric_limits<double>::infinity();
        for (const ClosestInBox& of_wall : closest) {
            const SurfacePoint below = of_wall(position, {});
            const double towards = -dot(below.normal, down);
            if (towards > 1e-3) clear = std::min(clear, (below.distance + r) / towards);
        }
        if (std::isfinite(clear)) above_wall = std::max(above_wall, clear);
    };
    const NumberRange own = share_of_rank(p.particles(), ranks);
    for (std::size_t i = own.begin; i < own.end; ++i) {
        const double r = p.radius[i];
        if (p.is_held(i)) {
            bounds.include(p.position[i], r);
        } else if (!p.waits(i)) {
            include_place(p.position[i], r);
        }
    }
    for (double* const most :
         {&bounds.upper.x, &bounds.upper.y, &bounds.upper.z, &lowest, &above_wall})
        *most = largest_of(*most, ranks);
    for (double* const least : {&bounds.lower.x, &bounds.lower.y, &bounds.lower.z, &highest})
        *least = -largest_of(-*least, ranks);
    for (const Pour& pour : p.pours) {
        include_place(pour.region.lower, p.radius[pour.first]);
        include_place(pour.region.upper, p.radius[pour.first]);
    }
    // They fall through the space that they would not fill in the densest packing of spheres or
    // discs.
    const Vec3 width = bounds.upper - bounds.lower;
    const bool plane = p.dimension == 2;
    const double volume = width.x * width.y * (plane ? 1.0 : width.z);
    const double densest = std::numbers::pi / std::sqrt(plane ? 12.0 : 18.0);
    const double height = lowest - highest;
    const double matter = height * std::min(1.0, volume_of_free(p) / volume / densest);
    // Contacts also yield, by far less than a thousandth of the height.
    return std::max((above_wall > 0.0 ? above_wall : height) - matter, 1e-3 * height);
}

/// The largest speed of the surface of a turning wall beside the particles [m/s].
double rim_speed(const Packing& p, const Wall& wall, ranks::Communicator* ranks) {
    double farthest = 0.0;
    const Vec3 axis = wall.direction();
    const auto include = [&](const Vec3& position) {
        const Vec3 arm = wall.closest(position, {}).point - wall.point();
        const Vec3 across = cross(axis, arm);
        farthest = std::max(farthest, dot(across, across));
    };
    const NumberRange own = share_of_rank(p.particles(), ranks);
    for (std::size_t i = own.begin; i < own.end; ++i)
        if (!p.waits(i)) include(p.position[i]);
    farthest = largest_of(farthest, ranks);
    for (const Pour& pour : p.pours) {
        for (const Vec3& corner : corners(pour.region))
            include(corner);
    }
    return std::abs(wall.angular_velocity) * std::sqrt(farthest);
}

/// Estimate of the speed that a load gives its wall: on the way to the nearest particle, and a
/// hundredth of its radius into it [m/s].
double loaded_speed(const Packing& p, const Wall& wall, ranks::Communicator* ranks) {
    const Load& load = *wall.load;
    const ClosestInBox closest(wall, p.box);
    double nearest = std::numeric_limits<double>::infinity();
    const NumberRange own = share_of_rank(p.particles(), ranks);
    for (std::size_t i = own.begin; i < own.end; ++i) {
        if (p.waits(i)) continue;
        const double r = smallest_size(p, i);  // however it is turned
        const double gap = closest(p.position[i], {}).distance - r;
        nearest = std::min(nearest, std::max(gap, 0.0) + 0.01 * r);
    }
    nearest = -largest_of(-nearest, ranks);
    if (!std::isfinite(nearest)) {
        // All are still to come: at the farthest place where they may.
        nearest = 0.0;
        for (const Pour& pour : p.pours) {
            for (const Vec3& corner : corners(pour.region))
                nearest = std::max(nearest, closest(corner, {}).distance);
        }
    }
    const double driving = std::abs(load.force + load.mass * dot(p.gravity, wall.direction()) +
                                    load.gain * load.target_velocity);
    const double reached = std::sqrt(2.0 * driving / load.mass * nearest);
    // A load that only holds a velocity gives no more than that.
    const bool holds = load.force == 0.0 && load.gain > 0.0;
    return holds ? std::min(reached, std::abs(load.target_velocity)) : reached;
}

/// Speed at which neighbours meet as a box strains [m/s]: by its rates over two diameters, and with
/// the kinetic energy that the stress of its pistons gives to a particle over its own diameter.
double strain_speed(const Packing& p) {
    if (!p.box.strain) return 0.0;
    const Straining& s = *p.box.strain;
    const double largest = p.radius.largest();
    const double by_rate = 4.0 * largest * (length_of(s.rate) + length_of(s.shear_rate));
    const double width = 2.0 * largest;
    const double energy = length_of(s.stress) * width * width * (p.dimension == 3 ? width : 1.0);
    return by_rate + std::sqrt(2.0 * energy / p.mass.smallest());
}

}  // namespace

ListParts parts_of_compressed(const Packing& packing, ranks::Communicator* ranks) {
    constexpr double rounding = 1e-2;  // of the smallest radius, by far more than that of a gap
    return {packing, rounding * packing.radius.smallest(), ranks};
}

void visit_compressed(const Packing& packing, const ListParts& parts,
                      const std::function<void(CompressedPart part)>& visit) {
    const std::vector<Vec3> moved = wall_displacements(packing.walls, 0.0);
    const Vec3 period = packing.box.upper - packing.box.lower;
    const std::size_t n = packing.particles();
    parts.visit(moved, [&](const ListPart& part) {
        const NeighbourList& list = part.list;
        const std::vector<SurfacePoint> on_walls = wall_contacts(packing, list, moved);
        CompressedPart compressed{.contacts = {}, .particles = part.own};
        for (std::size_t k = 0; k < list.pairs(); ++k) {
            const PairKey key = pair_key(list, n, k);
            const Vec3 from = packing.position[key.first];
            if (key.wall >= 0) {
                const auto w = static_cast<std::uint32_t>(key.wall);
                const SurfacePoint& at = on_walls[list.second[k] - n];
                const double gap = first_gap(at.distance, packing.radius[key.first]);
                if (gap < 0.0) {
                    compressed.contacts.push_back(
                        {key.first, static_cast<std::uint32_t>(n) + w, -at.normal, -gap});
                }
                continue;
            }
            const Vec3 branch =
                packing.position[key.second] +
                Vec3{key.image[0] * period.x, key.image[1] * period.y, key.image[2] * period.z} -
                from;
            const double distance = length_of(branch);
            const double gap =
                first_gap(distance, packing.radius[key.first] + packing.radius[key.second]);
            if (gap < 0.0) {
                compressed.contacts.push_back(
                    {key.first, key.second, (1.0 / distance) * branch, -gap});
            }
        }
        visit(std::move(compressed));
    });
}

std::vector<CompressedContact> compressed_pairs(const Packing& packing) {
    std::vector<CompressedContact> all;
    visit_compressed(packing, parts_of_compressed(packing), [&](const CompressedPart& part) {
        for (const CompressedContact& contact : part.contacts) {
            if (std::ranges::binary_search(part.particles, contact.first)) all.push_back(contact);
        }
    });
    return all;
}

double largest_speed(const Packing& packing, double stored, const stepping::StepRequest& request,
                     ranks::Communicator* ranks) {
    MotionBounds velocity{packing.velocity[0], packing.velocity[0]};
    double kinetic = 0.0, fastest = 0.0;
    const bool shaped = packing.has_shapes();
    packing.each_alike([&](std::size_t i, std::size_t end) {
        const Vec3 v = packing.velocity[i], w = packing.angular_velocity[i];
        // The end of an ellipsoid moves by its rotation too; a sphere's surface does not approach.
        const double turning = shaped ? packing.radius[i] * length_of(w) : 0.0;
        velocity.include(v, turning);
        const double energy = 0.5 * packing.mass[i] * dot(v, v);
        for (std::size_t k = i; k < end && energy > 0.0; ++k)
            kinetic += energy;
        if (shaped) kinetic += rotational_energy(packing, i, packing.orientation[i], w);
        fastest = std::max(fastest, length_of(v) + turning);
    });
    double driven = 0.0;
    for (const Wall& wall : packing.walls)
        driven = std::max(
            driven, length_of(wall.velocity) + (wall.drive ? wall.drive->largest_speed() : 0.0));
    driven = std::max(driven, driven_speed(packing));
    for (const Wall& wall : packing.walls) {
        if (wall.load) driven = std::max(driven, loaded_speed(packing, wall, ranks));
        if (wall.angular_velocity != 0.0)
            driven = std::max(driven, rim_speed(packing, wall, ranks));
    }
    double spread = length_of(velocity.upper - velocity.lower);
    if (!packing.walls.empty()) spread = std::max(spread, fastest);
    // A moving wall throws a particle that meets it at twice its own speed and can give any energy.
    // Heavy particles throw a light one at up to sqrt(m_max/m_min) times their speed. Without
    // moving walls no pair can approach with more energy than the packing has.
    spread += 2.0 * driven + strain_speed(packing);
    double lightest = packing.mass.smallest();
    // An impact beside the centre of an ellipsoid feels less than its mass.
    constexpr double least_part = 0.25;
    if (shaped) lightest *= least_part;
    const double thrown = spread * std::sqrt(packing.mass.largest() / lightest);
    const double by_energy =
        driven > 0.0 || packing.box.strain ? thrown : std::sqrt(4.0 * kinetic / lightest);
    const double released = std::sqrt(2.0 * std::max(stored, 0.0) / lightest);
    double falling = 0.0;
    if (const double g = length_of(packing.gravity); g > 0.0 && !request.starts_in_equilibrium)
        falling = std::min(std::sqrt(2.0 * g * fall(packing, (1.0 / g) * packing.gravity, ranks)),
                           g * request.end);
    return std::max(std::min(thrown, by_energy), released) + falling +
           speed_by_loads(packing, request.end);
}

}  // namespace beadwave::packing
