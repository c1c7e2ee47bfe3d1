#include "cli/command_line.hpp"
#include "cli/terminal.hpp"
#include "tasks/keys.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace beadwave::cli {

Command keys_command(CLI::App& app) {
    struct Options {
        std::string name;
        bool json = false, markdown = false, schema = false;
    };
    const auto given = std::make_shared<Options>();
    Line line(app, "keys", "List the keys of scenarios, or describe some");
    line.add_option(
        "NAME", given->name,
        "a key, a table such as sensors, or chain, packing, mechanism, shapes, collision "
        "(default: all keys)");
    add_json(line, given->json);
    line.add_flag("--markdown", given->markdown, "print the tables of docs/SCENARIO*.md");
    line.add_flag("--schema", given->schema,
                  "print a JSON schema, with which editors check and complete scenarios");

    return {.line = line, .run = [given](ranks::Communicator&) {
                if (given->schema) {
                    fmt::print("{}\n", tasks::keys_schema().dump(1));
                } else if (given->markdown) {
                    fmt::print("{}", tasks::keys_markdown());
                } else if (given->json) {
                    print_json(tasks::keys_json(given->name));
                } else {
                    fmt::print("{}", tasks::keys_text(given->name));
                }
                return 0;
            }};
}

}  // namespace beadwave::cli
