// Derivatives by dual numbers: one run computes the motion and its derivative by each parameter.

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/forward_model.hpp"
#include "fit/varied_chain.hpp"
#include "laws/neck.hpp"
#include "recording/schedule.hpp"
#include "running/chain_system.hpp"
#include "running/sample_counts.hpp"
#include "tangent/tangent_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace beadwave::fit {
namespace {

class DualForwardModel : public ForwardModel {
  public:
    DualForwardModel(const FitProblem& problem, VariedChain chain)
        : problem_(problem), chain_(std::move(chain)) {}

    Response at(std::span<const double> values, bool derivatives) override {
        ++evaluations_;
        Response response;
        response.by = "dual numbers";
        if (derivatives) {
            run_with_derivatives(chain_.changing_at(values), response);
        } else {
            run(chain_.at(values), response);
        }
        if (problem_.evaluated) problem_.evaluated();
        return response;
    }

    std::size_t evaluations() const override { return evaluations_; }

  private:
    void run(const VariedChain::Ready& ready, Response& response) const {
        running::Sinks sinks;
        sinks.stop = problem_.stop;
        sinks.sensors = [&](std::int64_t, double time, std::span<const double> force,
                            std::span<const double>) {
            response.times.push_back(time);
            response.forces.insert(response.forces.end(), force.begin(), force.end());
        };
        const auto engine =
            running::make_engine(ready.chain, ready.settings, ready.time_step.step, 1);
        if (running::simulate(ready.settings, ready.chain, ready.time_step, *engine, sinks).stopped)
            throw running::RunError("interrupted");
    }

    void run_with_derivatives(const VariedChain::Changing& changing, Response& response) const {
        const VariedChain::Ready& ready = changing.ready;
        constexpr std::int64_t steps_between_checks = 4096;
        const double dt = ready.time_step.step;
        dynamics::TangentEngine engine(ready.chain, dt, changing.changes);
        recording::Schedule schedule(running::sensor_interval(ready.settings), dt);
        std::vector<double> along(changing.changes.size());
        while (schedule.next() <= ready.time_step.count) {
            while (engine.step() < schedule.next()) {
                engine.advance(std::min(steps_between_checks, schedule.next() - engine.step()));
                if (problem_.stop && problem_.stop()) throw running::RunError("interrupted");
            }
            response.times.push_back(static_cast<double>(engine.step()) * dt);
            for (const std::int64_t bead : ready.settings.sensors) {
                double force = 0.0;
                engine.read(static_cast<std::size_t>(bead), force, along);
                response.forces.push_back(force);
                response.derivatives.insert(response.derivatives.end(), along.begin(), along.end());
            }
            schedule.done(engine.step());
        }
        if (engine.finite()) return;
        Response same;
        run(ready, same);  // throws the exact error if the motion itself is not finite
        throw running::RunError("the derivatives of the motion are not finite");
    }

    FitProblem problem_;
    VariedChain chain_;
    std::atomic<std::size_t> evaluations_ = 0;
};

/// Why the scenario has no derivatives by dual numbers; empty if it has them.
std::string obstacle(const FitProblem& problem, const VariedChain& chain) {
    if (!chain.is_chain()) return "only chains have derivatives by dual numbers";
    for (const std::string& key : problem.keys) {
        if (key.starts_with("time.") || key.starts_with("sensors."))
            return fmt::format("{} changes the sample times or steps", key);
    }
    std::vector<double> values;
    for (std::size_t k = 0; k < problem.keys.size(); ++k)
        values.push_back(0.5 * (problem.low[k] + problem.high[k]));
    const VariedChain::Ready middle = chain.at(values);
    if (middle.settings.sleep_speed > 0.0)
        return "time.sleep_speed puts beads to sleep, which has no derivative";
    if (middle.chain.contacts.kind_count() > 0 && laws::is_adhesive(middle.chain.contacts.law(0)))
        return "its law has adhesion, whose necks form and break with a jump of the force";
    if (!middle.settings.step) return "time.step is not given and depends on the free parameters";
    for (std::size_t k = 0; k < problem.keys.size(); ++k) {
        const auto with = [&](double bound) {
            std::vector<double> other = values;
            other[k] = bound;
            return chain.chain(other);
        };
        const std::string why = difference_in_kind(with(problem.low[k]), with(problem.high[k]));
        if (!why.empty()) return fmt::format("with {} {}", problem.keys[k], why);
    }
    return "";
}

}  // namespace

std::unique_ptr<ForwardModel> by_dual_numbers(const FitProblem& problem, std::string& why) {
    VariedChain chain(problem);
    try {
        why = obstacle(problem, chain);
    } catch (const InputError& error) {
        why = error.what();  // a corner of the bounds is not a valid scenario
    }
    if (!why.empty()) return nullptr;
    return std::make_unique<DualForwardModel>(problem, std::move(chain));
}

}  // namespace beadwave::fit
