// What acts between the bodies of a chain at one instant: forces and their slopes. The bodies are
// the beads, then the masses inside them; the walls and the ground are `none`.
//
// A link pushes its second body with `force` and its first one back. For small changes
//
//     d force = stiffness (du_first - du_second) + damping (dv_first - dv_second).
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/pair_table.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::orbits {

inline constexpr std::size_t none = SIZE_MAX;

struct Link {
    std::size_t first = none, second = none;
    double force = 0.0;                     ///< [N]
    double stiffness = 0.0, damping = 0.0;  ///< [N/m], [N s/m]
};

/// Positions and speeds of the walls [m], [m/s].
struct Walls {
    double left = 0.0, right = 0.0, left_speed = 0.0, right_speed = 0.0;
};

class Links {
  public:
    /// Throws InputError that starts with `name` for what has no smooth periodic motion here.
    Links(const chain::Chain& chain, const std::string& name);

    std::size_t bodies() const { return mass_.size(); }
    std::size_t beads() const { return beads_; }
    const std::vector<double>& mass() const { return mass_; }  ///< [kg]
    const std::vector<Link>& all() const { return links_; }
    bool damped() const { return damped_; }
    /// Whether a force depends on where the chain is as a whole.
    bool grounded() const { return grounded_; }

    /// Sets the links at the displacements [m] and velocities [m/s] of all bodies; slopes only if
    /// wanted.
    void evaluate(const double* displacement, const double* velocity, const Walls& walls,
                  bool slopes);

    /// Stored at these displacements, less what is stored at the start [J].
    double stored(const double* displacement, const Walls& walls) const;

    /// Whether a contact has opened or closed since forget_crossings(), with a jump of its force.
    bool crossed_jump() const { return crossed_jump_; }
    void forget_crossings();

    /// The least overlap of the contacts that can close, at the last evaluate() [m].
    double least_overlap() const { return least_overlap_; }

  private:
    struct Contact {
        std::size_t contact;
        double gap, hertz;  ///< hertz: stiffness of Hertz's law, 0: another law
        laws::AnyLaw law;
        bool jumps;         ///< its force jumps where it opens or closes
        unsigned seen = 0;  ///< 1: open, 2: closed, 3: both
    };
    double overlap(const Contact& contact, const double* u, const Walls& walls) const;

    std::size_t beads_;
    std::vector<double> mass_;
    std::vector<Contact> contacts_;
    bool damped_ = false, grounded_ = false, speeds_ = false;
    chain::Elements elements_;
    chain::PairTable pairs_;
    std::vector<Link> links_;
    double least_overlap_ = 0.0;
    bool crossed_jump_ = false;
};

}  // namespace beadwave::orbits
