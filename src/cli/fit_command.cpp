#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "cli/until_interrupted.hpp"
#include "tasks/fit_laws.hpp"
#include "tasks/law_names.hpp"

#include <filesystem>

namespace beadwave::cli {
int fit_command(const FitOptions& options, ranks::Ranks& ranks) {
    UntilInterrupted watcher;
    const tasks::FitRequest request{
        .scenario = options.scenario,
        .measured = options.measured,
        .vary = options.vary,
        .overrides = options.overrides,
        .of = options.of,
        .laws = tasks::separated(options.laws),
        .noise = options.noise,
        .arrival_noise = options.arrival_noise,
        .starts = options.starts,
        .profiled = options.profiled,
        .output = options.output.empty()
                      ? std::filesystem::path(options.scenario).stem().concat(".fit.h5").string()
                      : options.output,
        .threads = options.threads,
        .force = options.force};
    if (!ranks.first()) {
        tasks::help_fit(request, watcher, ranks);
        return 0;
    }
    const tasks::FitResult fit = tasks::fit_laws(request, watcher, ranks);
    if (options.json) print_json(fit.json());
    if (!options.quiet) options.json ? say(fit.text()) : print(fit.text());
    for (const std::string& note : fit.notes())
        say_note(note);
    return 0;
}

}  // namespace beadwave::cli
