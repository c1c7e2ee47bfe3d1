#include "cli/pages.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace beadwave::cli {
namespace {

/// The text with the characters escaped that are special in roff.
std::string plain(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '\\') {
            safe += "\\e";
        } else if (c == '-') {
            safe += "\\-";
        } else if ((c == '.' || c == '\'') && safe.empty()) {
            safe += std::string("\\&") + c;
        } else {
            safe += c;
        }
    }
    return safe;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option*) { return true; });
}

/// "-o,--output FILE", or "SCENARIO" for a positional argument.
std::string heading(const CLI::Option& option) {
    if (option.get_positional()) return option.get_name(true);
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames())
        names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        names.push_back("--" + name);
    const bool flag = option.get_expected_max() == 0;
    const std::string type = option.get_type_name();
    return fmt::format("{}{}", fmt::join(names, ", "),
                       flag ? "" : " " + (type.empty() ? std::string("VALUE") : type));
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& version) {
    std::string page = fmt::format(
        ".TH BEADWAVE 1 \"\" \"beadwave {}\" \"User Commands\"\n"
        ".SH NAME\nbeadwave \\- {}\n"
        ".SH SYNOPSIS\n.B beadwave\n.I COMMAND\n[\\fIOPTION\\fR]...\n"
        ".SH COMMANDS\n",
        version, plain(app.get_description()));
    for (const CLI::App* command : commands_of(app)) {
        std::string words;
        for (const CLI::Option* option : options_of(*command)) {
            if (option->get_positional()) words += " " + option->get_name(true);
        }
        page += fmt::format(".SS \"beadwave {}{} [OPTION]...\"\n{}.\n", command->get_name(),
                            plain(words), plain(command->get_description()));
        for (const CLI::Option* option : options_of(*command)) {
            page += fmt::format(".TP\n.B {}\n{}\n", plain(heading(*option)),
                                plain(option->get_description()));
        }
    }
    page +=
        ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\nthe run failed: it is unstable, the disk is "
        "full, or it was interrupted\n"
        ".TP\n2\nthe input is wrong; one sentence on standard error names the place, what was "
        "found and what is allowed\n"
        ".SH FILES\n.TP\n.I /usr/share/doc/beadwave\nthe guide, every key of a scenario, every "
        "dataset of a history, every law\n.TP\n.I /usr/share/beadwave/configs\nexample "
        "scenarios\n"
        ".SH EXAMPLE\n.nf\nbeadwave run /usr/share/beadwave/configs/chain70.toml\n"
        "beadwave report chain70.h5\n.fi\n";
    return page;
}

}  // namespace beadwave::cli
