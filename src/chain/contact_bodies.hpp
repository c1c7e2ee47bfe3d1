// What the laws of a chain's contacts are made of, bead by bead, so that a number of one bead can
// change alone.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"
#include "chain/bead_shape.hpp"
#include "chain/scenario.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::chain {

struct ContactBodies {
    std::vector<double> radius;              ///< per bead [m]
    std::vector<double> mass;                ///< per bead [kg]; infinite: held
    std::vector<laws::Elasticity> material;  ///< per bead
    laws::Elasticity left_wall, right_wall;  ///< where the chain has walls
    laws::Settings law;                      ///< without words that depend on the chain
    std::vector<BeadShape> shape{};          ///< per bead; empty: spheres
    std::vector<double> angle{};             ///< per bead, with the one before it [rad]; or empty
    /// Parameters of the law with one number per contact.
    std::map<std::string, std::vector<double>, std::less<>> own_parameters{};
    /// impact_speed = "initial": the contact whose approach at the start is the impact speed.
    std::optional<std::size_t> fastest{};

    std::size_t beads() const { return radius.size(); }
    BeadSurface surface(std::size_t bead) const;
    /// Contact c is between beads c - 1 and c; at the ends, with the wall. Throws ArgumentError.
    laws::AnyLaw law_of(std::size_t contact) const;
};

/// The contact bodies of a chain that was built from the scenario. Those of cylinders that touch
/// along lines make no law of their own: law_of() takes them as spheres.
ContactBodies contact_bodies(const Scenario& scenario, const Chain& chain);

}  // namespace beadwave::chain
