// Keeps the loops of a tree closed: by forces along their conditions, and at the end of a step by
// the smallest change of the state, measured by the masses. With J the derivatives of the
// conditions and M the mass matrix, J M^-1 J' maps forces along the conditions to accelerations.
#pragma once

#include "mechanism/loop_conditions.hpp"
#include "mechanism/semidefinite.hpp"

#include <optional>
#include <span>
#include <vector>

namespace beadwave::mechanism {

class Loops {
  public:
    /// The tree must outlive the loops. Moves it to its start.
    Loops(const std::vector<simbody::Branch>&, std::vector<Closure>, simbody::Tree&);

    /// To be called after each change of the state of the tree.
    void state_changed() { current_ = false; }
    /// Closes the loops at these q and u. False if they do not close.
    [[nodiscard]] bool close(double time, std::span<double> q, std::span<double> u,
                             double tolerance);
    /// u' under these loads, one per body.
    void accelerate(std::span<const Load> loads, double* accelerations);
    /// What each closure's first body did to its second at the last accelerate().
    std::vector<Load> reactions() const;
    /// Adds to a change of the speeds what the impulses of the loops do.
    void hold(std::vector<double>& change);

    /// False: the joints make a rigid structure of the bodies.
    bool moves() const { return moves_; }
    /// Number of conditions that repeat others all along the motion.
    std::size_t repeated_conditions() const { return rank_ ? conditions_.size() - *rank_ : 0; }
    /// How far apart the joints were at the last close() that failed although the conditions that
    /// count hold [m].
    double contradiction() const { return contradiction_; }
    /// The rows of the conditions that count, at the present state; zero at motors' coordinates.
    LoopConditions::Rows jacobian();

  private:
    void update();
    void add_response(const std::vector<double>& forces, double* change) const;
    /// Largest of the numbers of the rows that count.
    double largest(const std::vector<double>& numbers) const;
    bool close_positions(double time, std::span<double> q, std::span<double> u, double tolerance);
    bool close_speeds(std::span<double> u, double tolerance);
    /// Whether all conditions hold, not only those that count.
    bool agree(std::span<const double> u);

    LoopConditions conditions_;
    simbody::Tree& tree_;
    std::optional<std::size_t> rank_;  ///< of loops that repeat conditions
    bool moves_ = true;
    double contradiction_ = 0.0;
    std::vector<double> forces_;  ///< along the conditions
    std::vector<Load> loads_;     ///< on the bodies, those of the loops with them

    // At the present state of the tree, where `current_`.
    bool current_ = false;
    LoopConditions::Rows rows_;       ///< J
    LoopConditions::Rows responses_;  ///< M^-1 J', one row per condition
    Semidefinite system_;             ///< J M^-1 J'
};

}  // namespace beadwave::mechanism
