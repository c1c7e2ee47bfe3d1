#include "linear/packing_operator.hpp"

#include "beadwave/input_error.hpp"
#include "linear/static_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::linear {
namespace {

using packing::Packing;

/// Two unit vectors across the normal; in the plane the second one is z.
std::array<Vec3, 2> across(const Vec3& normal, int dimension) {
    if (dimension == 2) return {Vec3{-normal.y, normal.x, 0.0}, Vec3{0.0, 0.0, 1.0}};
    const Vec3 least = std::fabs(normal.x) < 0.6 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
    Vec3 one = cross(normal, least);
    one = one * (1.0 / std::sqrt(dot(one, one)));
    return {one, cross(normal, one)};
}

void refuse_moving_walls(const Packing& packing, const std::string& name) {
    for (std::size_t w = 0; w < packing.walls.size(); ++w) {
        const packing::Wall& wall = packing.walls[w];
        if (!std::holds_alternative<packing::Plane>(wall.shape)) {
            throw InputError(fmt::format(
                "{}: wall {} is curved or a mesh, which linear modes do not know; expected plane "
                "walls",
                name, w));
        }
        if (wall.load || wall.angular_velocity != 0.0) {
            throw InputError(fmt::format(
                "{}: wall {} {}, which linear modes do not know; expected walls at rest or driven",
                name, w, wall.load ? "has a mass" : "turns"));
        }
        if (wall.velocity == Vec3{}) continue;
        throw InputError(
            fmt::format("{}: wall {} moves at a constant velocity, so the packing has "
                        "no static equilibrium; expected walls at rest or driven",
                        name, w));
    }
}

/// Whether the packing is in equilibrium, to the rounding of the positions.
bool rests(const Packing& packing, const std::vector<Link>& links) {
    double worst = 0.0;
    for (const Vec3& net : net_forces(packing, links))
        worst = std::max(worst, dot(net, net));
    return std::sqrt(worst) <= 1e-6 * largest_force(links);
}

}  // namespace

bool PackingOperator::damped() const {
    return std::ranges::any_of(links, [](const Link& link) {
        return link.normal_damping != 0.0 || link.sliding_damping != 0.0 ||
               link.rolling_damping != 0.0 || link.twisting_damping != 0.0;
    });
}

std::vector<Spring> PackingOperator::springs(const Link& link) const {
    std::vector<Spring> all;
    const auto set = [&](std::array<double, 6>& row, const Vec3& displacement,
                         const Vec3& rotation) {
        if (dimension == 2) {
            row = {displacement.x, displacement.y, rotation.z};
        } else {
            row = {displacement.x, displacement.y, displacement.z,
                   rotation.x,     rotation.y,     rotation.z};
        }
    };
    const auto add = [&](double stiffness, double damping, const Vec3& along, const Vec3& turn_1,
                         const Vec3& turn_2) {
        if (stiffness == 0.0 && damping == 0.0) return;
        Spring& spring = all.emplace_back(Spring{.stiffness = stiffness, .damping = damping});
        set(spring.first, -along, turn_1);
        set(spring.second, along, turn_2);
    };
    const Vec3& n = link.normal;
    add(link.normal_stiffness, link.normal_damping, n, {}, {});
    const auto sides = across(n, dimension);
    for (const Vec3& t : sides) {
        const bool in_space = dimension == 3 || t.z == 0.0;
        if (in_space) {
            add(link.across, 0.0, t, {}, {});
            // s.t = a (phi x n).t - du.t = a phi.(n x t) - du.t
            const Vec3 turn = link.lever * cross(n, t);
            add(link.sliding_stiffness, link.sliding_damping, -t, turn, turn);
        }
        if (dimension == 3 || t.z != 0.0) {
            add(link.rolling_stiffness, link.rolling_damping, {}, t * (1.0 / link.radius_1),
                t * (-1.0 / link.radius_2));
        }
    }
    if (dimension == 3) {
        add(link.twisting_stiffness, link.twisting_damping, {}, n * (1.0 / link.radius_1),
            n * (-1.0 / link.radius_2));
    }
    return all;
}

PackingOperator linearise(Packing packing, const std::string& name) {
    if (packing.has_shapes()) {
        throw InputError(fmt::format(
            "{}: modes of packings are those of spheres; expected no particles of another shape",
            name));
    }
    if (packing.is_rigid()) {
        throw InputError(fmt::format(
            "{}: rigid contacts have no stiffness, so there are no modes; expected a law of the "
            "catalogue",
            name));
    }
    refuse_moving_walls(packing, name);
    if (!packing.elements.bonds.empty()) {
        throw InputError(
            fmt::format("{}: modes do not have bonds yet; expected a packing without them", name));
    }
    if (!packing.elements.empty()) {
        throw InputError(fmt::format(
            "{}: modes of packings do not have springs to the ground, resonators, loads and driven "
            "particles yet; expected a packing without them",
            name));
    }
    if (!packing.pours.empty()) {
        throw InputError(fmt::format(
            "{}: modes need all particles at the start; expected a packing without pour", name));
    }
    PackingOperator linear;
    std::vector<Link> links = static_links(packing, name, linear.warnings);
    if (links.empty()) {
        throw InputError(fmt::format(
            "{}: no contact is closed, so the packing has no linear modes; expected particles "
            "that are pressed together, such as a crystal with an overlap in a periodic box",
            name));
    }
    if (!rests(packing, links)) {
        const double moved = relax(packing, name);
        linear.warnings.clear();
        links = static_links(packing, name, linear.warnings);
        // Less is the rounding of the coordinates.
        const double least = 1e-9 * *std::ranges::min_element(packing.radius);
        if (moved > least)
            linear.warnings.push_back(fmt::format(
                "the packing was moved into its static equilibrium, without friction; the "
                "largest displacement was {:.3g} m",
                moved));
    }
    linear.dimension = packing.dimension;
    linear.box = packing.box;
    linear.rotates = std::ranges::any_of(links, [](const Link& link) {
        return link.sliding_stiffness != 0.0 || link.sliding_damping != 0.0 ||
               link.rolling_stiffness != 0.0 || link.twisting_stiffness != 0.0;
    });
    std::vector<std::uint32_t> index(packing.particles(), Link::ground);
    for (std::uint32_t i = 0; i < packing.particles(); ++i) {
        if (packing.is_fixed(i)) continue;
        index[i] = static_cast<std::uint32_t>(linear.body.size());
        linear.body.push_back(i);
        linear.radius.push_back(packing.radius[i]);
        linear.position.push_back(packing.position[i]);
        const double turning = packing.inertia[i] / (packing.radius[i] * packing.radius[i]);
        for (int k = 0; k < packing.dimension; ++k)
            linear.mass.push_back(packing.mass[i]);
        for (int k = 0; linear.rotates && k < (packing.dimension == 2 ? 1 : 3); ++k)
            linear.mass.push_back(turning);
    }
    if (linear.body.empty())
        throw InputError(fmt::format("{}: all particles are fixed; none can move", name));
    std::vector<char> touched(linear.body.size());
    for (Link link : links) {
        link.first = index[link.first];
        if (link.second != Link::ground) link.second = index[link.second];
        for (const std::uint32_t body : {link.first, link.second})
            if (body != Link::ground) touched[body] = 1;
        linear.links.push_back(link);
    }
    const auto loose = std::ranges::count(touched, 0);
    if (loose > 0) {
        linear.warnings.push_back(fmt::format(
            "{} of {} particles touch nothing and have no stiffness, the first is {}", loose,
            touched.size(),
            linear
                .body[static_cast<std::size_t>(std::ranges::find(touched, 0) - touched.begin())]));
    }
    return linear;
}

}  // namespace beadwave::linear
