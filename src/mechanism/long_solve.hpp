// Mechanisms with so many closed loops that one solve takes long.
#pragma once

#include "mechanism/simulate.hpp"

namespace beadwave::mechanism {

/// Whether a solve of this mechanism may take minutes.
bool solves_long(const Mechanism&);

/// Tells the sinks of work that nothing interrupts.
class Solve {
  public:
    Solve(const Sinks& sinks, bool is_long, double time) : sinks_(sinks), is_long_(is_long) {
        if (is_long_ && sinks_.solve_begins) sinks_.solve_begins(time);
    }
    ~Solve() {
        if (is_long_ && sinks_.solve_ends) sinks_.solve_ends();
    }
    Solve(const Solve&) = delete;
    Solve& operator=(const Solve&) = delete;

  private:
    const Sinks& sinks_;
    bool is_long_;
};

}  // namespace beadwave::mechanism
