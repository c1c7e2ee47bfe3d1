#include "cli/commands.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/terminal.hpp"
#include "tasks/fit_laws.hpp"
#include "tasks/law_names.hpp"

#include <filesystem>

namespace beadwave::cli {
int fit_command(const FitOptions& options, ranks::Communicator& ranks) {
    InterruptGuard callback;
    const tasks::FitRequest request{
        .scenario = options.scenario,
        .measured = options.measured,
        .bounds = options.bounds,
        .overrides = options.overrides,
        .target = options.target,
        .laws = tasks::separated(options.laws),
        .noise = options.noise,
        .arrival_noise = options.arrival_noise,
        .multistart = options.multistart,
        .profile_likelihood = options.profile_likelihood,
        .output = options.output.empty()
                      ? std::filesystem::path(options.scenario).stem().concat(".fit.h5").string()
                      : options.output,
        .threads = options.threads,
        .overwrite = options.overwrite};
    if (!ranks.first()) {
        tasks::serve_fit(request, callback, ranks);
        return 0;
    }
    const tasks::FitResult fit = tasks::fit_laws(request, callback, ranks);
    if (options.json) print_json(fit.json());
    if (!options.quiet) options.json ? print_to_stderr(fit.text()) : print(fit.text());
    for (const std::string& warning : fit.warnings())
        print_warning(warning);
    return 0;
}

}  // namespace beadwave::cli
