#include "cli/command.hpp"

#include <filesystem>

namespace beadwave::cli {

void add_scenario(CLI::App& line, std::string& name) {
    line.add_option("SCENARIO", name, "the scenario, a TOML file")->required();
}

CLI::Option* add_measured(CLI::App& line, std::string& name) {
    return line.add_option(
        "--measured", name,
        "measured forces, a CSV file: time in s, then one column per sensor in N");
}

CLI::Option* add_repeated(CLI::App& line, const std::string& option,
                          std::vector<std::string>& values, const std::string& type,
                          const std::string& help) {
    return line.add_option(option, values, help)->take_all()->expected(1)->type_name(type);
}

void add_set(CLI::App& line, std::vector<std::string>& overrides, const std::string& more) {
    add_repeated(line, "--set", overrides, "KEY=VALUE",
                 "set one key of the scenario, for example law.name=hertz or "
                 "segment.0.velocity=2; may be given several times" +
                     more);
}

void add_threads(CLI::App& line, int& number) {
    line.add_option("--threads", number, "number of threads (default: all)")
        ->check(CLI::Range(1, 4096));
}

void add_quiet(CLI::App& line, bool& wanted, const std::string& help) {
    line.add_flag("--quiet", wanted, help);
}

void add_json(CLI::App& line, bool& wanted) {
    line.add_flag("--json", wanted, "print one JSON object on standard output");
}

void add_overwrite(CLI::App& line, bool& wanted, const std::string& more) {
    line.add_flag("--overwrite", wanted,
                  "replace existing files even if this command did not write them" + more);
}

void add_history_flags(CLI::App& line, bool& overwrite, bool& ignore_disk_space) {
    line.add_flag("--overwrite", overwrite,
                  "replace an existing file even if it is not a history of beadwave");
    line.add_flag("--ignore-disk-space", ignore_disk_space,
                  "start although the disk may be too small for the history");
}

std::string named_after(const std::string& scenario, const char* ending) {
    return std::filesystem::path(scenario).stem().concat(ending).string();
}

}  // namespace beadwave::cli
