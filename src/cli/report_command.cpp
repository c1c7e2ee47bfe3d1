// `beadwave report`: checks what it is asked, then lets the Python package in src/report draw.

#include "beadwave/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/history_argument.hpp"
#include "cli/python.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "io/files/report_results.hpp"
#include "io/files/staged_file.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <list>
#include <optional>
#include <stdexcept>

namespace beadwave::cli {
namespace {

namespace fs = std::filesystem;

void check_contacts(const std::string& list) {
    const bool numbers = list.find_first_not_of("0123456789,") == std::string::npos &&
                         !list.empty() && list.front() != ',' && list.back() != ',' &&
                         list.find(",,") == std::string::npos;
    if (!numbers || list.size() > 1000) {
        throw InputError(
            fmt::format("--contacts {}: expected numbers of contacts, for example 5,20", list));
    }
}

/// Python reads only what has passed this.
void check_structure(const std::string& name) {
    check_history(name);
    try {
        io::hdf5::open_in_any_state(name);
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: {}", name, error.what()));
    }
}

/// A drawing under a temporary name beside its final one, so that nothing half-written is left.
struct Drawing {
    /// `ending` guards scenarios and histories from being overwritten by a slip.
    Drawing(const std::string& option, const io::Output& output, const std::string& ending,
            const io::ResultKind& kind)
        : name(output.path) {
        if (name.extension() != ending) {
            throw InputError(
                fmt::format("{} {}: the name must end in {}", option, name.string(), ending));
        }
        file.emplace(output, kind);
    }

    fs::path name;
    std::optional<io::StagedFile> file;
};

}  // namespace

int report_command(const ReportOptions& options) {
    const SignalGuard signals;  // what is half-written goes when a person interrupts
    for (const std::string& name : options.histories)
        check_structure(name);
    if (options.contacts) check_contacts(*options.contacts);

    const fs::path page = options.output.empty()
                              ? fs::path(options.histories.front()).replace_extension(".html")
                              : fs::path(options.output);
    std::list<Drawing> drawings;
    std::vector<std::string> arguments;
    const auto draw = [&](const std::string& option, const std::string& passed,
                          const fs::path& path, const std::string& ending,
                          const io::ResultKind& kind) {
        drawings.emplace_back(option, io::Output(path, options.force), ending, kind);
        arguments.insert(arguments.end(), {passed, drawings.back().file->path().string()});
    };
    draw("--output", "--page", page, ".html", io::page_result);
    if (!options.svg.empty()) draw("--svg", "--svg", options.svg, ".svg", io::svg_result);
    if (!options.png.empty()) draw("--png", "--png", options.png, ".png", io::png_result);
    if (!options.xdmf.empty()) draw("--xdmf", "--xdmf", options.xdmf, ".xdmf2", io::xdmf_result);
    if (options.contacts) arguments.insert(arguments.end(), {"--contacts", *options.contacts});
    arguments.push_back("--");
    arguments.insert(arguments.end(), options.histories.begin(), options.histories.end());

    const int status = run_python_package("report", arguments);
    if (status != 0) return status;
    for (Drawing& drawing : drawings)
        drawing.file->publish();
    for (const Drawing& drawing : drawings)
        print(drawing.name.string() + "\n");
    return 0;
}

}  // namespace beadwave::cli
