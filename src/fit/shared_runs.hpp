// Runs of a fit that several ranks share: all go through the fit in step, each makes its part of
// the runs, and all learn what came of every one.
#pragma once

#include "ranks/ranks.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace beadwave::fit {

class SharedRuns {
  public:
    /// Null: this process alone.
    explicit SharedRuns(ranks::Ranks* ranks) : ranks_(ranks) {}

    /// What work() makes of each of the points, in `threads` threads. Where ranks are several, all
    /// call this together with the same points, each computes its part, and the result is the same
    /// on all. Throws what the first point that threw did, InputError and running::RunError on all
    /// ranks; running::RunError where ranks have different points; ranks::RankFailure.
    std::vector<std::vector<double>> results(
        const std::vector<std::vector<double>>& points, int threads,
        const std::function<std::vector<double>(const std::vector<double>&)>& work);

    /// How many points other ranks have computed so far.
    std::size_t elsewhere() const { return elsewhere_; }

  private:
    ranks::Ranks* ranks_;
    std::size_t elsewhere_ = 0;
};

}  // namespace beadwave::fit
