#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/estimates.hpp"
#include "fit/fit.hpp"
#include "fit/search.hpp"
#include "fit/shared_runs.hpp"
#include "fit/subject.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace beadwave::fit {
namespace {

/// Lets the model move from the start: by dual numbers where that is possible.
std::unique_ptr<Motion> begin(Model& model, const Subject& subject,
                              const std::vector<double>& start) {
    std::string why = "nothing of the scenario varies";
    std::unique_ptr<Motion> motion;
    if (!subject.keys.empty()) motion = by_dual_numbers(subject, why);
    if (motion) {
        model.move_by(*motion);
        try {
            model.peaks(start);
            return motion;
        } catch (const running::RunError& error) {
            if (model.stopped()) throw;
            why = error.what();
        }
    }
    motion = by_differences(subject, why);
    model.move_by(*motion);
    return motion;
}

/// A start so far off that the measurement must be in another unit.
void check_unit(Model& model, const std::vector<double>& start) {
    if (std::ranges::count(model.parameters(), Role::gain, &Parameter::role) > 0) return;
    double measured = 0.0, computed = 0.0;
    const std::vector<observers::SensorPeak> peaks = model.peaks(start);
    for (std::size_t c = 0; c < peaks.size(); ++c) {
        measured = std::max(measured, model.measured().traces[c].peak.force);
        computed = std::max(computed, peaks[c].force);
    }
    constexpr double another_unit = 200.0;
    if (measured > another_unit * computed || computed > another_unit * measured) {
        throw InputError(fmt::format(
            "{}: the largest force is {:.4g}, and {:.4g} N in a run from the fit's start; expected "
            "forces in N",
            model.measured().name, measured, computed));
    }
}

Weights first_weights(const Task& task) {
    const std::vector<MeasuredTrace>& traces = task.measured.traces;
    const std::vector<double>& noise = task.request.noise;
    constexpr double part = 0.01;  // of a peak, and of the wave's way to the sensor
    Weights weights;
    for (std::size_t c = 0; c < traces.size(); ++c) {
        const double given = noise.empty() ? 0.0 : noise[noise.size() == 1 ? 0 : c];
        weights.trace.push_back(given > 0.0 ? given : 1.0);
        weights.peak.push_back(given > 0.0 ? given : part * traces[c].peak.force);
        double latest = 0.0;
        for (const MeasuredTrace& trace : traces)
            latest = std::max(latest, std::abs(trace.peak.time));
        weights.arrival.push_back(
            task.request.arrival_noise.value_or(part * std::max(latest, 1e-300)));
    }
    return weights;
}

/// Peaks and arrivals have each their own noise, which their residuals tell.
bool reweigh(Model& model, const Point& best, const Target& target, Weights& weights) {
    const Residuals all = model.residuals(best.x, target, weights, false);
    std::array<double, 2> sums{};
    for (std::size_t i = 0; i < all.values.size(); ++i)
        sums[i % 2] += all.values[i] * all.values[i];
    const double each = 0.5 * static_cast<double>(all.values.size());
    const double left = each - 0.5 * static_cast<double>(best.x.size());
    if (!(left > 0.0) || !(sums[0] > 0.0) || !(sums[1] > 0.0)) return false;
    const double ratio = std::sqrt(sums[1] / sums[0]);
    for (double& arrival : weights.arrival)
        arrival *= ratio;
    constexpr double settled = 0.01;
    return std::abs(ratio - 1.0) > settled;
}

bool noise_is_given(const Request& request) {
    const bool forces = !(request.target.traces || request.target.peaks) || !request.noise.empty();
    return forces && (!request.target.arrivals || request.arrival_noise.has_value());
}

void add_misfits(Model& model, const Point& best, LawFit& fit) {
    fit.computed = model.computed(best.x);
    const std::vector<observers::SensorPeak> peaks = model.peaks(best.x);
    double all = 0.0, rows = 0.0;
    for (std::size_t c = 0; c < peaks.size(); ++c) {
        const MeasuredTrace& trace = model.measured().traces[c];
        double squares = 0.0, used = 0.0;
        for (std::size_t row = 0; row < trace.force.size(); ++row) {
            if (!trace.used[row]) continue;
            const double misfit = fit.computed[c][row] - trace.force[row];
            squares += misfit * misfit;
            used += 1.0;
        }
        fit.sensors.push_back({trace.id, std::sqrt(squares / used), model.measured_top(c), peaks[c],
                               model.has_top(c)});
        all += squares;
        rows += used;
    }
    fit.rms = std::sqrt(all / rows);
    fit.rows_correlate = rows_correlate(fit.computed, model.measured());
}

/// Akaike's criterion, corrected for few data; the noise, if estimated, is one more parameter.
double information(double chi_squared, double data, double parameters, bool given) {
    const double k = parameters + (given ? 0.0 : 1.0);
    const double misfit =
        given ? chi_squared : data * std::log(std::max(chi_squared / data, 1e-300));
    const double left = data - k - 1.0;
    return misfit + 2.0 * k + (left > 0.0 ? 2.0 * k * (k + 1.0) / left : 0.0);
}

}  // namespace

LawFit fit_law(const Task& task, const std::string& law) {
    const auto began = std::chrono::steady_clock::now();
    const Request& request = task.request;
    SharedRuns shared(request.ranks);
    Subject subject = subject_of(task, law);
    subject.shared = &shared;
    Model model(task.measured, task.parameters, request.stop);
    const Target& target = request.target;
    Weights weights = first_weights(task);
    std::vector<double> start;
    for (const Parameter& parameter : task.parameters)
        start.push_back(parameter.start);
    const std::unique_ptr<Motion> motion = begin(model, subject, start);
    check_unit(model, start);
    model.read_tops(start);
    const std::vector<std::int64_t> missed = model.forget_missed_tops(start);
    const std::size_t data = model.count(target), p = task.parameters.size();
    if (data <= p) {
        throw InputError(
            fmt::format("{}: {} numbers cannot tell {} parameters", task.measured.name, data, p));
    }
    LawFit fit{.law = law, .data = data};
    if (!missed.empty()) {
        fit.notes.push_back(fmt::format(
            "the wave passes sensor {} while nothing was measured: no peak, no arrival there",
            fmt::join(missed, ", ")));
    }

    const Search search{model, target, request.starts, request.threads, shared};
    Point best = search.best_from(start, weights);
    const bool given = noise_is_given(request);
    if (target.peaks && target.arrivals && !given) {
        constexpr int most_rounds = 10;
        for (int round = 0; round < most_rounds && reweigh(model, best, target, weights); ++round)
            best = search.descend_from(best.x, weights);
    }
    fit.chi_squared = best.local.sum_of_squares();
    const double freedom = static_cast<double>(data - p);
    fit.noise = given ? 1.0 : std::sqrt(fit.chi_squared / freedom);
    const Judged judged = judge(task.parameters, best, fit.noise,
                                given ? std::numeric_limits<double>::infinity() : freedom);
    fit.estimates = judged.estimates;
    fit.correlation = judged.correlation;
    fit.information =
        information(fit.chi_squared, static_cast<double>(data), static_cast<double>(p), given);
    add_misfits(model, best, fit);
    fit.by = model.by();
    for (const std::string& key : request.profiled)
        fit.profiles.push_back(
            search.profile(key, best, weights, fit.estimates, fit.noise,
                           given ? std::numeric_limits<double>::infinity() : freedom));
    fit.scenario = scenario_with(task, law, fit.estimates);
    fit.runs = motion->runs() + shared.elsewhere();
    fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    for (const Estimate& estimate : fit.estimates) {
        if (!estimate.why.empty()) fit.notes.push_back(estimate.key + ": " + estimate.why);
    }
    constexpr double hardly_apart = 0.99;
    for (std::size_t i = 0; i < p; ++i) {
        for (std::size_t j = i + 1; j < p; ++j) {
            const double c = fit.correlation[i * p + j];
            if (!(std::abs(c) > hardly_apart)) continue;
            fit.notes.push_back(
                fmt::format("{} and {} are hardly told apart (correlation {:.5f}): other pairs may "
                            "fit as well; "
                            "--profile and --starts look for them",
                            fit.estimates[i].key, fit.estimates[j].key, c));
        }
    }
    shared.results({}, 1, {});  // who were in step end together
    constexpr double correlated = 0.3, by_rounding = 1e-6;
    double largest = 0.0;
    for (const SensorMisfit& sensor : fit.sensors)
        largest = std::max(largest, sensor.measured.force);
    if (target.traces && fit.rows_correlate > correlated && fit.rms > by_rounding * largest) {
        fit.notes.push_back(fmt::format(
            "what is left over correlates from row to row ({:.2f}): the law or the scenario misses "
            "something, or the noise is not white; the errors are too small then",
            fit.rows_correlate));
    }
    return fit;
}

}  // namespace beadwave::fit
