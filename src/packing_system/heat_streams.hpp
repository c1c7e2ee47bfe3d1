// The temperatures of a packing at snapshots, and the sums of its heat at the samples of the
// energy.
#pragma once

#include "packing/heat/heat.hpp"
#include "packing/packing_engine.hpp"
#include "recording/stream.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::running {

/// The heat of a packing at one sample of the energy.
struct HeatSample {
    packing::HeatTotals totals;
    std::vector<double> walls;  ///< into each [J]

    /// The engine has heat().
    void take(const packing::PackingEngine& engine);
};

/// The heat of a packing at the end of a run.
struct HeatResult {
    packing::HeatTotals totals;
    /// Temperatures of the particles that are there [K]; mean by heat capacity. NaN: there is none.
    double lowest, mean, highest;
    /// The largest that would come of the dissipation of a particle's own contacts alone [K].
    double adiabatic_rise;
    double fastest;  ///< Heat::fastest() [1/s]
};
HeatResult heat_result(const packing::Packing& packing, const packing::PackingEngine& engine);

/// `temperature` [K] and `sample` must outlive the description.
void add_heat(recording::Description& all, const std::vector<double>* temperature,
              const HeatSample& sample, std::size_t particles, std::size_t walls);

/// Conductance over heat capacity, times the time step, up to which a step of conduction is exact
/// enough, and up to which it is stable.
inline constexpr double coarse_conduction = 0.1, unstable_conduction = 1.0;
/// One sentence without the time; empty: the step is short enough.
std::string too_fast_conduction(const packing::Heat& heat, double most, double time_step);

}  // namespace beadwave::running
