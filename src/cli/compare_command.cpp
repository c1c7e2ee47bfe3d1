#include "cli/command_line.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/terminal.hpp"
#include "tasks/compare.hpp"
#include "tasks/law_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace beadwave::cli {

Command compare_command(CLI::App& app) {
    struct Options {
        tasks::CompareRequest request;
        std::string laws;
        std::string csv, latex;
        bool yes = false, overwrite = false;
        Display display;
    };
    const auto given = std::make_shared<Options>();
    Line line(app, "compare", "Run one scenario under several laws and compare the results");
    add_scenario(line, given->request.scenario);
    line.add_option("--laws", given->laws,
                    "names of the laws, separated by commas; the first law is the reference")
        .required();
    line.add_option("--csv", given->csv,
                    "also write a table, a row per law and sensor, in SI units with all digits");
    line.add_option("--latex", given->latex, "also write this table for LaTeX (booktabs)");
    add_overwrite(line, given->overwrite);
    add_measured(line, given->request.measured);
    add_set(line, given->request.overrides);
    add_threads(line, given->request.threads);
    add_yes(line, given->yes);
    add_json(line, given->display.json);

    const auto run = [given](ranks::Communicator& ranks) {
        if (!ranks.first()) return 0;  // the first rank runs it
        given->request.laws = tasks::separated(given->laws);
        const std::size_t laws = given->request.laws.size();
        tasks::CompareFiles files(given->csv, given->latex, given->overwrite);
        InterruptGuard callback(true, [laws](std::int64_t done, double wall_seconds) {
            const auto parts = static_cast<double>(laws * tasks::parts_per_law);
            return compare_line(static_cast<double>(done) / parts, laws, wall_seconds);
        });
        callback.accepts_long_runs = given->yes;
        const tasks::Comparison all = tasks::compare(given->request, callback);
        callback.clear();
        tasks::write(all, files);
        given->display.quiet = given->display.json;
        print_result(all, given->display);
        for (const tasks::Compared& one : all.laws) {
            for (const std::string& warning : one.result.warnings)
                print_warning(fmt::format("under law {}: {}", one.law, warning));
        }
        return 0;
    };
    return {.line = line, .run = run, .shared = true};
}

}  // namespace beadwave::cli
