// The forward model of a fit: what the sensors of a scenario read for given values of the free
// parameters, and the derivatives.
#pragma once

#include "fit/measurement.hpp"
#include "fit/shared_runs.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwave::fit {

/// What the sensors of a scenario read at its sample times, and the derivatives by each free
/// parameter.
struct Response {
    std::vector<double> times;        ///< [s], T
    std::vector<double> forces;       ///< [N], T x sensors, one row per time
    std::vector<double> derivatives;  ///< T x sensors x parameters [N per unit of the parameter];
                                      ///< empty if not asked for
    std::string by;                   ///< "dual numbers", or "differences: <why>"
};

/// A scenario with fixed numbers and free parameters.
struct FitProblem {
    std::filesystem::path scenario;
    /// "dotted.key=value" as given to --set. time.step and sensors.interval are among them, so that
    /// the sample times are the same for all values and the response is smooth.
    std::vector<std::string> overrides;
    std::vector<std::string> keys;      ///< dotted keys of the free parameters
    std::vector<double> low, high;      ///< bounds of each, low < high
    int threads = 1;                    ///< number of threads that may run at once
    std::function<bool()> stop{};       ///< called regularly, from any thread; true ends a run with
                                        ///< running::RunError
    std::function<void()> evaluated{};  ///< called after each run, from any thread
    Component component = Component::norm;  ///< of the force of a packing's sensor
    SharedRuns* shared = nullptr;           ///< for calls with derivatives, by one thread per rank
};

class ForwardModel {
  public:
    virtual ~ForwardModel() = default;
    /// `values`: one per key, within the bounds. Throws as a run does: InputError,
    /// running::RunError. Threads may call it at the same time; the result does not depend on their
    /// number, to the bit.
    virtual Response at(std::span<const double> values, bool derivatives) = 0;
    /// Runs made so far, with or without derivatives. Differences take several per response.
    virtual std::size_t evaluations() const = 0;
};

/// Derivatives by differences of runs at displaced values, for everything that a Job can run. `why`
/// is the reason that Response::by gives. Throws InputError.
std::unique_ptr<ForwardModel> by_differences(const FitProblem& problem, const std::string& why);

/// Derivatives by dual numbers, in one run. Null if the scenario cannot be differentiated; `why`
/// then holds the reason.
std::unique_ptr<ForwardModel> by_dual_numbers(const FitProblem& problem, std::string& why);

}  // namespace beadwave::fit
