// Where descents begin, and what they say when one parameter is held.
#pragma once

#include "fit/descent.hpp"
#include "fit/fit.hpp"
#include "fit/shared_runs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::fit {

class Search {
  public:
    /// `starts`: how many more points are tried before the best of them are begun from.
    Search(Model& model, const Target& target, int starts, int threads, SharedRuns& shared)
        : model_(model), target_(target), starts_(starts), threads_(threads), shared_(shared) {}

    Point best_from(const std::vector<double>& start, const Weights& weights) const;
    Point descend_from(const std::vector<double>& start, const Weights& weights) const;
    Profile profile(const std::string& key, const Point& best, const Weights& weights,
                    const std::vector<Estimate>& estimates, double noise, double freedom) const;

  private:
    /// Which have an effect there; the others are held.
    std::vector<bool> free_at(const std::vector<double>& x, const Target& target,
                              const Weights& weights) const;
    std::optional<std::vector<double>> by_tops(const std::vector<double>& start, const Point& found,
                                               const Weights& weights) const;
    std::vector<std::vector<double>> tried(const std::vector<double>& start,
                                           const Weights& weights) const;
    double misfit(const std::vector<double>& x, const Weights& weights) const;

    Model& model_;
    const Target& target_;
    int starts_, threads_;
    SharedRuns& shared_;
};

}  // namespace beadwave::fit
