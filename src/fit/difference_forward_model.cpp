// Derivatives from runs at displaced values.

#include "beadwave/running/simulation.hpp"
#include "fit/forward_model.hpp"
#include "fit/setting.hpp"
#include "fit/shared_runs.hpp"
#include "jobs/read_job.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

namespace beadwave::fit {
namespace {

class UntilStopped : public jobs::ProgressCallback {
  public:
    explicit UntilStopped(const std::function<bool()>& stop) : stop_(stop) {}
    bool stop() override { return stop_ && stop_(); }

  private:
    const std::function<bool()>& stop_;
};

/// One difference formula: the weights of the responses at value + offset.
struct Stencil {
    std::vector<double> offsets, weights;
};

/// Central, or one-sided of the same order next to a bound. Runs repeat to the bit, and rounding is
/// some 1e-13 of a response; therefore the step can be this small.
Stencil stencil(double value, double low, double high) {
    constexpr double part = 1e-4;
    double h = part * std::min(high - low, std::max(std::abs(value), 0.1 * (high - low)));
    // A power of two: value + h and value - h are then exactly 2 h apart.
    h = std::exp2(std::round(std::log2(h)));
    const double w = 1.0 / (2.0 * h);
    if (value - h < low) return {{0.0, h, 2.0 * h}, {-3.0 * w, 4.0 * w, -w}};
    if (value + h > high) return {{0.0, -h, -2.0 * h}, {3.0 * w, -4.0 * w, w}};
    return {{h, -h}, {w, -w}};
}

class DifferenceForwardModel : public ForwardModel {
  public:
    DifferenceForwardModel(const FitProblem& problem, const std::string& why)
        : problem_(problem),
          by_("differences: " + why),
          file_(problem.scenario, problem.overrides) {}

    Response at(std::span<const double> values, bool derivatives) override {
        std::vector<std::vector<double>> points;
        const std::vector<double> base(values.begin(), values.end());
        const Traces known = last(base);
        const bool is_known = !known.times.empty();
        if (!is_known) points.push_back(base);
        std::vector<Stencil> stencils;
        for (std::size_t k = 0; derivatives && k < base.size(); ++k) {
            stencils.push_back(stencil(base[k], problem_.low[k], problem_.high[k]));
            for (const double offset : stencils.back().offsets) {
                if (offset == 0.0) continue;
                points.push_back(base);
                points.back()[k] += offset;
            }
        }
        // Threads that ask for the response without derivatives each make their own run.
        SharedRuns alone(nullptr);
        SharedRuns& shared = derivatives && problem_.shared ? *problem_.shared : alone;
        std::vector<Traces> traces;
        for (const std::vector<double>& numbers :
             shared.results(points, problem_.threads,
                            [&](const std::vector<double>& point) { return run(point); }))
            traces.push_back(traces_of(numbers));
        const Traces& at_base = is_known ? known : traces.front();
        for (const Traces& one : traces) {
            if (one.times != at_base.times)
                throw running::RunError("a fit needs the same sample times in all its runs");
        }
        Response response{at_base.times, at_base.forces, {}, by_};
        std::size_t next = is_known ? 0 : 1;
        if (derivatives) response.derivatives.assign(at_base.forces.size() * base.size(), 0.0);
        for (std::size_t k = 0; k < stencils.size(); ++k) {
            for (std::size_t j = 0; j < stencils[k].offsets.size(); ++j) {
                const bool here = stencils[k].offsets[j] == 0.0;
                const std::vector<double>& forces = here ? at_base.forces : traces[next++].forces;
                for (std::size_t i = 0; i < forces.size(); ++i)
                    response.derivatives[i * base.size() + k] += stencils[k].weights[j] * forces[i];
            }
        }
        if (!is_known) remember(base, at_base);
        return response;
    }

    std::size_t evaluations() const override { return evaluations_; }

  private:
    struct Traces {
        std::vector<double> times, forces;
    };

    /// One list: the number of times, the times, the forces.
    std::vector<double> run(const std::vector<double>& values) {
        std::vector<std::string> overrides;
        for (std::size_t k = 0; k < values.size(); ++k)
            overrides.push_back(setting(problem_.keys[k], values[k]));
        ++evaluations_;
        UntilStopped callback(problem_.stop);
        jobs::SensorTraces traces;
        traces.axis = static_cast<int>(problem_.component);
        const jobs::JobResult outcome = naming_bounds([&] {
            return file_.variant(overrides)->run({.record = &traces, .threads = 1}, callback);
        });
        if (!outcome.stopped.empty()) throw running::RunError(outcome.stopped);
        if (problem_.evaluated) problem_.evaluated();
        std::vector<double> numbers{static_cast<double>(traces.times.size())};
        numbers.insert(numbers.end(), traces.times.begin(), traces.times.end());
        numbers.insert(numbers.end(), traces.forces.begin(), traces.forces.end());
        return numbers;
    }
    static Traces traces_of(const std::vector<double>& numbers) {
        const auto times = numbers.begin() + 1;
        const auto forces = times + static_cast<std::ptrdiff_t>(numbers.front());
        return {{times, forces}, {forces, numbers.end()}};
    }

    /// The response at the same values is often asked for twice: alone, then with derivatives.
    Traces last(const std::vector<double>& values) {
        const std::lock_guard lock(mutex_);
        return values == last_values_ ? last_traces_ : Traces{};
    }
    void remember(const std::vector<double>& values, const Traces& traces) {
        const std::lock_guard lock(mutex_);
        last_values_ = values;
        last_traces_ = traces;
    }

    FitProblem problem_;
    std::string by_;
    jobs::JobFile file_;
    std::atomic<std::size_t> evaluations_ = 0;
    std::mutex mutex_;
    std::vector<double> last_values_;
    Traces last_traces_;
};

}  // namespace

std::unique_ptr<ForwardModel> by_differences(const FitProblem& problem, const std::string& why) {
    return std::make_unique<DifferenceForwardModel>(problem, why);
}

}  // namespace beadwave::fit
