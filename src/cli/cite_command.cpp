#include "cli/command_line.hpp"
#include "cli/terminal.hpp"
#include "tasks/cite.hpp"

#include <nlohmann/json.hpp>

#include <memory>

namespace beadwave::cli {

Command cite_command(CLI::App& app) {
    struct Options {
        std::vector<std::string> names;
        bool bibtex = false, json = false;
    };
    const auto given = std::make_shared<Options>();
    Line line(app, "cite", "Print what to cite for the laws of a work");
    line.add_option("NAME", given->names,
                    "scenarios (.toml) whose laws are cited, or names of laws (default: beadwave "
                    "alone)");
    const Option bibtex = line.add_flag("--bibtex", given->bibtex, "print BibTeX entries");
    add_json(line, given->json).excludes(bibtex);

    return {.line = line, .run = [given](ranks::Communicator&) {
                const tasks::Citations all = tasks::cite(given->names);
                if (given->json) {
                    print_json(all.json());
                } else {
                    print(given->bibtex ? all.bibtex() : all.text());
                }
                return 0;
            }};
}

}  // namespace beadwave::cli
