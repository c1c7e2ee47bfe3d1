// Derivatives of sensor forces: those of the fit's forward model, and differences between runs of
// the tiled engine for comparison.
#pragma once

#include "dynamics/tiled_engine.hpp"
#include "fit/forward_model.hpp"
#include "largest.hpp"
#include "program.hpp"
#include "running/chain_system.hpp"
#include "subjects/chain/chain_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace beadwave::validation {

/// Six beads in 400 steps: the wave passes, and contacts open.
inline constexpr const char* six_beads = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
yield_stress = 900e6
[[segment]]
beads = 1
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
velocity = 1.77
[[segment]]
beads = 5
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
[law]
name = "hertz"
[time]
end = 6e-5
step = 1.5e-7
[sensors]
beads = [0, 1, 2, 3, 4]
interval = 1.5e-7
)";

struct Varied {
    std::string key;
    double value, low, high;
};

/// The file of a scenario, the values that are set in it, and the free parameters.
struct VariedScenario {
    std::filesystem::path file;
    std::vector<std::string> settings;
    std::vector<Varied> varied{};

    void vary(const std::string& key, double value) {
        varied.push_back(
            {key, value, value - 0.1 * std::abs(value), value + 0.1 * std::abs(value)});
    }

    fit::FitProblem problem() const {
        fit::FitProblem problem{
            .scenario = file, .overrides = settings, .keys = {}, .low = {}, .high = {}};
        for (const Varied& one : varied) {
            problem.keys.push_back(one.key);
            problem.low.push_back(one.low);
            problem.high.push_back(one.high);
        }
        return problem;
    }

    std::vector<double> values() const {
        std::vector<double> values;
        for (const Varied& one : varied)
            values.push_back(one.value);
        return values;
    }

    /// Derivatives by dual numbers. If there is no such model, a check fails and the result is
    /// empty.
    fit::Response derivatives() const {
        std::string why;
        const auto forward = fit::by_dual_numbers(problem(), why);
        CHECK_MESSAGE(forward != nullptr, why);
        return forward == nullptr ? fit::Response{} : forward->at(values(), true);
    }

    /// Forces at the sample times of a run of the tiled engine, with one value changed by `by`.
    std::vector<double> forces(std::size_t displaced = 0, double by = 0.0) const {
        std::vector<std::string> all = settings;
        for (std::size_t k = 0; k < varied.size(); ++k) {
            all.push_back(fmt::format("{}={:.17e}", varied[k].key,
                                      varied[k].value + (k == displaced ? by : 0.0)));
        }
        const chain::Scenario scenario = io::read_scenario(file, all).scenario;
        const chain::Chain chain = running::build_chain(scenario);
        const stepping::TimeStep step = running::choose_time_step(scenario, chain);
        const auto engine = dynamics::make_tiled_engine(chain, step.step, 1);
        dynamics::SensorTrace trace;
        for (const std::int64_t bead : scenario.sensors->ids)
            trace.beads.push_back(static_cast<std::size_t>(bead));
        const std::int64_t stride = std::llround(*scenario.sensors->interval / step.step);
        trace.resize_rows(1);
        engine->sample(trace);
        std::vector<double> forces = trace.force;
        while (engine->step() + stride <= step.count) {
            engine->advance(stride, trace);
            forces.insert(forces.end(), trace.force.end() - std::ssize(trace.beads),
                          trace.force.end());
        }
        return forces;
    }

    struct Error {
        double largest, root_mean_square;  ///< over the largest derivative
    };

    /// Error of the derivatives with respect to the k-th value, against central differences over
    /// +-h.
    Error error(const fit::Response& response, std::size_t k, double h) const {
        const std::vector<double> above = forces(k, h), below = forces(k, -h);
        REQUIRE(above.size() * varied.size() == response.derivatives.size());
        // If a value has no effect, errors are relative to a derivative of 1e-3 of the largest
        // force per value: the differences have rounding errors of this size.
        double scale = 1e-3 * *std::ranges::max_element(above) / std::abs(varied[k].value);
        double squares = 0.0;
        Largest largest;
        for (std::size_t i = 0; i < above.size(); ++i) {
            const double slope = (above[i] - below[i]) / (2.0 * h);
            const double error = slope - response.derivatives[i * varied.size() + k];
            scale = std::max(scale, std::abs(slope));
            largest.enter(std::abs(error));
            squares += error * error;
        }
        return {largest / scale, std::sqrt(squares / static_cast<double>(above.size())) / scale};
    }

    /// The same against differences over +-h and +-2h, extrapolated to h = 0 (Richardson): of
    /// fourth order. h is a part of the value; the smallest error of several, since a long
    /// difference may cross a kink and a short one has rounding errors.
    double extrapolated_error(const fit::Response& response, std::size_t k) const {
        double smallest = std::numeric_limits<double>::infinity();
        for (const double part : {1e-3, 3e-4, 1e-4, 3e-5, 1e-5}) {
            const double h = part * std::abs(varied[k].value);
            const std::vector<double> near[] = {forces(k, h), forces(k, -h)};
            const std::vector<double> far[] = {forces(k, 2.0 * h), forces(k, -2.0 * h)};
            REQUIRE(near[0].size() * varied.size() == response.derivatives.size());
            double scale = 1e-3 * *std::ranges::max_element(near[0]) / std::abs(varied[k].value);
            Largest largest;
            for (std::size_t i = 0; i < near[0].size(); ++i) {
                const double slope =
                    (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * h);
                scale = std::max(scale, std::abs(slope));
                largest.enter(std::abs(slope - response.derivatives[i * varied.size() + k]));
            }
            smallest = std::min(smallest, largest / scale);
        }
        return smallest;
    }

    /// The smallest error over several differences: a long one may cross a kink, a short one has
    /// rounding errors.
    double smallest_error(const fit::Response& response, std::size_t k) const {
        double smallest = std::numeric_limits<double>::infinity();
        for (const double part : {1e-6, 1e-7, 3e-8}) {
            smallest =
                std::min(smallest, error(response, k, part * std::abs(varied[k].value)).largest);
        }
        return smallest;
    }
};

}  // namespace beadwave::validation
