#include "gradients/measure.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace beadwave::gradients {

Measure::Measure(const std::vector<Objective>& objectives, const stepping::TimeStep& step)
    : objectives_(objectives), step_(step) {
    for (const Objective& each : objectives) {
        const Window window = window_of(each, step.step, step.count);
        if (window.last < window.first) {
            throw InputError(fmt::format(
                "{}: no step of the run is within its time, {:g} s to {:g} s; the run has "
                "steps of {:g} s up to {:g} s",
                each.name, each.from, each.to, step.step,
                static_cast<double>(step.count) * step.step));
        }
        if (each.kind == ObjectiveKind::energy) {
            of_objective_.push_back(energies_.size());
            energies_.push_back({each.first_bead, each.last_bead, window, each.weight});
            continue;
        }
        of_objective_.push_back(channel_of(each.channel));
        if (each.kind == ObjectiveKind::transmission) channel_of(each.incident);
    }
}

std::size_t Measure::channel_of(const Channel& channel) {
    const auto found = std::ranges::find(channels_, channel);
    const auto at = static_cast<std::size_t>(found - channels_.begin());
    if (found == channels_.end()) channels_.push_back(channel);
    return at;
}

Measure::Measure(std::vector<Channel> channels, TraceFunction function,
                 const stepping::TimeStep& step)
    : step_(step), function_(std::move(function)), channels_(std::move(channels)) {}

Readings Measure::no_seeds() const {
    return Readings(channels_.size(),
                    std::vector<double>(static_cast<std::size_t>(step_.count) + 1, 0.0));
}

Values Measure::of(const Readings& readings, std::span<const double> energies,
                   Readings* seeds) const {
    if (function_) return {.sum = function_(readings, seeds), .each = {}};
    Values values;
    const auto channel = [&](std::size_t at) {
        return ChannelReadings{readings[at],
                               seeds != nullptr ? std::span((*seeds)[at]) : std::span<double>{}};
    };
    for (std::size_t k = 0; k < objectives_.size(); ++k) {
        const std::size_t at = of_objective_[k];
        double value = 0.0;
        if (objectives_[k].kind == ObjectiveKind::energy) {
            value = energies[at];
        } else if (objectives_[k].kind == ObjectiveKind::transmission) {
            const auto incident = std::ranges::find(channels_, objectives_[k].incident);
            value = evaluate_transmission(
                objectives_[k], step_.step, channel(at),
                channel(static_cast<std::size_t>(incident - channels_.begin())));
        } else {
            const ChannelReadings own = channel(at);
            value = evaluate(objectives_[k], step_.step, own.readings, own.seeds);
        }
        values.each.push_back(value);
        values.sum += objectives_[k].weight * value;
    }
    return values;
}

}  // namespace beadwave::gradients
