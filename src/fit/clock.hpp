// The clock of the measurement, where nothing is known of it.
#pragma once

#include "fit/fit.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace beadwave::fit {

/// Only rows that the run covers for every clock shift between its bounds can be fitted. If these
/// are farther apart than half of the run, a run at the start puts the clock where its arrivals are
/// those that were measured, and the bounds of the shift move to within a quarter of the run of
/// that. `clock_search` says so; it stays empty if the bounds are closer. `end` [s]: of the run.
/// Throws InputError, running::RunError.
void narrow_clock(FitInput& input, const std::string& law, std::span<const std::int64_t> sensors,
                  double end);

/// After narrow_clock(), a first fit under this law puts the clock more closely, so that nearly all
/// rows can be fitted. Otherwise returns the input as it is. Throws as fit_law() does.
FitInput with_settled_clock(FitInput input, const std::string& law);

}  // namespace beadwave::fit
