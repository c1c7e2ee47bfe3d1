// Notices when a mechanism with closed loops passes a singular position.
//
// There the loops lose a condition on the speeds, and the motion has more than one way on: a crank
// and a rod of equal length in one line with each other, a parallelogram that lies flat. Let G be
// the Jacobian of the loops and N a basis of the speeds that keep them closed, G N = 0, continued
// from step to step. The sign of det [G; N] changes where G loses a row, and nowhere else.
#pragma once

#include "recording/archive.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::mechanism {

class LoopOrientation {
  public:
    using Rows = std::vector<std::vector<double>>;

    /// The Jacobian after an accepted step, one row per condition. True if a singular position lies
    /// between this call and the last. Where the rows depend on each other (more joints than the
    /// motion needs), the answer is false.
    bool passes(const Rows& jacobian);

    void serialize(Archive&);

    /// Whether a row of the Jacobian depends on the others up to `least` of the longest row.
    static bool dependent(const Rows& jacobian, double least);

  private:
    Rows basis_;    ///< N of the last call, orthonormal; empty before the first call
    int sign_ = 0;  ///< of the determinant at the last call; 0: unknown
};

}  // namespace beadwave::mechanism
