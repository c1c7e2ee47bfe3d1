// The starting points of the descents, and profile likelihoods.
#pragma once

#include "fit/descent.hpp"
#include "fit/fit.hpp"
#include "fit/noise_groups.hpp"
#include "fit/shared_runs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::fit {

/// The minima that the descents from several starts have found.
struct Minima {
    Point best;
    std::vector<Point> others;  ///< may equal the best but for rounding
};

class Search {
  public:
    /// `multistart`: number of extra points, which fill the space between the bounds; in equal
    /// ratios where a parameter's bounds are decades apart. The residuals are computed at all of
    /// them; descents start from the best three.
    Search(ResidualFunction& function, const Target& target, int multistart, int threads,
           SharedRuns& shared)
        : function_(function),
          target_(target),
          multistart_(multistart),
          threads_(threads),
          shared_(shared) {}

    Minima minima_from(const std::vector<double>& start, const Weights& weights) const;
    Point descend_from(const std::vector<double>& start, const Weights& weights) const;
    ProfileLikelihood profile(const std::string& key, const Point& best, const Weights& weights,
                              const std::vector<Estimate>& estimates, double noise,
                              const std::vector<Spread>& spreads) const;

  private:
    /// The parameters that have an effect at x; the others are held.
    std::vector<bool> free_at(const std::vector<double>& x, const Target& target,
                              const Weights& weights) const;
    /// The target that is fitted before the traces: peaks and arrivals, or where these are too few,
    /// arrivals and spectra. Empty if that is too few, too, or if the traces are not the target.
    std::optional<Target> first_stage() const;
    std::optional<std::vector<double>> start_from_first_stage(const std::vector<double>& start,
                                                              const Point& found,
                                                              const Weights& weights) const;
    std::vector<std::vector<double>> more_starts(const std::vector<double>& start,
                                                 const Weights& weights) const;
    std::vector<double> descend_first_stage(const std::vector<double>& start, const Target& stage,
                                            const Weights& weights) const;
    double misfit(const std::vector<double>& x, const Target& target, const Weights& weights) const;

    ResidualFunction& function_;
    const Target& target_;
    int multistart_, threads_;
    SharedRuns& shared_;
};

}  // namespace beadwave::fit
