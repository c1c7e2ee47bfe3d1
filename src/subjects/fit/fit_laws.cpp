#include "subjects/fit/fit_laws.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/clock.hpp"
#include "fit/fit_file.hpp"
#include "io/files/error_message.hpp"
#include "jobs/read_job.hpp"
#include "jobs/threads.hpp"
#include "ranks/work_queue.hpp"
#include "subjects/fit/fit_options.hpp"
#include "tasks/law_names.hpp"
#include "tasks/vary.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <numeric>
#include <sstream>

namespace beadwave::observers {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SensorPeak, force, time)
}
namespace beadwave::fit {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Estimate, key, start, bound_low, bound_high, value, known,
                                   remark, at_bound, standard_error, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SensorMisfit, id, rms, measured, computed, has_peak)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProfileLikelihood, key, values, chi_squared, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LawFit, law, failed, estimates, correlation, rms, chi_squared,
                                   noise, chi_squared_per_dof, p_value, deviance,
                                   effective_parameters, effective_data, data, aicc,
                                   lag1_autocorrelation, correlation_length, block_rows, converged,
                                   evaluations, seconds, by, warnings, sensors, computed, jacobian,
                                   profiles, scenario)
}  // namespace beadwave::fit

namespace beadwave::tasks {
namespace {

using nlohmann::json;

fit::Target target_of(const std::string& text) {
    fit::Target target{false, false, false};
    std::stringstream words(text);
    words.exceptions(std::ios::badbit);  // missing memory is no end of the text
    for (std::string word; std::getline(words, word, ',');) {
        bool* const one = word == "traces"     ? &target.traces
                          : word == "peaks"    ? &target.peaks
                          : word == "arrivals" ? &target.arrivals
                                               : nullptr;
        if (one == nullptr) {
            const std::vector<std::string> known{"traces", "peaks", "arrivals"};
            const std::string hint = did_you_mean(word, known);
            throw InputError(
                fmt::format("--target {}: there is no \"{}\"{}", text, word,
                            hint.empty() ? "; there are traces, peaks, arrivals" : hint));
        }
        *one = true;
    }
    if (target.traces && (target.peaks || target.arrivals)) {
        throw InputError(
            fmt::format("--target {}: the traces include their peaks and arrivals; give traces, or "
                        "peaks,arrivals",
                        text));
    }
    if (!target.traces && !target.peaks && !target.arrivals)
        throw InputError("--target: is empty; expected traces, peaks, arrivals, or peaks,arrivals");
    return target;
}

/// "0.5" or "0.5,0.3": standard deviations.
std::vector<double> noise_of(const std::string& text) {
    std::vector<double> noise;
    std::stringstream words(text);
    words.exceptions(std::ios::badbit);  // missing memory is no end of the text
    for (std::string word; std::getline(words, word, ',');) {
        double value = 0.0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value) ||
            !(value > 0.0)) {
            throw InputError(fmt::format(
                "--noise {}: expected numbers above 0, in N, separated by commas", text));
        }
        noise.push_back(value);
    }
    return noise;
}

/// `laws`: the number of laws that are fitted.
fit::FitSettings settings_of(const FitRequest& options, std::size_t laws,
                             jobs::ProgressCallback& callback, ranks::Communicator& ranks) {
    fit::FitSettings settings{.scenario = options.scenario,
                              .overrides = options.overrides,
                              .measured = options.measured,
                              .bounds = {},
                              .target = target_of(options.target),
                              .noise = noise_of(options.noise),
                              .arrival_noise = options.arrival_noise,
                              .loss = fit::loss_named(options.loss),
                              .robust_errors = read_errors(options.errors),
                              .priors = read_priors(options.priors),
                              .starts = read_starts(options.starts),
                              .masks = read_masks(options.masks),
                              .component = read_component(options.component),
                              .multistart = options.multistart,
                              .profile_likelihood = options.profile_likelihood};
    for (const Bounds& bounds : read_bounds(options.bounds, options.overrides))
        settings.bounds.push_back({bounds.key, bounds.low, bounds.high});
    if (options.arrival_noise && !(*options.arrival_noise > 0.0))
        throw InputError("--arrival-noise: expected a number above 0, in s");
    const int wanted = jobs::wanted_threads(options.threads, ranks);
    settings.threads = std::max(1, jobs::startable_threads(wanted + 1) - 1);
    settings.stop = [&callback] { return callback.stop(); };
    const auto evaluations = std::make_shared<std::atomic<std::int64_t>>(0);
    const auto began = std::chrono::steady_clock::now();
    settings.evaluated = [&callback, evaluations, began] {
        callback.progress(
            ++*evaluations,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    };
    if (laws == 1) settings.ranks = &ranks;
    return settings;
}

/// The input of the fit. On several ranks, all have the same files.
fit::FitInput prepared(const FitRequest& request, const std::vector<std::string>& laws,
                       jobs::ProgressCallback& callback, ranks::Communicator& ranks) {
    fit::FitSettings settings = settings_of(request, laws.size(), callback, ranks);
    // Until the first run, a signal ends the command while it reads; then it is obeyed between
    // runs.
    bool begun = false;
    settings.begin = [&] {
        callback.begin(0, 0.0, 1);  // nobody knows how many runs there will be
        begun = true;
    };
    fit::FitInput input = fit::prepare(settings, laws.front());
    if (!begun) settings.begin();
    input.settings.begin = {};
    jobs::require_same_files(ranks, input.file_texts);
    return input;
}

std::vector<std::string> laws_of(const FitRequest& request) {
    std::vector<std::string> laws;
    for (const std::string& law : request.laws) {
        check_law_name(law);
        if (std::ranges::find(laws, law) != laws.end())
            throw InputError(fmt::format("--laws: {} is given twice", law));
        laws.push_back(law);
    }
    if (laws.empty()) laws.emplace_back();
    return laws;
}

fit::LawFit fit_one(const fit::FitInput& input, const std::string& law) {
    fit::LawFit fit = fit::fit_law(input, law);
    if (fit.law.empty()) fit.law = input.law;
    return fit;
}

/// The fit of one of several laws, as a message. Its key is "fit", also if the fit of this law
/// fails, or "error", which ends the fits of all laws.
std::string fit_message(const fit::FitInput& input, const std::string& law,
                        jobs::ProgressCallback& callback) {
    json message;
    try {
        try {
            message["fit"] = fit_one(input, law);
        } catch (const InputError& error) {
            message["fit"] = fit::LawFit{.law = law, .failed = error.what()};
        } catch (const running::RunError& error) {
            if (callback.stop()) throw;
            message["fit"] = fit::LawFit{.law = law, .failed = error.what()};
        }
    } catch (const std::exception& error) {
        message["error"] = io::message_of(error);
    }
    std::string bytes;
    json::to_cbor(message, bytes);  // exact for floating-point numbers
    return bytes;
}

/// Fits as many laws at once as there are threads, on all ranks. Empty except on the first rank.
std::vector<fit::LawFit> fit_several(fit::FitInput input, const std::vector<std::string>& names,
                                     jobs::ProgressCallback& callback, ranks::Communicator& ranks) {
    const auto laws = static_cast<int>(names.size());
    const int at_once = std::min(input.settings.threads, laws);
    input.settings.threads /= at_once;
    std::vector<std::size_t> pieces(ranks.first() ? names.size() : 0);
    std::iota(pieces.begin(), pieces.end(), std::size_t{0});
    std::vector<std::string> messages(names.size());
    ranks::run_work_queue(
        ranks, pieces, at_once,
        {.work = [&](std::size_t law) { return fit_message(input, names[law], callback); },
         .collect = [&](std::size_t law, const std::string& message) { messages[law] = message; }});
    std::vector<fit::LawFit> fits;
    for (std::size_t law = 0; law < pieces.size(); ++law) {
        const json message = json::from_cbor(messages[law]);
        if (message.contains("error")) throw running::RunError(message["error"].get<std::string>());
        fits.push_back(message["fit"].get<fit::LawFit>());
    }
    return fits;
}

std::vector<fit::LawFit> fit_all(const fit::FitInput& input, const std::vector<std::string>& names,
                                 jobs::ProgressCallback& callback, ranks::Communicator& ranks) {
    if (names.size() == 1) return {fit_one(input, names.front())};
    return fit_several(input, names, callback, ranks);
}

/// The files of a fit. Throws InputError if they cannot be written there.
std::unique_ptr<fit::FitFiles> files_of(const fit::FitInput& input, const std::string& output,
                                        bool overwrite) {
    if (std::filesystem::path(output).extension() == ".toml")
        throw InputError(
            fmt::format("-o {}: this is the name of the fitted scenario; give the name of the "
                        "HDF5 file, .h5",
                        output));
    return std::make_unique<fit::FitFiles>(
        io::Output(output, overwrite),
        std::vector<std::filesystem::path>{input.settings.scenario, input.settings.measured});
}

std::vector<fit::LawFit> fitted(const FitResult& result) {
    std::vector<fit::LawFit> laws;
    std::ranges::copy_if(result.laws, std::back_inserter(laws),
                         [](const fit::LawFit& law) { return law.failed.empty(); });
    return laws;
}

}  // namespace

std::vector<std::string> FitResult::warnings() const {
    std::vector<std::string> all = input.measured.warnings;
    for (const fit::LawFit& law : laws) {
        for (const std::string& warning : law.warnings)
            all.push_back(fmt::format("under law {}: {}", law.law, warning));
    }
    return all;
}

FitResult fit_laws(const FitRequest& request, jobs::ProgressCallback& callback,
                   ranks::Communicator& ranks) {
    const std::vector<std::string> names = laws_of(request);
    FitResult result{
        .input = prepared(request, names, callback, ranks), .laws = {}, .hdf5 = {}, .scenario = {}};
    std::unique_ptr<fit::FitFiles> files;
    if (!request.output.empty()) {
        files = files_of(result.input, request.output, request.overwrite);
        result.hdf5 = files->hdf5().string();
        result.scenario = files->scenario().string();
    }

    result.input = fit::with_settled_clock(std::move(result.input), names.front());
    result.laws = fit_all(result.input, names, callback, ranks);
    std::vector<fit::LawFit>& laws = result.laws;
    fit::set_aicc(laws);
    std::ranges::stable_sort(laws, [](const fit::LawFit& a, const fit::LawFit& b) {
        if (a.failed.empty() != b.failed.empty()) return a.failed.empty();
        return a.failed.empty() && a.aicc < b.aicc;
    });
    if (!laws.front().failed.empty()) {
        throw running::RunError(
            fmt::format("no law could be fitted; {}: {}", laws.front().law, laws.front().failed));
    }
    if (files) files->write(result.input, fitted(result));
    return result;
}

void save_fit(const FitResult& fit, const std::string& output, bool overwrite) {
    files_of(fit.input, output, overwrite)->write(fit.input, fitted(fit));
}

FitResult fit_laws(const FitRequest& request, jobs::ProgressCallback& callback) {
    const auto alone = ranks::serial_communicator();
    return fit_laws(request, callback, *alone);
}

void serve_fit(const FitRequest& request, jobs::ProgressCallback& callback,
               ranks::Communicator& ranks) {
    const std::vector<std::string> names = laws_of(request);
    fit::FitInput input = prepared(request, names, callback, ranks);
    input = fit::with_settled_clock(std::move(input), names.front());
    fit_all(input, names, callback, ranks);
}

}  // namespace beadwave::tasks
