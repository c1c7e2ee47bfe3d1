// What is differentiated: objectives, or any function of traces, and what they read of a run.
#pragma once

#include "beadwave/stepping/time_step.hpp"
#include "gradients/objective.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::gradients {

/// The value for readings by channel, from step 0. If `seeds` is not null, the derivatives by the
/// readings go there, which are 0 before.
using TraceFunction = std::function<double(const Readings& readings, Readings* seeds)>;

struct Values {
    double sum = 0.0;          ///< weighted
    std::vector<double> each;  ///< without weights; of a function none
};

class Measure {
  public:
    /// Throws InputError for an objective without a step of the run.
    Measure(const std::vector<Objective>& objectives, const stepping::TimeStep& step);
    Measure(std::vector<Channel> channels, TraceFunction function, const stepping::TimeStep& step);

    const std::vector<Channel>& channels() const { return channels_; }
    const std::vector<EnergyWindow>& energies() const { return energies_; }

    /// Zeros for the derivatives by all readings.
    Readings no_seeds() const;
    /// The values for the readings of the channels and the mean energies [J] in the windows; with
    /// `seeds`, also derivatives.
    Values of(const Readings& readings, std::span<const double> energies, Readings* seeds) const;

  private:
    std::size_t channel_of(const Channel& channel);

    std::vector<Objective> objectives_{};
    stepping::TimeStep step_;
    TraceFunction function_{};
    std::vector<Channel> channels_{};  // each once
    std::vector<EnergyWindow> energies_{};
    std::vector<std::size_t> of_objective_{};  // index among channels, or among energies
};

}  // namespace beadwave::gradients
