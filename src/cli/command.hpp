// What a command is, and the options that several commands have.
#pragma once

#include "cli/line.hpp"
#include "ranks/communicator.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::cli {

struct Command {
    Line line;  ///< its part of the command line
    /// Runs with the options that were given. Returns the exit status; InputError, ArgumentError
    /// and RunError pass through.
    std::function<int(ranks::Communicator& ranks)> run;
    /// Whether the processes of a launcher share the command. Otherwise the first one runs it
    /// alone.
    bool shared = false;
    /// Names of the files that every process reads; they must be the same for all.
    std::function<std::vector<std::string>()> inputs = [] { return std::vector<std::string>(); };
};

void add_scenario(Line& line, std::string& name);
Option add_measured(Line& line, std::string& name);
/// An option that may be given several times.
Option add_repeated(Line& line, const std::string& option, std::vector<std::string>& values,
                    const std::string& type, const std::string& help);
/// --set; `more` ends the help text.
void add_set(Line& line, std::vector<std::string>& overrides, const std::string& more = {});
void add_threads(Line& line, int& number);
void add_device(Line& line, std::string& name);
void add_quiet(Line& line, bool& wanted,
               const std::string& help = "print no progress and no summary");
Option add_json(Line& line, bool& wanted);
/// --log
void add_log(Line& line, std::optional<double>& interval);
/// --yes
void add_yes(Line& line, bool& wanted);
/// `more` ends the help text.
void add_overwrite(Line& line, bool& wanted, const std::string& more = {});
/// --overwrite and --ignore-disk-space of a history.
void add_history_flags(Line& line, bool& overwrite, bool& ignore_disk_space);

/// The name of a result without --output: that of the scenario with `ending`, in the current
/// folder.
std::string named_after(const std::string& scenario, const char* ending);

}  // namespace beadwave::cli
