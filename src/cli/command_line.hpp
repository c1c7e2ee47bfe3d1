// The commands and options of the program, with their help texts and the variables that they set.
// The man page and the shell completion are made from them too.
#pragma once

#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

namespace beadwave::cli {

struct CommandLine {
    CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    CLI::App app{
        "Solitary waves and impacts in chains, packings and mechanisms of bodies that touch.",
        "beadwave"};
    RunOptions run;
    ResumeOptions resume;
    WatchOptions watch;
    CollideOptions collide;
    CompareOptions compare;
    SweepOptions sweep;
    FitOptions fit;
    LawsOptions laws;
    ReportOptions report;
};

}  // namespace beadwave::cli
