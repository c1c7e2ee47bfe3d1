// Derivatives from runs at displaced values.

#include "beadwave/running/simulation.hpp"
#include "fit/motion.hpp"
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

class UntilStopped : public jobs::Watcher {
  public:
    explicit UntilStopped(const std::function<bool()>& stop) : stop_(stop) {}
    bool stop() override { return stop_ && stop_(); }

  private:
    const std::function<bool()>& stop_;
};

/// One difference: the weights of the responses at value + offset.
struct Stencil {
    std::vector<double> offsets, weights;
};

/// Central, or one-sided of the same order where a bound is in the way. Runs repeat to the bit, so
/// that rounding, some 1e-13 of a response, leaves a step this small.
Stencil stencil(double value, double low, double high) {
    constexpr double part = 1e-4;
    double h = part * std::min(high - low, std::max(std::abs(value), 0.1 * (high - low)));
    // Exact in binary: value + h and value - h lie as far apart as they are taken to.
    h = std::exp2(std::round(std::log2(h)));
    const double w = 1.0 / (2.0 * h);
    if (value - h < low) return {{0.0, h, 2.0 * h}, {-3.0 * w, 4.0 * w, -w}};
    if (value + h > high) return {{0.0, -h, -2.0 * h}, {3.0 * w, -4.0 * w, w}};
    return {{h, -h}, {w, -w}};
}

class Differences : public Motion {
  public:
    Differences(const Subject& subject, const std::string& why)
        : subject_(subject),
          by_("differences: " + why),
          file_(subject.scenario, subject.settings) {}

    Response at(std::span<const double> values, bool derivatives) override {
        std::vector<std::vector<double>> points;
        const std::vector<double> base(values.begin(), values.end());
        const Traces known = last(base);
        const bool is_known = !known.times.empty();
        if (!is_known) points.push_back(base);
        std::vector<Stencil> stencils;
        for (std::size_t k = 0; derivatives && k < base.size(); ++k) {
            stencils.push_back(stencil(base[k], subject_.low[k], subject_.high[k]));
            for (const double offset : stencils.back().offsets) {
                if (offset == 0.0) continue;
                points.push_back(base);
                points.back()[k] += offset;
            }
        }
        // Threads may ask for the response alone, each for its own.
        SharedRuns alone(nullptr);
        SharedRuns& shared = derivatives && subject_.shared ? *subject_.shared : alone;
        std::vector<Traces> traces;
        for (const std::vector<double>& numbers :
             shared.results(points, subject_.threads,
                            [&](const std::vector<double>& point) { return run(point); }))
            traces.push_back(traces_of(numbers));
        const Traces& at_base = is_known ? known : traces.front();
        for (const Traces& one : traces) {
            if (one.times != at_base.times)
                throw running::RunError("a fit needs the same sample times in all runs");
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

    std::size_t runs() const override { return runs_; }

  private:
    struct Traces {
        std::vector<double> times, forces;
    };

    /// How many times, the times, the forces.
    std::vector<double> run(const std::vector<double>& values) {
        std::vector<std::string> settings;
        for (std::size_t k = 0; k < values.size(); ++k)
            settings.push_back(setting(subject_.keys[k], values[k]));
        ++runs_;
        UntilStopped watcher(subject_.stop);
        jobs::SensorTraces traces;
        const jobs::Outcome outcome =
            file_.variant(settings)->run({.traces = &traces, .threads = 1}, watcher);
        if (!outcome.stopped.empty()) throw running::RunError(outcome.stopped);
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

    /// Values are often asked for first alone, then with derivatives.
    Traces last(const std::vector<double>& values) {
        const std::lock_guard lock(mutex_);
        return values == last_values_ ? last_traces_ : Traces{};
    }
    void remember(const std::vector<double>& values, const Traces& traces) {
        const std::lock_guard lock(mutex_);
        last_values_ = values;
        last_traces_ = traces;
    }

    Subject subject_;
    std::string by_;
    jobs::JobFile file_;
    std::atomic<std::size_t> runs_ = 0;
    std::mutex mutex_;
    std::vector<double> last_values_;
    Traces last_traces_;
};

}  // namespace

std::unique_ptr<Motion> by_differences(const Subject& subject, const std::string& why) {
    return std::make_unique<Differences>(subject, why);
}

}  // namespace beadwave::fit
