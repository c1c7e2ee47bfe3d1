// Amplitude spectra of traces: what a fit compares first, before computed and measured waves
// overlap in time. An amplitude does not depend on when the wave passes.
#pragma once

#include "fit/residual_function.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::fit {

/// Frequencies that are compared, from 0 to that of a wave as long as the hump.
constexpr std::size_t spectrum_frequencies = 16;

/// One trace over the rows that are used.
struct SpectrumRows {
    std::vector<double> time;                  ///< [s]
    std::vector<double> length;                ///< of the time that each row stands for [s]
    std::vector<double> computed, measured;    ///< [N]
    std::vector<std::vector<double>> columns;  ///< derivatives of `computed`, one per parameter
};

/// Adds a residual for each frequency: the computed less the measured amplitude, in units of a
/// hundredth of the root mean square of the measured amplitudes. `half_width` [s]: half the
/// duration of the hump. Zeros for a trace that is 0.
void add_spectrum(const SpectrumRows& rows, double half_width, Residuals& result);

}  // namespace beadwave::fit
