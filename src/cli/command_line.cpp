#include "cli/command_line.hpp"

namespace beadwave::cli {

CommandLine::CommandLine() {
    app.set_version_flag("--version", "beadwave " BEADWAVE_VERSION);
    app.require_subcommand(1);
    for (Add* add : all_commands)
        commands.push_back(add(app));
}

}  // namespace beadwave::cli
