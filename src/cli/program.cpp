#include "cli/program.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "cli/command_line.hpp"
#include "cli/retired_options.hpp"
#include "cli/terminal.hpp"
#include "io/files/error_message.hpp"
#include "jobs/program_facts.hpp"
#include "jobs/subject.hpp"
#include "ranks/agreement.hpp"
#include "ranks/communicator.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::cli {
namespace {

constexpr int run_failed = 1;
constexpr int input_wrong = 2;

/// The message on one line: a quoted name of a file or a key may contain any character.
std::string one_line(std::string message) {
    std::ranges::replace_if(
        message, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    constexpr std::size_t longest = 4000;
    return shortened(message, longest);
}

int fail(const std::string& message, int status) {
    print_to_stderr(fmt::format("beadwave: {}\n", one_line(message)));
    return status;
}

/// The error in the word that should be a command; empty if there is none.
std::string wrong_command(int argc, char** argv, const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    const std::string all = fmt::format("; the commands are {}", fmt::join(names, ", "));
    if (argc < 2) return "no command is given" + all;
    const std::string word = argv[1];
    if (std::ranges::find(names, word) != names.end()) return {};
    if (word == "-h" || word == "--help" || word == "--version") return {};
    const std::string hint = did_you_mean(word, names);
    return fmt::format("there is no {} \"{}\"{}", word.starts_with('-') ? "option" : "command",
                       shortened(word), hint.empty() ? all : hint);
}

/// The option that the command does not have; empty if there is none.
std::string wrong_option(int argc, char** argv, const CLI::App& app) {
    const auto found =
        app.get_subcommands([&](const CLI::App* each) { return each->get_name() == argv[1]; });
    if (found.empty()) return {};
    const CLI::App* const command = found.front();
    std::vector<std::string> names;
    for (const CLI::Option* option : command->get_options()) {
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
        for (const std::string& name : option->get_snames())
            names.push_back("-" + name);
    }
    for (int k = 2; k < argc; ++k) {
        const std::string word = argv[k], name = word.substr(0, word.find('='));
        if (word == "--") break;
        const bool option = word.starts_with("--") ||
                            (word.size() > 1 && word[0] == '-' && std::isalpha(word[1]) != 0);
        const std::string known = word.starts_with("--") ? name : word.substr(0, 2);
        if (!option || std::ranges::find(names, known) != names.end()) continue;
        return fmt::format("{}: there is no option \"{}\"{} (beadwave {} --help shows all)",
                           argv[1], shortened(name), did_you_mean(name, names), argv[1]);
    }
    return {};
}

/// What CLI11 says, in words of its own.
std::string wrong_line(const CLI::ParseError& error) {
    const std::string what = shortened(error.what(), 400);
    constexpr std::string_view required = ": 1 required ";
    if (const std::size_t at = what.find(required);
        at != std::string::npos && what.ends_with(" missing"))
        return what.substr(0, at) + ": its value is missing";
    constexpr std::string_view is_required = " is required", convert = "Could not convert: ";
    if (what.ends_with(is_required))
        return what.substr(0, what.size() - is_required.size()) + " is missing";
    if (what.starts_with(convert))
        return what.substr(convert.size()) + ": is not what this option takes";
    return what;
}

/// The command of a subject that is not part of this build; empty if it is none.
std::string missing_command(int argc, char** argv) {
    for (const jobs::Announcement& subject : jobs::announced_subjects()) {
        const bool wanted = argc > 1 && !subject.command.empty() && subject.command == argv[1];
        if (wanted && jobs::find_subject(subject.name) == nullptr)
            return fmt::format("{}: {}", subject.command, jobs::built_without(subject));
    }
    return {};
}

struct CommandResult {
    int status = 0;
    std::string error{};
};

template <class Work>
CommandResult result_of(const Work& work) {
    try {
        const int status = work();
        flush_output();
        return {status};
    } catch (const InputError& error) {
        return {input_wrong, error.what()};
    } catch (const ArgumentError& error) {  // a law that does not apply to these two bodies
        return {input_wrong, error.what()};
    } catch (const ranks::RankFailure& failure) {
        return {failure.status(), failure.what()};
    } catch (const std::exception& error) {
        return {run_failed, io::message_of(error)};
    }
}

/// What the processes that share a command must have in common before it starts. The files that the
/// scenario names are compared when they have been read.
std::vector<ranks::Fact> facts_of(const Command& command, int argc, char** argv) {
    std::vector<ranks::Fact> facts = jobs::program_facts(
        {{"command line", fmt::format("{}", fmt::join(argv + 1, argv + argc, " ")), true}});
    for (const std::string& name : command.inputs()) {
        std::error_code ignored;
        if (std::filesystem::is_other(name, ignored)) {  // what this reads, no one else can read
            throw InputError(fmt::format(
                "{}: is not a regular file; processes that share a command each read it, so that "
                "it cannot be a pipe or a device: write it to a file first",
                name));
        }
        std::ifstream file(name, std::ios::binary);
        std::ostringstream text;
        text.exceptions(std::ios::badbit);  // missing memory is no end of the text
        text << file.rdbuf();
        facts.push_back({name, file ? text.str() : "cannot be read", false});
    }
    return facts;
}

/// If several processes share the command, only the first one prints, and if one fails, all end. A
/// command that is not shared is run by the first one alone.
int exit_status(const Command& command, int argc, char** argv) {
    std::unique_ptr<ranks::Communicator> ranks;
    const CommandResult result = result_of([&] {
        ranks = command.shared || ranks::has_mpi() ? ranks::mpi_communicator()
                                                   : ranks::serial_communicator();
        const bool first = ranks->alone() ? ranks::launched_rank() == 0 : ranks->first();
        if (!first) silence();
        if (!ranks->alone()) ranks::require_same(*ranks, facts_of(command, argc, argv));
        if (!command.shared && !first) return 0;
        return command.run(*ranks);
    });
    if (result.error.empty()) return result.status;
    std::fflush(stdout);  // ranks->fail() may end all processes at once
    fail(result.error, result.status);
    if (ranks) ranks->fail(result.status, one_line(result.error));
    return result.status;
}

int parse_and_run(int argc, char** argv) {
    CommandLine line;
    CLI::App& app = *line.app;
    constexpr std::string_view help = " (beadwave --help shows what is allowed)";
    try {
        const std::string missing = missing_command(argc, argv);
        if (!missing.empty()) return fail(missing, input_wrong);
        std::string wrong = wrong_command(argc, argv, app);
        if (!wrong.empty()) return fail(wrong.append(help), input_wrong);
        const std::string retired = retired_option(argc, argv);
        if (!retired.empty()) {
            print_to_stderr(retired + "\n");
            return input_wrong;
        }
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        const CommandResult printed = result_of([&] { return app.exit(success); });
        return printed.error.empty() ? printed.status : fail(printed.error, printed.status);
    } catch (const CLI::ParseError& error) {
        const std::string wrong = wrong_option(argc, argv, app);
        if (!wrong.empty()) return fail(wrong, input_wrong);
        const std::string own = fmt::format(" (beadwave {} --help shows what is allowed)", argv[1]);
        return fail(wrong_line(error).append(own), input_wrong);
    }
    const auto command =
        std::ranges::find_if(line.commands, [](const Command& one) { return one.line.parsed(); });
    return exit_status(*command, argc, argv);
}

/// Ends the program where an exception may not pass: destructors of the JSON library allocate, and
/// HDF5 is in C. Without memory that is an error as any other, not a crash; what is on the disk is
/// as after a kill.
[[noreturn]] void terminated() {
    try {
        if (std::current_exception()) throw;
    } catch (const std::bad_alloc&) {
        print_raw_to_stderr("beadwave: not enough memory\n");
        std::_Exit(run_failed);
    } catch (...) {
    }
    std::abort();
}

}  // namespace

int program(int argc, char** argv) {
    std::set_terminate(terminated);
    reserve_standard_streams();
    // A limit on file sizes and a closed pipe are then reported by the write that fails, in the
    // same way as a full disk.
    for (const int signal : {SIGXFSZ, SIGPIPE})
        std::signal(signal, SIG_IGN);
    try {
        return parse_and_run(argc, argv);
    } catch (const std::bad_alloc&) {  // the command line itself does not fit
        print_raw_to_stderr("beadwave: not enough memory\n");
        return run_failed;
    }
}

}  // namespace beadwave::cli
