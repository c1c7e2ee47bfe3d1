// Particles that are much faster than the others. The list of pairs reaches further for each of
// them, by the way that it goes while the list serves: a few fast ones, as a ball that strikes a
// bed and what it throws up, do not make all particles need new lists.
//
// The list is complete while no other particle has moved by more than the skin, and no fast one by
// more than its own reach. Which they are follows from the velocities at the list alone, so all
// ranks and devices have the same lists.
#pragma once

#include "bodies.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace beadwave::packing {

class FarReach {
  public:
    /// `acts` false: no particle reaches further. `radius`: the smallest; with `skin` [m].
    FarReach(bool acts, double time_step, double skin, double radius)
        : acts_(acts), time_step_(time_step), skin_(skin), radius_(radius) {}

    bool acts() const { return acts_; }

    /// Chooses for a new list, from the lines of the velocities now of the own particles; absent
    /// ones, by their numbers, do not count. Collective.
    void choose(const double* half, const Bodies& bodies, const BlockShare& share,
                std::span<const char> absent, int threads);
    /// Takes the choice of a saved state: that of all particles, by their places in the order.
    void restore(std::span<const double> of_slots) {
        saved_.assign(of_slots.begin(), of_slots.end());
        slowest_ = *std::ranges::max_element(saved_) > 0.0 ? skin_ / time_step_ : 0.0;
    }
    /// Whether the list reaches further for any particle of any rank.
    bool any() const { return slowest_ > 0.0; }
    /// By how much it does for a held particle, before adopt() [m].
    double chosen(const Bodies& bodies, std::size_t body) const;

    /// The list has been built: the held particles and the ghosts are what they are.
    void adopt(const Bodies& bodies, const BlockShare& share);
    /// By how much it does for each body [m], for a ghost as for its particle; 0: the body is not
    /// fast. Empty: none is.
    const std::vector<double>& reach() const { return reach_; }
    bool is_far(std::size_t body) const { return !reach_.empty() && reach_[body] > 0.0; }

    /// No fast particle has moved.
    static constexpr double nowhere = -std::numeric_limits<double>::infinity();
    /// By how much the most of a block's fast particles have left their reach [m].
    double farthest(std::size_t block, const double* places) const;

  private:
    bool acts_;
    double time_step_, skin_, radius_;
    double slowest_ = 0.0;  // of the fast [m/s]; 0: none is fast
    double steps_ = 0.0;    // that the list is to serve
    std::vector<double> saved_, reach_;
    std::vector<std::vector<std::uint32_t>> of_block_;  // fast ones of own blocks
    std::size_t first_block_ = 0;
};

}  // namespace beadwave::packing
