// Runs of a fit that several ranks share. All ranks compute the same fit, each makes its part of
// the runs, and all get the result of every run.
#pragma once

#include "ranks/communicator.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace beadwave::fit {

class SharedRuns {
  public:
    /// Null: this process alone.
    explicit SharedRuns(ranks::Communicator* ranks) : ranks_(ranks) {}

    /// The result of work() at each point, computed in `threads` threads. Collective if there are
    /// several ranks: all call this with the same points, each computes its part, and the result is
    /// the same on all. Throws the InputError or running::RunError of the first point that failed,
    /// on all ranks; running::RunError if ranks have different points; ranks::RankFailure.
    std::vector<std::vector<double>> results(
        const std::vector<std::vector<double>>& points, int threads,
        const std::function<std::vector<double>(const std::vector<double>&)>& work);

    /// Number of points that other ranks have computed so far.
    std::size_t elsewhere() const { return elsewhere_; }

  private:
    ranks::Communicator* ranks_;
    std::size_t elsewhere_ = 0;
};

}  // namespace beadwave::fit
