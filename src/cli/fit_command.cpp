#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "cli/commands.hpp"
#include "cli/fit_summary.hpp"
#include "cli/law_names.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "cli/vary.hpp"
#include "fit/fit.hpp"
#include "fit/fit_file.hpp"
#include "jobs/threads.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace beadwave::cli {
namespace {

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

fit::Request request_of(const FitOptions& options) {
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
    const int wanted = options.threads > 0 ? options.threads : omp_get_max_threads();
    request.threads = std::max(1, jobs::startable_threads(wanted + 1) - 1);
    request.stop = [] { return interrupted(); };
    return request;
}

std::vector<std::string> laws_of(const FitOptions& options) {
    std::vector<std::string> laws;
    std::stringstream names(options.laws);
    for (std::string law; std::getline(names, law, ',');) {
        check_law_name(law);
        if (std::ranges::find(laws, law) != laws.end())
            throw InputError(fmt::format("--laws: {} is given twice", law));
        laws.push_back(law);
    }
    if (laws.empty()) laws.emplace_back();
    return laws;
}

/// One of several laws may fail, and then says why.
fit::LawFit fit_one(const fit::Task& task, const std::string& law, bool alone) {
    fit::LawFit fit{.law = law};
    try {
        fit = fit::fit_law(task, law);
    } catch (const InputError& error) {
        if (alone) throw;
        fit.failed = error.what();
    } catch (const running::RunError& error) {
        if (alone || interrupted()) throw;
        fit.failed = error.what();
    }
    if (fit.law.empty()) fit.law = task.law;
    return fit;
}

}  // namespace

int fit_command(const FitOptions& options) {
    const std::vector<std::string> names = laws_of(options);
    const fit::Request request = request_of(options);
    const fit::Task task = fit::prepare(request, names.front());
    const std::filesystem::path output =
        options.output.empty() ? std::filesystem::path(options.scenario).stem().concat(".fit.h5")
                               : std::filesystem::path(options.output);
    if (output.extension() == ".toml")
        throw InputError(
            fmt::format("-o {}: the scenario goes there; name the .h5", output.string()));
    fit::FitFiles files(io::Output(output, options.force), {request.scenario, request.measured});

    const SignalGuard signals;
    std::vector<fit::LawFit> laws;
    for (const std::string& name : names)
        laws.push_back(fit_one(task, name, names.size() == 1));
    std::ranges::stable_sort(laws, [](const fit::LawFit& a, const fit::LawFit& b) {
        if (a.failed.empty() != b.failed.empty()) return a.failed.empty();
        return a.failed.empty() && a.information < b.information;
    });
    if (!laws.front().failed.empty()) {
        throw running::RunError(
            fmt::format("no law could be fitted; {}: {}", laws.front().law, laws.front().failed));
    }
    std::vector<fit::LawFit> fitted;
    std::ranges::copy_if(laws, std::back_inserter(fitted),
                         [](const fit::LawFit& law) { return law.failed.empty(); });
    files.write(task, fitted);

    const FitSummary summary{task, laws, files.hdf5().string(), files.scenario().string()};
    if (options.json) print_json(summary.json());
    if (!options.quiet) options.json ? say(summary.text()) : print(summary.text());
    for (const std::string& note : task.measured.notes)
        say_note(note);
    for (const fit::LawFit& law : fitted) {
        for (const std::string& note : law.notes)
            say_note(fmt::format("under law {}: {}", law.law, note));
    }
    return 0;
}

}  // namespace beadwave::cli
