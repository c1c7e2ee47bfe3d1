#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "cli/until_interrupted.hpp"
#include "tasks/compare.hpp"
#include "tasks/law_names.hpp"

#include <fmt/format.h>

namespace beadwave::cli {

int compare_command(const CompareOptions& options) {
    UntilInterrupted watcher;
    const tasks::Comparison all = tasks::compare({.scenario = options.scenario,
                                                  .laws = tasks::separated(options.laws),
                                                  .overrides = options.overrides,
                                                  .measured = options.measured,
                                                  .threads = options.threads},
                                                 watcher);
    if (options.json) print_json(all.json());
    options.json ? say(all.text()) : print(all.text());
    for (const tasks::Compared& one : all.laws) {
        for (const std::string& note : one.outcome.notes)
            say_note(fmt::format("under law {}: {}", one.law, note));
    }
    return 0;
}

}  // namespace beadwave::cli
