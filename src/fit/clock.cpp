#include "fit/clock.hpp"

#include "beadwave/input_error.hpp"
#include "fit/fit_problem.hpp"
#include "fit/forward_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace beadwave::fit {
namespace {

/// Reading of the laboratory's clock at the start of the run [s], from each sensor.
std::vector<double> shifts_of(const FitInput& input, const Response& run,
                              const std::vector<MeasuredArrival>& arrivals) {
    const std::size_t sensors = run.forces.size() / run.times.size();
    std::vector<double> shifts;
    for (const MeasuredArrival& arrival : arrivals) {
        std::vector<double> force;
        for (std::size_t i = 0; i < run.times.size(); ++i)
            force.push_back(run.forces[i * sensors + arrival.sensor]);
        const observers::SensorPeak computed = observers::measured_peak(run.times, force);
        if (computed.force > 0.0) shifts.push_back(arrival.time - computed.time);
    }
    if (shifts.empty()) {
        throw InputError(fmt::format(
            "{}: no wave reaches the sensors in a run at the start of the fit, so that nothing "
            "tells where the clock is; give clock.shift bounds closer than half of the run",
            input.settings.measured.string()));
    }
    return shifts;
}

}  // namespace

void narrow_clock(FitInput& input, const std::string& law, std::span<const std::int64_t> sensors,
                  double end) {
    const auto shift = std::ranges::find(input.parameters, Role::clock_shift, &FreeParameter::role);
    constexpr double most = 0.5, reach = 0.25;  // of the run
    if (shift == input.parameters.end() || shift->high - shift->low <= most * end) return;
    if (input.settings.component != Component::norm) {
        throw InputError(fmt::format(
            "--bounds clock.shift={}:{}: is wider than half of the run, and a component has no "
            "arrival that puts the clock; give closer bounds",
            shift->low, shift->high));
    }
    if (input.settings.begin) input.settings.begin();
    const FitProblem problem = make_fit_problem(input, law);
    const std::unique_ptr<ForwardModel> model = by_differences(problem, "");
    std::vector<double> start;
    for (const FreeParameter& parameter : input.parameters) {
        if (parameter.role == Role::scenario) start.push_back(parameter.start);
    }
    std::vector<double> shifts =
        shifts_of(input, model->at(start, false),
                  measured_arrivals(*input.settings.traces, sensors, input.settings.masks));
    input.evaluations = model->evaluations();
    const auto middle = shifts.begin() + static_cast<std::ptrdiff_t>(shifts.size() / 2);
    std::ranges::nth_element(shifts, middle);
    const double low = std::max(shift->low, *middle - reach * end);
    const double high = std::min(shift->high, *middle + reach * end);
    if (!(low < high)) {
        throw InputError(fmt::format(
            "--bounds clock.shift={}:{}: by the arrivals the run begins at {:.4g} s on the clock "
            "of {}, more than a quarter of the run outside of these bounds",
            shift->low, shift->high, *middle, input.settings.measured.string()));
    }
    input.clock_search = fmt::format(
        "the bounds of clock.shift, {:g} to {:g} s, are wider than half of the run: the arrivals "
        "of a run at the start put it at {:.4g} s",
        shift->low, shift->high, *middle);
    shift->low = low;
    shift->high = high;
    shift->start = input.settings.starts.contains(shift->key) ? std::clamp(shift->start, low, high)
                                                              : std::clamp(*middle, low, high);
}

FitInput with_settled_clock(FitInput input, const std::string& law) {
    if (input.clock_search.empty()) return input;
    const LawFit rough = fit_law(input, law);
    constexpr double errors = 10.0, part = 0.04;  // of what narrow_clock() left
    FitSettings settings = input.settings;
    for (const Estimate& estimate : rough.estimates) {
        if (estimate.key != "clock.shift") continue;
        if (!estimate.known || estimate.at_bound) return input;  // the fit says so
        const double reach = std::max(errors * estimate.standard_error,
                                      part * (estimate.bound_high - estimate.bound_low));
        for (BoundedKey& bounds : settings.bounds) {
            if (bounds.key != estimate.key) continue;
            bounds.low = std::max(estimate.bound_low, estimate.value - reach);
            bounds.high = std::min(estimate.bound_high, estimate.value + reach);
        }
        settings.starts[estimate.key] = estimate.value;
        const std::size_t before = rough.evaluations;
        const std::string search =
            fmt::format("{}, and a first fit at {:.4g} s, around which it is fitted",
                        input.clock_search, estimate.value);
        input = prepare(settings, law);
        input.evaluations += before;
        input.measured.warnings.push_back(search);
    }
    return input;
}

}  // namespace beadwave::fit
