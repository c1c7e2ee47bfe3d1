#include "cli/command_line.hpp"

#include "jobs/subject.hpp"

#include <CLI/CLI.hpp>

namespace beadwave::cli {
namespace {

std::vector<SubjectCommand>& registered() {
    static std::vector<SubjectCommand> commands;
    return commands;
}

}  // namespace

RegisterCommand::RegisterCommand(const SubjectCommand& command) {
    registered().push_back(command);
}

std::vector<SubjectCommand> subject_commands() {
    std::vector<SubjectCommand> commands;
    for (const jobs::Announcement& subject : jobs::announced_subjects()) {
        for (const SubjectCommand& command : registered()) {
            if (command.name == subject.command) commands.push_back(command);
        }
    }
    return commands;
}

CommandLine::CommandLine()
    : app(std::make_unique<CLI::App>(
          "Solitary waves and impacts in chains, packings and mechanisms of bodies that touch.",
          "beadwave")) {
    app->set_version_flag("--version", "beadwave " BEADWAVE_VERSION);
    app->require_subcommand(1);
    for (Add* add : commands_of_runs)
        commands.push_back(add(*app));
    for (const SubjectCommand& command : subject_commands())
        commands.push_back(command.add(*app));
    for (Add* add : commands_of_pages)
        commands.push_back(add(*app));
}

CommandLine::~CommandLine() = default;

}  // namespace beadwave::cli
