// What a scenario's sensors read for given values of what a fit varies, and the derivatives.
#pragma once

#include "fit/shared_runs.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwave::fit {

/// What the sensors of a scenario read [N] at its sample times, and how that changes with each
/// varied number.
struct Response {
    std::vector<double> times;        ///< [s], T
    std::vector<double> forces;       ///< [N], T x sensors, a row a time
    std::vector<double> derivatives;  ///< T x sensors x parameters, empty if not asked for [N per
                                      ///< unit of the parameter]
    std::string by;                   ///< "dual numbers", or "differences: <why>"
};

/// What moves: a scenario with some numbers held and some varied.
struct Subject {
    std::filesystem::path scenario;
    /// "dotted.key=value" as given to --set; time.step and sensors.interval are among them, so that
    /// sample times are the same for all values and the response is smooth.
    std::vector<std::string> settings;
    std::vector<std::string> keys;  ///< varied, dotted
    std::vector<double> low, high;  ///< bounds of each, low < high
    int threads = 1;                ///< that may run at once
    std::function<bool()> stop{};   ///< asked now and then, from any thread; true ends a run with
                                    ///< running::RunError
    SharedRuns* shared = nullptr;   ///< of those who ask for derivatives, one thread a rank
};

class Motion {
  public:
    virtual ~Motion() = default;
    /// `values`: one a key, within the bounds. Throws as a run would: InputError,
    /// running::RunError. Threads may call it at once, and its bits do not depend on how many run.
    virtual Response at(std::span<const double> values, bool derivatives) = 0;
    /// Runs made so far, with or without derivatives; differences take several for one response.
    virtual std::size_t runs() const = 0;
};

/// By runs at displaced values (central differences), for everything that a Job can run. `why` is
/// said in Response::by. Throws InputError.
std::unique_ptr<Motion> by_differences(const Subject& subject, const std::string& why);

/// By dual numbers: one run. Null, and `why` says it, for what cannot be differentiated.
std::unique_ptr<Motion> by_dual_numbers(const Subject& subject, std::string& why);

}  // namespace beadwave::fit
