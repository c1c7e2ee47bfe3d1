// What the beads of a chain carry, one step forwards and the same step backwards: springs to the
// ground, resonators, bonds, forces between beads that need no contact, forces over time. The steps
// are those of the plain engine (dynamics/elements/plain_elements.hpp). A bar is the derivative of
// the objective by the quantity.
//
// A mass inside bead i, with its own h', u', w', is stepped with the bead, whose velocity is
// predicted as p:
//
//     h' = v' + w'
//     u' += dt h'
//     pull = k x + k_3 x^3 + c (p - h' - w'),   x = u - u'
//     w' = dt / (2 m') pull
//     v' = h' + w'
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/pair_table.hpp"
#include "gradients/motion_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::gradients {

/// Of the masses inside beads, one number per resonator.
struct InnerState {
    std::vector<double> displacement, velocity;  ///< [m], [m/s]
    std::vector<double> velocity_change;         ///< (dt/2) acceleration [m/s]
};

/// What a step of carried things read.
struct CarriedRecord {
    std::vector<double> displacement, predicted;              ///< of the beads [m], [m/s]
    std::vector<double> inner_displacement, inner_predicted;  ///< of the masses inside
};

class Carried {
  public:
    /// Throws nothing; check_chain() knows what has no derivative. time_step [s].
    Carried(const chain::Chain& chain, const MotionNumbers& numbers, double time_step);

    bool empty() const { return empty_; }

    /// The masses at the start, and the forces there, which are added to those of the beads [N].
    void start(InnerState& inner, std::span<const double> velocity, std::span<double> force) const;
    /// The masses in a step, and the forces after it. `displacement`, `predicted`: of the beads.
    void step(InnerState& inner, std::span<const double> displacement,
              std::span<const double> predicted, std::int64_t step, std::span<double> force,
              CarriedRecord* record) const;

    /// `force_bar`: of the forces on the beads. Adds to the bars of displacement and predicted
    /// velocity, and to those of the numbers.
    void reverse(const CarriedRecord& record, std::int64_t step, std::span<const double> force_bar,
                 std::span<double> displacement_bar, std::span<double> predicted_bar,
                 InnerState& inner_bar, MotionNumbers& bars) const;
    void reverse_start(std::span<const double> velocity, std::span<const double> force_bar,
                       std::span<double> velocity_bar, InnerState& inner_bar,
                       MotionNumbers& bars) const;

    InnerState inner_state() const;  ///< zeros

  private:
    /// A pair of one pair force.
    struct Pair {
        std::size_t left, right, of;
        double share;  ///< its strength over that of the pair force
        double spacing;
    };

    void add_forces(std::span<const double> displacement, std::span<const double> speed,
                    double time, std::span<double> force) const;
    void reverse_forces(std::span<const double> displacement, std::span<const double> speed,
                        std::int64_t step, std::span<const double> force_bar,
                        std::span<double> displacement_bar, std::span<double> speed_bar,
                        MotionNumbers& bars) const;
    void reverse_pairs(std::span<const double> displacement, std::span<const double> force_bar,
                       std::span<double> displacement_bar, MotionNumbers& bars) const;

    chain::Elements elements_;
    std::vector<Pair> pairs_;
    double dt_;
    bool empty_;
};

}  // namespace beadwave::gradients
