// What the members of an ensemble have in common: mean, spread and quantiles of each result, and of
// each quantity over time. Of N ensembles, each with the finished runs among its members:
//
//     /sweep/ensemble                  attributes `members` and `disturbed`: the keys
//     /sweep/ensemble/finished         [N] the number of its runs that finished
//     /sweep/ensemble/probability      [Q] of the quantiles
//     /sweep/ensemble/results/NAME     mean [N], standard_deviation [N], quantile [N][Q]
//     /sweep/ensemble/over_time/NAME   mean [N][T], standard_deviation [N][T], quantile [N][Q][T]
#pragma once

#include "io/tables/sweep_table.hpp"

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <vector>

namespace beadwave::io {

inline constexpr std::array<double, 5> ensemble_probabilities{0.05, 0.25, 0.5, 0.75, 0.95};

struct Spread {
    std::size_t count;          ///< of the numbers
    double mean;                ///< NaN without numbers
    double standard_deviation;  ///< with count - 1; NaN for fewer than two numbers
    std::array<double, ensemble_probabilities.size()>
        quantiles;  ///< linear between the numbers in order
};

/// The spread of the numbers that are not NaN. The same numbers in the same order: the same bits.
Spread spread_of(std::vector<double> numbers);

/// The spread of a result of the run among the members of an ensemble.
Spread spread_of_run(const SweepTable& table, std::size_t ensemble, std::size_t quantity);
/// The spread of a quantity at one time among the members of an ensemble.
Spread spread_over_time(const SweepTable& table, std::size_t ensemble, std::size_t quantity,
                        std::size_t time);

/// Writes /sweep/ensemble; nothing if the table has no ensemble.
void write_ensemble(hid_t sweep, const SweepTable& table);

}  // namespace beadwave::io
