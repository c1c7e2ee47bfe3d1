// What a command is, and the options that several commands have.
#pragma once

#include "ranks/communicator.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace beadwave::cli {

struct Command {
    const CLI::App& line;  ///< its part of the command line
    /// Runs with the options that were given. Returns the exit status; InputError, ArgumentError
    /// and RunError pass through.
    std::function<int(ranks::Communicator& ranks)> run;
    /// Whether the processes of a launcher share the command. Otherwise the first one runs it
    /// alone.
    bool shared = false;
    /// Names of the files that every process reads; they must be the same for all.
    std::function<std::vector<std::string>()> inputs = [] { return std::vector<std::string>(); };
};

void add_scenario(CLI::App& line, std::string& name);
CLI::Option* add_measured(CLI::App& line, std::string& name);
/// An option that may be given several times.
CLI::Option* add_repeated(CLI::App& line, const std::string& option,
                          std::vector<std::string>& values, const std::string& type,
                          const std::string& help);
/// --set; `more` ends the help text.
void add_set(CLI::App& line, std::vector<std::string>& overrides, const std::string& more = {});
void add_threads(CLI::App& line, int& number);
void add_quiet(CLI::App& line, bool& wanted,
               const std::string& help = "print no progress and no summary");
void add_json(CLI::App& line, bool& wanted);
/// `more` ends the help text.
void add_overwrite(CLI::App& line, bool& wanted, const std::string& more = {});
/// --overwrite and --ignore-disk-space of a history.
void add_history_flags(CLI::App& line, bool& overwrite, bool& ignore_disk_space);

/// The name of a result without --output: that of the scenario with `ending`, in the current
/// folder.
std::string named_after(const std::string& scenario, const char* ending);

}  // namespace beadwave::cli
