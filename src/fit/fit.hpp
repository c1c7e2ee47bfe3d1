// Fits numbers of a scenario to a measurement, under one law, with their uncertainties.
#pragma once

#include "fit/descent.hpp"
#include "fit/residual_function.hpp"
#include "ranks/communicator.hpp"

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::fit {

/// One --bounds option. The key is a key of the scenario as --set takes it, "clock.shift" [s],
/// "sensor.gain" and "sensor.offset" (one per sensor), or "sensor.gain.N" and "sensor.offset.N"
/// (those at bead or particle N).
struct BoundedKey {
    std::string key;
    double low, high;
};

/// One --prior option: normal.
struct KeyPrior {
    std::string key;
    double mean, deviation;
};

struct FitSettings {
    std::filesystem::path scenario;
    std::vector<std::string> overrides;  ///< as given to --set
    std::filesystem::path measured;
    std::shared_ptr<const io::MeasuredTraces> traces{};  ///< its content; null: not read yet
    std::vector<BoundedKey> bounds;
    Target target;
    /// Standard deviations of the forces [N]: one for all sensors, or one per sensor; empty: it is
    /// estimated.
    std::vector<double> noise{};
    std::optional<double> arrival_noise{};  ///< standard deviation of the arrivals [s]; empty: it
                                            ///< is estimated
    Loss loss = Loss::squares;
    bool robust_errors = false;  ///< from blocks of rows; otherwise as for white noise
    std::vector<KeyPrior> priors{};
    std::map<std::string, double> starts{};  ///< of free parameters; missing: the scenario's
    std::vector<Mask> masks{};
    Component component = Component::norm;          ///< of the net contact force of packings
    int multistart = 0;                             ///< number of extra starting points
    std::vector<std::string> profile_likelihood{};  ///< keys whose profile likelihood is computed
    int threads = 1;
    std::function<void()> begin{};         ///< called before the first run, or not at all
    std::function<bool()> stop{};          ///< see FitProblem::stop
    std::function<void()> evaluated{};     ///< see FitProblem::evaluated
    ranks::Communicator* ranks = nullptr;  ///< ranks that share the runs of this fit; null: this
                                           ///< process alone
};

/// The result for one free parameter.
struct Estimate {
    std::string key;
    double start, bound_low, bound_high;
    double value;
    bool known = true;                                   ///< false: the data do not determine it
    std::string remark{};                                ///< why it is unknown or doubtful
    bool at_bound = false;                               ///< true: its error is unknown
    double standard_error = 0.0, low = 0.0, high = 0.0;  ///< low to high: the 95 % interval
};

/// The misfit of one sensor, and its peaks.
struct SensorMisfit {
    std::int64_t id;
    double rms;  ///< of its trace [N]
    observers::SensorPeak measured, computed;
    bool has_peak;  ///< whether its peak and arrival were measured
};

/// Sums of squares with one parameter held and the others fitted again.
struct ProfileLikelihood {
    std::string key;
    std::vector<double> values, chi_squared;
    double low, high;  ///< the 95 % interval from the profile; NaN: it ends outside the scan
};

struct LawFit {
    std::string law;
    std::string failed{};  ///< why the fit failed; then the other members are not set
    std::vector<Estimate> estimates{};
    std::vector<double> correlation{};  ///< p x p; NaN where unknown
    double rms = 0.0;                   ///< of all traces [N]
    /// Sum of the losses of the weighted residuals, and of the priors [-]; of their squares without
    /// a loss.
    double chi_squared = 0.0;
    double noise = 0.0;  ///< standard deviation of a weighted residual [-]; 1 if the noise is given
    /// Chi-squared per degree of freedom, and the probability of a larger one; NaN if the noise
    /// was not given.
    double chi_squared_per_dof = std::numeric_limits<double>::quiet_NaN();
    double p_value = std::numeric_limits<double>::quiet_NaN();
    std::size_t data = 0;
    /// -2 log likelihood, as if all rows were independent, up to what all laws share.
    double deviance = 0.0;
    std::size_t effective_parameters = 0;  ///< those with an effect of their own, and the noises
                                           ///< that were estimated
    double effective_data = 0.0;  ///< number of data that are as good as independent; at most data
    double aicc = 0.0;            ///< Akaike's information criterion, corrected for few data
    double lag1_autocorrelation = 0.0;  ///< of the residuals, from row to row [-]
    double correlation_length = 1.0;    ///< of the residuals [rows]; traces only
    std::size_t block_rows = 0;         ///< of the robust errors; 0: there are none
    /// Whether the end is a minimum: the next step would be less than a tenth of a standard error.
    bool converged = true;
    std::size_t evaluations = 0;  ///< runs of the scenario
    double seconds = 0.0;
    std::string by{};  ///< as Response::by
    std::vector<std::string> warnings{};
    std::vector<SensorMisfit> sensors{};
    std::vector<std::vector<double>> computed{};  ///< at the measured times [N], one trace each
    /// Derivatives of the computed forces, one trace each: rows x parameters [N per unit].
    std::vector<std::vector<double>> jacobian{};
    std::vector<ProfileLikelihood> profiles{};
    std::string scenario{};  ///< TOML text with the best values
};

/// Sets `aicc` of the fits that did not fail. Correlated rows count as fewer: the fit with the best
/// likelihood says how many, for all laws, so that their numbers can be compared.
void set_aicc(std::vector<LawFit>& laws);

/// What the fits of all laws share; read once.
struct FitInput {
    FitSettings settings;
    Measurement measured;
    std::vector<FreeParameter> parameters;
    std::string body;             ///< "bead" or "particle"
    std::string law;              ///< the scenario's own
    double interval;              ///< between samples of a run [s]
    std::size_t evaluations = 0;  ///< runs that were needed to prepare the fit
    /// Where clock.shift was found first, if nothing closer was known: narrow_clock().
    std::string clock_search{};
    /// The texts of the files that the scenario names, by dotted key.
    std::map<std::string, std::string> file_texts{};
};

/// "traces", "peaks", "arrivals" or "peaks,arrivals".
std::string text_of(const Target& target);

/// Reads and checks what does not depend on the law. `first_law`: one of the laws to fit, or empty.
/// Throws InputError.
FitInput prepare(const FitSettings& settings, const std::string& first_law);

/// `law`: its name; empty: the scenario's own law. Throws InputError, running::RunError.
LawFit fit_law(const FitInput& input, const std::string& law);

}  // namespace beadwave::fit
