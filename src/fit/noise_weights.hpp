// The weights of residuals: from noise that is given, or estimated on the way.
#pragma once

#include "fit/fit.hpp"
#include "fit/noise_groups.hpp"
#include "fit/search.hpp"

#include <vector>

namespace beadwave::fit {

/// Weights from the noise that is given; otherwise the rows of all traces weigh the same.
Weights first_weights(const FitInput& input);

/// Where the rows have noise, it makes the peaks and arrivals of weak or broad waves less certain
/// than those of others: sets the ratios of their deviations, unless these are given. Their sizes
/// are estimated later.
void weigh_peaks(const ResidualFunction& function, const FitSettings& settings, Weights& weights);

/// Which standard deviations the user gave.
struct GivenNoise {
    bool forces, arrivals;
};
GivenNoise given_noise(const FitSettings& settings);

/// Whether all that the target needs are given.
bool noise_is_given(const FitSettings& settings);

/// Whether peaks and arrivals are fitted together, and a noise of them is estimated.
bool has_two_noises(const FitSettings& settings);

/// Throws InputError if a group of residuals could be fitted exactly.
NoiseGroups groups_at(ResidualFunction& function, const Point& best, const Target& target,
                      const Weights& weights, const std::vector<bool>& fitted);

/// Peaks and arrivals have different noise, which follows from their residuals. Each sum of squares
/// is divided by the degrees of freedom of its group: otherwise, with few sensors, the weights
/// grow until one group is fitted exactly. Returns the logarithm of what the weights of one group
/// were divided by, times two for each of its residuals.
double estimate_weights(const Search& search, ResidualFunction& function, const FitInput& input,
                        Point& best, Weights& weights);

/// The priors that the settings have for keys.
std::vector<Prior> priors_of(const FitInput& input);

/// A loss and priors need residuals in units of their noise. If that is not given, this descends
/// again until the noise of the weighted residuals is 1. Returns what the weights were multiplied
/// with.
double scale_weights(const Search& search, ResidualFunction& function, const FitInput& input,
                     Point& best, Weights& weights);

}  // namespace beadwave::fit
