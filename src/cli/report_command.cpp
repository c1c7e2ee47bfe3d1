// `beadwave report`: checks what it is asked, then lets the Python package in src/report draw.

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "cli/commands.hpp"
#include "cli/history_argument.hpp"
#include "cli/python.hpp"
#include "cli/signal_guard.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

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
class Drawing {
  public:
    /// `ending` guards scenarios and histories from being overwritten by a slip.
    Drawing(std::string option, fs::path final_path, const std::string& ending)
        : option_(std::move(option)), final_(std::move(final_path)) {
        if (final_.extension() != ending) {
            throw InputError(
                fmt::format("{} {}: the name must end in {}", option_, final_.string(), ending));
        }
        std::error_code error;
        if (fs::is_directory(final_, error))
            throw InputError(fmt::format("{} {}: is a folder", option_, final_.string()));
        const fs::path folder = final_.has_parent_path() ? final_.parent_path() : fs::path(".");
        partial_ = folder / fmt::format(".{}.partial-{}", final_.filename().string(), ::getpid());
        const int file =
            ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0) {
            const int why = errno;
            throw InputError(fmt::format("{} {}: cannot be written in the folder {} ({})", option_,
                                         final_.string(), folder.string(),
                                         std::generic_category().message(why)));
        }
        ::close(file);
    }
    ~Drawing() {
        std::error_code ignored;
        if (!partial_.empty()) fs::remove(partial_, ignored);
    }
    Drawing(Drawing&& other) noexcept
        : option_(std::move(other.option_)),
          final_(std::move(other.final_)),
          partial_(std::move(other.partial_)) {
        other.partial_.clear();
    }
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

    const fs::path& partial() const { return partial_; }
    const fs::path& final_path() const { return final_; }

    void publish() {
        std::error_code error;
        fs::rename(partial_, final_, error);
        if (error)
            throw running::RunError(
                fmt::format("{}: cannot be written ({})", final_.string(), error.message()));
        partial_.clear();
    }

  private:
    std::string option_;
    fs::path final_, partial_;
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
    std::vector<Drawing> drawings;
    std::vector<std::string> arguments;
    const auto draw = [&](const std::string& option, const std::string& passed,
                          const fs::path& path, const std::string& ending) {
        drawings.emplace_back(option, path, ending);
        arguments.insert(arguments.end(), {passed, drawings.back().partial().string()});
    };
    draw("--output", "--page", page, ".html");
    if (!options.svg.empty()) draw("--svg", "--svg", options.svg, ".svg");
    if (!options.png.empty()) draw("--png", "--png", options.png, ".png");
    if (!options.xdmf.empty()) draw("--xdmf", "--xdmf", options.xdmf, ".xdmf2");
    if (options.contacts) arguments.insert(arguments.end(), {"--contacts", *options.contacts});
    arguments.push_back("--");
    arguments.insert(arguments.end(), options.histories.begin(), options.histories.end());

    const int status = run_python_package("report", arguments);
    if (status != 0) return status;
    for (Drawing& drawing : drawings)
        drawing.publish();
    for (const Drawing& drawing : drawings)
        fmt::print("{}\n", drawing.final_path().string());
    return 0;
}

}  // namespace beadwave::cli
