// The linear part of velocity Verlet on many columns at once: how small changes of the state go on.
#pragma once

#include "orbits/links.hpp"
#include "orbits/matrix.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace beadwave::orbits {

/// Changes of the displacements [m] and velocities [m/s] of the freedoms, one column per direction.
struct Tangent {
    Matrix displacement, velocity;
};

class TangentRows {
  public:
    /// `freedom`: of each body, its row; none: it is held. `kick`: dt / (2 m) of each row [s/kg].
    TangentRows(const std::vector<Link>& links, const std::vector<std::size_t>& freedom,
                std::vector<double> kick, bool damped, Tangent& tangent);

    /// The first change of velocity in half a step, from the links at the start.
    void init(const std::vector<Link>& links);
    /// Displacements and velocities of the next step, with the links there in between.
    void drift(double time_step);
    void kick(const std::vector<Link>& links);

  private:
    void set_values(const std::vector<Link>& links);

    Tangent& tangent_;
    std::vector<double> kick_;
    bool damped_;
    Matrix change_, predicted_;
    // Sparse rows: the places row_[i] to row_[i + 1] of column_, stiffness_ and damping_.
    std::vector<std::size_t> row_, column_;
    std::vector<double> stiffness_, damping_;
    std::vector<std::array<std::size_t, 4>> place_;  ///< per link: (1,1), (1,2), (2,1), (2,2)
};

}  // namespace beadwave::orbits
