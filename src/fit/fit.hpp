// A scenario's numbers from what a laboratory measured: the fit of one law, with how sure it is.
#pragma once

#include "fit/descent.hpp"
#include "fit/model.hpp"
#include "ranks/ranks.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::fit {

/// A key that varies between bounds: one that --set takes, "clock.shift" [s], "sensor.gain" (of
/// every sensor its own) or "sensor.gain.N" (of bead or particle N).
struct Varied {
    std::string key;
    double low, high;
};

struct Request {
    std::filesystem::path scenario;
    std::vector<std::string> settings;  ///< as given to --set
    std::filesystem::path measured;
    std::vector<Varied> varied;
    Target target;
    std::vector<double> noise{};            ///< of a force [N]: one for all sensors or one each;
                                            ///< empty: estimated
    std::optional<double> arrival_noise{};  ///< of an arrival [s]; else estimated
    int starts = 0;                         ///< points that are tried first; 0: none
    std::vector<std::string> profiled{};    ///< keys
    int threads = 1;
    std::function<bool()> stop{};  ///< as Subject's
    /// That go through the fit together and share its runs; null: this process alone.
    ranks::Ranks* ranks = nullptr;
};

/// What is known of one parameter.
struct Estimate {
    std::string key;
    double start, bound_low, bound_high;
    double value;
    bool known = true;                                   ///< else no number is worth saying
    std::string why{};                                   ///< it is not known, or doubtful
    bool at_bound = false;                               ///< then its error is not known
    double standard_error = 0.0, low = 0.0, high = 0.0;  ///< low to high: the 95 % interval
};

/// How well one sensor is met, and its top.
struct SensorMisfit {
    std::int64_t id;
    double rms;  ///< of its trace [N]
    observers::SensorPeak measured, computed;
    bool has_top;  ///< whether its peak and arrival were measured
};

/// Sums of squares where one parameter is held and the others are fitted anew.
struct Profile {
    std::string key;
    std::vector<double> values, chi_squared;
    double low, high;  ///< the 95 % interval that these give; NaN beyond what was looked at
};

struct LawFit {
    std::string law;
    std::string failed{};  ///< why there is none; then nothing else holds
    std::vector<Estimate> estimates{};
    std::vector<double> correlation{};  ///< p x p, NaN where not known
    double rms = 0.0;                   ///< of all traces [N]
    double chi_squared = 0.0;           ///< in units of the noise, given or estimated
    double noise = 0.0;                 ///< per unit of the weights: 1 if given [-]
    std::size_t data = 0;
    double information = 0.0;     ///< Akaike's criterion, corrected for few data
    double rows_correlate = 0.0;  ///< residuals of one row with those of the next [-]
    std::size_t runs = 0;
    double seconds = 0.0;
    std::string by{};  ///< as Response::by
    std::vector<std::string> notes{};
    std::vector<SensorMisfit> sensors{};
    std::vector<std::vector<double>> computed{};  ///< at the measured times [N], a trace each
    std::vector<Profile> profiles{};
    std::string scenario{};  ///< TOML text with the best values
};

/// What all laws are held against: read once.
struct Task {
    Request request;
    Measurement measured;
    std::vector<Parameter> parameters;
    std::string body;  ///< "bead" or "particle"
    std::string law;   ///< the scenario's own
    double interval;   ///< between samples of a run [s]
};

/// Reads and checks what does not depend on the law. Throws InputError.
/// "traces", "peaks", "arrivals" or "peaks,arrivals".
std::string words_of(const Target& target);

/// `first_law`: one that will be fitted, or empty.
Task prepare(const Request& request, const std::string& first_law);

/// Throws InputError, running::RunError. `law`: its name, or empty for the scenario's own.
LawFit fit_law(const Task& task, const std::string& law);

}  // namespace beadwave::fit
