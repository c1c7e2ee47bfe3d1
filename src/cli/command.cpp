#include "cli/command.hpp"

#include <filesystem>

namespace beadwave::cli {

void add_scenario(Line& line, std::string& name) {
    line.add_option("SCENARIO", name, "the scenario, a TOML file").required();
}

Option add_measured(Line& line, std::string& name) {
    return line.add_option(
        "--measured", name,
        "measured forces, a CSV file: time in s, then one column per sensor in N");
}

Option add_repeated(Line& line, const std::string& option, std::vector<std::string>& values,
                    const std::string& type, const std::string& help) {
    return line.add_option(option, values, help).take_all().type_name(type);
}

void add_set(Line& line, std::vector<std::string>& overrides, const std::string& more) {
    add_repeated(line, "--set", overrides, "KEY=VALUE",
                 "set one key of the scenario, for example law.name=hertz or "
                 "segment.0.velocity=2; may be given several times" +
                     more);
}

void add_threads(Line& line, int& number) {
    line.add_option("--threads", number, "number of threads (default: all)").range(1, 4096);
}

void add_device(Line& line, std::string& name) {
    line.add_option("--device", name,
                    "of a packing: cpu, gpu or twin (the code for gpu, on the cpu), in place of "
                    "the key `device` of its scenario")
        .type_name("NAME");
}

void add_quiet(Line& line, bool& wanted, const std::string& help) {
    line.add_flag("--quiet", wanted, help);
}

void add_log(Line& line, std::optional<double>& interval) {
    line.add_option("--log", interval,
                    "print a line of progress every so many seconds, for the log of a batch system")
        .type_name("SECONDS")
        .range(1e-3, 1e9);
}

Option add_json(Line& line, bool& wanted) {
    return line.add_flag("--json", wanted, "print one JSON object on standard output");
}

void add_overwrite(Line& line, bool& wanted, const std::string& more) {
    line.add_flag("--overwrite", wanted,
                  "replace existing files even if this command did not write them" + more);
}

void add_yes(Line& line, bool& wanted) {
    line.add_flag("--yes", wanted, "start although it takes more than a month at the least");
}

void add_history_flags(Line& line, bool& overwrite, bool& ignore_disk_space) {
    line.add_flag("--overwrite", overwrite,
                  "replace an existing file even if it is not a history of beadwave");
    line.add_flag("--ignore-disk-space", ignore_disk_space,
                  "start although the disk may be too small for the history");
}

std::string named_after(const std::string& scenario, const char* ending) {
    return std::filesystem::path(scenario).stem().concat(ending).string();
}

}  // namespace beadwave::cli
