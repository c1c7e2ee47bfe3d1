#include "cli/command_line.hpp"
#include "cli/terminal.hpp"
#include "tasks/devices.hpp"

#include <nlohmann/json.hpp>

#include <memory>

namespace beadwave::cli {

Command devices_command(CLI::App& app) {
    const auto json = std::make_shared<bool>(false);
    Line line(app, "devices", "List what this machine can compute with");
    add_json(line, *json);

    return {.line = line, .run = [json](ranks::Communicator&) {
                const tasks::Devices found = tasks::devices();
                *json ? print_json(found.json()) : print(found.text());
                return 0;
            }};
}

}  // namespace beadwave::cli
