// The commands of the program. Each is a function in NAME_command.cpp, with its name, its help and
// its options; a row below, or its subject's registration, is all that the rest of the program
// knows of it.
#pragma once

#include "cli/command.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace beadwave::cli {

/// Adds a command to the command line.
using Add = Command(CLI::App& app);

Add run_command, resume_command, watch_command, collide_command, compare_command, sweep_command,
    laws_command, keys_command, report_command, export_command, cite_command, devices_command;

/// The commands in the order of the help; between them are those of subjects.
inline constexpr Add* commands_of_runs[] = {run_command,     resume_command,  watch_command,
                                            collide_command, compare_command, sweep_command};
inline constexpr Add* commands_of_pages[] = {laws_command,   keys_command, report_command,
                                             export_command, cite_command, devices_command};

/// An option of a command that has a new name.
struct RetiredOption {
    std::string_view command, option, now;
};

/// The command of a subject, which registers it before main().
struct SubjectCommand {
    std::string_view name;
    Add* add;
    std::vector<RetiredOption> retired{};
};
struct RegisterCommand {
    explicit RegisterCommand(const SubjectCommand& command);
};
/// The commands of subjects, in the order in which the subjects are announced.
std::vector<SubjectCommand> subject_commands();

struct CommandLine {
    CommandLine();
    ~CommandLine();

    const std::unique_ptr<CLI::App> app;
    std::vector<Command> commands{};
};

}  // namespace beadwave::cli
