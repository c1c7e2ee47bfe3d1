#include "cli/completion.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "tasks/keys.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace beadwave::cli {
namespace {

struct CompletedOption {
    std::vector<std::string> names;  ///< with their dashes
    std::string meaning;
    bool takes_value;
};

struct CompletedCommand {
    std::string name, meaning;
    std::vector<CompletedOption> options;

    std::vector<std::string> option_names() const {
        std::vector<std::string> all;
        for (const CompletedOption& option : options)
            all.insert(all.end(), option.names.begin(), option.names.end());
        return all;
    }
};

std::vector<CompletedCommand> completed_commands(const CLI::App& app) {
    std::vector<CompletedCommand> commands;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        CompletedCommand& each = commands.emplace_back();
        each.name = command->get_name();
        each.meaning = command->get_description();
        for (const CLI::Option* option :
             command->get_options([](const CLI::Option*) { return true; })) {
            if (option->get_positional()) continue;
            CompletedOption& made = each.options.emplace_back();
            for (const std::string& name : option->get_snames())
                made.names.push_back("-" + name);
            for (const std::string& name : option->get_lnames())
                made.names.push_back("--" + name);
            made.meaning = option->get_description();
            made.takes_value = option->get_expected_max() != 0;
        }
    }
    return commands;
}

/// The options whose value begins with a key of the scenario and an equals sign.
constexpr const char* options_of_keys[] = {"--set", "--vary", "--bounds", "--continue"};

/// Keys that can be completed: of lists those of the first member, none below a name that the
/// scenario chooses.
std::vector<std::string> completed_keys() {
    std::vector<std::string> keys;
    const nlohmann::ordered_json listed = tasks::keys_json("");
    for (const auto& entry : listed["keys"]) {
        auto key = entry["key"].get<std::string>();
        if (key.find("NAME") != std::string::npos) continue;
        for (std::size_t at = 0; (at = key.find(".N", at)) != std::string::npos; ++at)
            key.replace(at, 2, ".0");
        keys.push_back(key);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

/// The text in single quotes of a shell.
std::string quoted(const std::string& text, std::string_view quote) {
    std::string safe = "'";
    for (const char c : text) {
        if (c == '\'')
            safe += quote;
        else
            safe += c;
    }
    return safe + "'";
}

/// An item of a list of _describe or _values of zsh: colons and brackets have a meaning there.
std::string zsh_item(const std::string& name, const std::string& meaning) {
    std::string safe;
    for (const char c : meaning) {
        if (c == ':') safe += '\\';
        safe += c;
    }
    return quoted(name + ":" + safe, "'\\''");
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
    std::vector<std::string> names;
    std::string cases;
    for (const CompletedCommand& command : completed_commands(app)) {
        names.push_back(command.name);
        cases += fmt::format("        {}) words=\"{}\" ;;\n", command.name,
                             fmt::join(command.option_names(), " "));
    }
    return fmt::format(R"(# bash completion of beadwave, generated from its command line
_beadwave() {{
    local words word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local laws="{0}"
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{1} --help --version" -- "$word"))
        return
    fi
    case ${{COMP_WORDS[1]}} in
{2}    esac
    case $before in
        --laws) COMPREPLY=($(compgen -W "$laws" -- "$word")); return ;;
        {3})
            COMPREPLY=($(compgen -S = -W "{4}" -- "$word"))
            compopt -o nospace 2>/dev/null
            return
            ;;
    esac
    case $word in
        -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
        *)
            if [ "${{COMP_WORDS[1]}}" = laws ]; then
                COMPREPLY=($(compgen -W "$laws" -- "$word"))
            else
                compopt -o filenames 2>/dev/null
                COMPREPLY=($(compgen -f -- "$word"))
            fi
            ;;
    esac
}}
complete -F _beadwave beadwave
)",
                       fmt::join(laws::known_names(), " "), fmt::join(names, " "), cases,
                       fmt::join(options_of_keys, "|"), fmt::join(completed_keys(), " "));
}

std::string zsh_completion(const CLI::App& app) {
    std::string names, cases;
    for (const CompletedCommand& command : completed_commands(app)) {
        names += fmt::format("        {}\n", zsh_item(command.name, command.meaning));
        cases += fmt::format("        {}) options=(\n", command.name);
        for (const CompletedOption& option : command.options) {
            for (const std::string& name : option.names)
                cases += fmt::format("            {}\n", zsh_item(name, option.meaning));
        }
        cases += "        ) ;;\n";
    }
    return fmt::format(R"(#compdef beadwave
# zsh completion of beadwave, generated from its command line
_beadwave() {{
    local -a commands options
    commands=(
{0}    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    case $words[2] in
{1}    esac
    case $words[CURRENT-1] in
        --laws) compadd -- {2}; return ;;
        {3}) compadd -S = -- {4}; return ;;
    esac
    if [[ $words[CURRENT] == -* ]]; then
        _describe -o option options
    elif [[ $words[2] == laws ]]; then
        compadd -- {2}
    else
        _files
    fi
}}
_beadwave "$@"
)",
                       names, cases, fmt::join(laws::known_names(), " "),
                       fmt::join(options_of_keys, "|"), fmt::join(completed_keys(), " "));
}

std::string fish_completion(const CLI::App& app) {
    std::string text = "# fish completion of beadwave, generated from its command line\n";
    const std::string laws = fmt::format("{}", fmt::join(laws::known_names(), " "));
    const std::string keys = fmt::format("{}=", fmt::join(completed_keys(), "= "));
    for (const CompletedCommand& command : completed_commands(app)) {
        text += fmt::format("complete -c beadwave -n __fish_use_subcommand -f -a {} -d {}\n",
                            command.name, quoted(command.meaning, "\\'"));
        for (const CompletedOption& option : command.options) {
            std::string line = fmt::format(
                "complete -c beadwave -n '__fish_seen_subcommand_from "
                "{}'",
                command.name);
            bool has_keys = false, has_laws = false;
            for (const std::string& name : option.names) {
                const bool is_long = name.starts_with("--");
                line += fmt::format(" {} {}", is_long ? "-l" : "-s", name.substr(is_long ? 2 : 1));
                has_laws = has_laws || name == "--laws";
                has_keys = has_keys || std::ranges::find(options_of_keys, name) !=
                                           std::ranges::end(options_of_keys);
            }
            if (option.takes_value) line += has_keys || has_laws ? " -x" : " -r";
            if (has_keys) line += fmt::format(" -a '{}'", keys);
            if (has_laws) line += fmt::format(" -a '{}'", laws);
            text += fmt::format("{} -d {}\n", line, quoted(option.meaning, "\\'"));
        }
    }
    text += fmt::format("complete -c beadwave -n '__fish_seen_subcommand_from laws' -f -a '{}'\n",
                        laws);
    return text;
}

}  // namespace beadwave::cli
