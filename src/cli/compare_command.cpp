#include "cli/commands.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/terminal.hpp"
#include "tasks/compare.hpp"
#include "tasks/law_names.hpp"

#include <fmt/format.h>

namespace beadwave::cli {

int compare_command(const CompareOptions& options) {
    InterruptGuard callback;
    const tasks::Comparison all = tasks::compare({.scenario = options.scenario,
                                                  .laws = tasks::separated(options.laws),
                                                  .overrides = options.overrides,
                                                  .measured = options.measured,
                                                  .threads = options.threads},
                                                 callback);
    if (options.json) print_json(all.json());
    options.json ? print_to_stderr(all.text()) : print(all.text());
    for (const tasks::Compared& one : all.laws) {
        for (const std::string& warning : one.result.warnings)
            print_warning(fmt::format("under law {}: {}", one.law, warning));
    }
    return 0;
}

}  // namespace beadwave::cli
