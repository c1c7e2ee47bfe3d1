#include "tasks/fit_laws.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/fit_file.hpp"
#include "io/files/error_words.hpp"
#include "jobs/hand_out.hpp"
#include "jobs/threads.hpp"
#include "tasks/law_names.hpp"
#include "tasks/vary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <sstream>

namespace beadwave::observers {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SensorPeak, force, time)
}
namespace beadwave::fit {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Estimate, key, start, bound_low, bound_high, value, known, why,
                                   at_bound, standard_error, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SensorMisfit, id, rms, measured, computed, has_top)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profile, key, values, chi_squared, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LawFit, law, failed, estimates, correlation, rms, chi_squared,
                                   noise, data, information, rows_correlate, runs, seconds, by,
                                   notes, sensors, computed, profiles, scenario)
}  // namespace beadwave::fit

namespace beadwave::tasks {
namespace {

using nlohmann::json;

fit::Target target_of(const std::string& of) {
    fit::Target target{false, false, false};
    std::stringstream words(of);
    for (std::string word; std::getline(words, word, ',');) {
        bool* const one = word == "traces"     ? &target.traces
                          : word == "peaks"    ? &target.peaks
                          : word == "arrivals" ? &target.arrivals
                                               : nullptr;
        if (one == nullptr) {
            const std::vector<std::string> known{"traces", "peaks", "arrivals"};
            const std::string hint = did_you_mean(word, known);
            throw InputError(
                fmt::format("--of {}: no \"{}\"{}", of, word,
                            hint.empty() ? "; there are traces, peaks, arrivals" : hint));
        }
        *one = true;
    }
    if (target.traces && (target.peaks || target.arrivals)) {
        throw InputError(fmt::format(
            "--of {}: the traces hold their peaks and arrivals; give traces, or peaks,arrivals",
            of));
    }
    if (!target.traces && !target.peaks && !target.arrivals)
        throw InputError("--of: empty; expected traces, peaks, arrivals, or peaks,arrivals");
    return target;
}

/// "0.5" or "0.5,0.3": standard deviations.
std::vector<double> noise_of(const std::string& text) {
    std::vector<double> noise;
    std::stringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        double value = 0.0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value) ||
            !(value > 0.0)) {
            throw InputError(
                fmt::format("--noise {}: expected numbers above 0, in N, commas between", text));
        }
        noise.push_back(value);
    }
    return noise;
}

/// `laws`: how many are fitted.
fit::Request request_of(const FitRequest& options, std::size_t laws, jobs::Watcher& watcher,
                        ranks::Ranks& ranks) {
    fit::Request request{.scenario = options.scenario,
                         .settings = options.overrides,
                         .measured = options.measured,
                         .varied = {},
                         .target = target_of(options.of),
                         .noise = noise_of(options.noise),
                         .arrival_noise = options.arrival_noise,
                         .starts = options.starts,
                         .profiled = options.profiled};
    for (const Bounds& bounds : read_bounds(options.vary, options.overrides))
        request.varied.push_back({bounds.key, bounds.low, bounds.high});
    if (options.arrival_noise && !(*options.arrival_noise > 0.0))
        throw InputError("--arrival-noise: expected a number above 0, in s");
    const int wanted = jobs::wanted_threads(options.threads, ranks);
    request.threads = std::max(1, jobs::startable_threads(wanted + 1) - 1);
    request.stop = [&watcher] { return watcher.stop(); };
    if (laws == 1) request.ranks = &ranks;
    return request;
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

fit::LawFit fit_one(const fit::Task& task, const std::string& law) {
    fit::LawFit fit = fit::fit_law(task, law);
    if (fit.law.empty()) fit.law = task.law;
    return fit;
}

/// What becomes of one of several laws, which may fail and then says why. `error` of a result: why
/// the fit of all ends.
std::string letter_of(const fit::Task& task, const std::string& law, jobs::Watcher& watcher) {
    json letter;
    try {
        try {
            letter["fit"] = fit_one(task, law);
        } catch (const InputError& error) {
            letter["fit"] = fit::LawFit{.law = law, .failed = error.what()};
        } catch (const running::RunError& error) {
            if (watcher.stop()) throw;
            letter["fit"] = fit::LawFit{.law = law, .failed = error.what()};
        }
    } catch (const std::exception& error) {
        letter["error"] = io::words_of(error);
    }
    std::string bytes;
    json::to_cbor(letter, bytes);  // which keeps numbers to the bit
    return bytes;
}

/// As many at once as there are threads, on all ranks; empty but on the first.
std::vector<fit::LawFit> fit_several(fit::Task task, const std::vector<std::string>& names,
                                     jobs::Watcher& watcher, ranks::Ranks& ranks) {
    const auto laws = static_cast<int>(names.size());
    const int at_once = std::min(task.request.threads, laws);
    task.request.threads /= at_once;
    std::vector<std::size_t> pieces(ranks.first() ? names.size() : 0);
    std::iota(pieces.begin(), pieces.end(), std::size_t{0});
    std::vector<std::string> letters(names.size());
    jobs::hand_out(
        ranks, pieces, at_once,
        {.work = [&](std::size_t law) { return letter_of(task, names[law], watcher); },
         .take = [&](std::size_t law, const std::string& letter) { letters[law] = letter; }});
    std::vector<fit::LawFit> fits;
    for (std::size_t law = 0; law < pieces.size(); ++law) {
        const json letter = json::from_cbor(letters[law]);
        if (letter.contains("error")) throw running::RunError(letter["error"].get<std::string>());
        fits.push_back(letter["fit"].get<fit::LawFit>());
    }
    return fits;
}

std::vector<fit::LawFit> fit_all(const fit::Task& task, const std::vector<std::string>& names,
                                 jobs::Watcher& watcher, ranks::Ranks& ranks) {
    if (names.size() == 1) return {fit_one(task, names.front())};
    return fit_several(task, names, watcher, ranks);
}

}  // namespace

std::vector<std::string> FitResult::notes() const {
    std::vector<std::string> all = task.measured.notes;
    for (const fit::LawFit& law : laws) {
        for (const std::string& note : law.notes)
            all.push_back(fmt::format("under law {}: {}", law.law, note));
    }
    return all;
}

FitResult fit_laws(const FitRequest& request, jobs::Watcher& watcher, ranks::Ranks& ranks) {
    const std::vector<std::string> names = laws_of(request);
    FitResult result{
        .task = fit::prepare(request_of(request, names.size(), watcher, ranks), names.front()),
        .laws = {},
        .hdf5 = {},
        .scenario = {}};
    std::optional<fit::FitFiles> files;
    if (!request.output.empty()) {
        if (std::filesystem::path(request.output).extension() == ".toml")
            throw InputError(
                fmt::format("-o {}: the scenario goes there; name the .h5", request.output));
        files.emplace(io::Output(request.output, request.force),
                      std::vector<std::filesystem::path>{request.scenario, request.measured});
        result.hdf5 = files->hdf5().string();
        result.scenario = files->scenario().string();
    }

    watcher.begin(static_cast<std::int64_t>(names.size()), 0.0, 1);
    result.laws = fit_all(result.task, names, watcher, ranks);
    std::vector<fit::LawFit>& laws = result.laws;
    std::ranges::stable_sort(laws, [](const fit::LawFit& a, const fit::LawFit& b) {
        if (a.failed.empty() != b.failed.empty()) return a.failed.empty();
        return a.failed.empty() && a.information < b.information;
    });
    if (!laws.front().failed.empty()) {
        throw running::RunError(
            fmt::format("no law could be fitted; {}: {}", laws.front().law, laws.front().failed));
    }
    if (!files) return result;
    std::vector<fit::LawFit> fitted;
    std::ranges::copy_if(laws, std::back_inserter(fitted),
                         [](const fit::LawFit& law) { return law.failed.empty(); });
    files->write(result.task, fitted);
    return result;
}

FitResult fit_laws(const FitRequest& request, jobs::Watcher& watcher) {
    const auto alone = ranks::one_rank();
    return fit_laws(request, watcher, *alone);
}

void help_fit(const FitRequest& request, jobs::Watcher& watcher, ranks::Ranks& ranks) {
    const std::vector<std::string> names = laws_of(request);
    const fit::Task task =
        fit::prepare(request_of(request, names.size(), watcher, ranks), names.front());
    watcher.begin(static_cast<std::int64_t>(names.size()), 0.0, 1);
    fit_all(task, names, watcher, ranks);
}

}  // namespace beadwave::tasks
