// Runs a mechanism.
//
// The step is as long as the accuracy allows. The estimated error of one step stays below
// `accuracy` times the range of each coordinate (of an angle: one radian), times the largest value
// so far of each speed, and, where bodies touch, times the overlap and the impact speed. The start
// of a contact, its turn from loading to unloading and its end are ends of steps, found to
// rounding. The memory of a law is committed there and at the end of every accepted step, and at no
// other time.
#pragma once

#include "mechanism/mechanism.hpp"
#include "mechanism/result.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace beadwave::mechanism {

/// Receives the mechanism at time 0, at every multiple of `interval`, and at the end.
using SampleCallback = std::function<void(const Sample&)>;

/// Number of samples of the history, without that at time 0. The last is at the end.
std::int64_t samples_of(const Mechanism&);

/// Callbacks during a run. Each may be empty.
struct Sinks {
    SampleCallback sample{};
    /// Each impact of a contact point, once: after its end, or at the end of the run if it lasts.
    std::function<void(std::size_t point, const Impact&)> impact{};
    /// Called after every step, and often during a step; true ends the run after the last whole
    /// step.
    std::function<bool()> stop{};
    /// Called after every step, with the number of the last sample.
    std::function<bool(std::int64_t sample)> checkpoint_due{};
    /// Called when a checkpoint is due and before a stop, with all that simulate() needs to
    /// continue to the same bits.
    std::function<void(std::int64_t sample, const std::vector<double>& state)> checkpoint{};
    /// Called around each step of a mechanism with many closed loops: one solve takes minutes,
    /// during which nothing asks `stop`. A checkpoint of the state before the step has been
    /// written, except at the start: all that an end of the process loses is this step.
    std::function<void(double time)> solve_begins{};
    std::function<void()> solve_ends{};
    /// Whether the run may take however long; otherwise it ends when its steps stay so short that
    /// it would take more than a month: run_length.hpp.
    bool accepts_long_runs = false;
    /// For tests of the warnings: contacts at rest neither part nor begin to slip, whatever they
    /// would have to bear.
    bool ignore_releases = false;
};

/// Runs to the end time, from the start or from a saved state. Throws PartError if the mechanism is
/// invalid (check()), std::length_error if the state belongs to another mechanism, and
/// std::runtime_error if the steps become too short or too many.
Result simulate(const Mechanism&, const Sinks&, const std::vector<double>* from = nullptr);
Result simulate(const Mechanism&, const SampleCallback& on_sample = {});

}  // namespace beadwave::mechanism
