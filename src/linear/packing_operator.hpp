// A packing linearised about its static equilibrium: springs between the freedoms of its bodies.
//
// The freedoms of a body are its displacement and, where a tangential or rolling law acts, its
// rotation times its radius R, so that all are lengths [m] and all springs are in N/m: 2 or 3 in
// the plane, 3 or 6 in space. With the relative displacement du of a pair, its unit normal n, its
// distance d and a = d / (R_1 + R_2):
//
//     along the normal     k_n |du.n|^2 / 2, damping from the law
//     across it            -F |du - (du.n) n|^2 / (2 d): the static force F turns with the pair
//     sliding              k_t |s|^2 / 2, s = a (phi_1 + phi_2) x n - (du - (du.n) n)
//     rolling, twisting    k_r |theta_1 - theta_2|^2 / 2
//
// Walls and fixed particles do not move. The normal of a wall does not turn. Tangential springs
// are unloaded in the equilibrium, and no contact slides.
#pragma once

#include "packing/packing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::linear {

using packing::Vec3;

/// A closed contact.
struct Link {
    static constexpr std::uint32_t ground = UINT32_MAX;

    std::uint32_t first = ground, second = ground;  ///< indices into `body`
    std::int32_t wall = -1;                         ///< number of the wall, if it is one
    std::array<std::int32_t, 3> image{};            ///< of the second body, in periods
    Vec3 normal{};                                  ///< from the first to the second
    double lever = 1.0;                             ///< a [-]
    double radius_1 = 1.0, radius_2 = 1.0;          ///< [m]; of walls: infinity
    double force = 0.0;                             ///< [N]
    double scale = 0.0;  ///< of the forces where adhesion may balance them to zero [N]
    // Stiffness [N/m] and damping [N s/m].
    double normal_stiffness = 0.0, normal_damping = 0.0, across = 0.0;
    double sliding_stiffness = 0.0, sliding_damping = 0.0;
    double rolling_stiffness = 0.0, rolling_damping = 0.0;    ///< [N m], [N m s]
    double twisting_stiffness = 0.0, twisting_damping = 0.0;  ///< [N m], [N m s]
};

/// One spring: stiffness k and damping c along a row r, k |r.q|^2 / 2, with the freedoms q of the
/// first and of the second body.
struct Spring {
    double stiffness, damping;
    std::array<double, 6> first{}, second{};
};

struct PackingOperator {
    int dimension = 3;
    bool rotates = false;
    std::vector<std::uint32_t> body;  ///< numbers of the particles that move
    std::vector<double> mass;         ///< per freedom; of rotations: inertia / R^2 [kg]
    std::vector<double> radius;       ///< per body [m]
    std::vector<Vec3> position;       ///< per body [m]
    std::vector<Link> links;
    packing::Box box;
    std::vector<std::string> warnings;

    /// Freedoms per body.
    std::size_t components() const {
        const auto d = static_cast<std::size_t>(dimension);
        return rotates ? (d == 2 ? 3 : 6) : d;
    }
    std::size_t size() const { return components() * body.size(); }
    bool damped() const;
    /// The springs of a link, at most eight.
    std::vector<Spring> springs(const Link& link) const;
};

/// The packing is moved into its equilibrium first, if it is not there: without friction, by
/// Newton's method. Throws InputError that starts with `name` if that fails, a wall moves at a
/// constant velocity, no contact is closed, or a law jumps at the static load of a contact.
PackingOperator linearise(packing::Packing packing, const std::string& name);

}  // namespace beadwave::linear
