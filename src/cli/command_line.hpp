// The commands of the program. Each is a function in NAME_command.cpp, with its name, its help and
// its options; the rows below are all that the rest of the program knows of it.
#pragma once

#include "cli/command.hpp"

#include <CLI/CLI.hpp>

#include <vector>

namespace beadwave::cli {

/// Adds a command to the command line.
using Add = Command(CLI::App& app);

Add run_command, resume_command, watch_command, collide_command, compare_command, sweep_command,
    fit_command, modes_command, laws_command, keys_command, report_command, export_command,
    cite_command;

/// In the order of the help.
inline constexpr Add* all_commands[] = {
    run_command,    resume_command, watch_command, collide_command, compare_command,
    sweep_command,  fit_command,    modes_command, laws_command,    keys_command,
    report_command, export_command, cite_command};

struct CommandLine {
    CommandLine();

    CLI::App app{
        "Solitary waves and impacts in chains, packings and mechanisms of bodies that touch.",
        "beadwave"};
    std::vector<Command> commands{};
};

}  // namespace beadwave::cli
