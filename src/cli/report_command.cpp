// `beadwave report`: checks what it is asked, then lets the Python package in src/report draw.

#include "cli/commands.hpp"
#include "cli/python.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "tasks/report_files.hpp"

namespace beadwave::cli {

int report_command(const ReportOptions& options) {
    const SignalGuard signals;  // what is half-written goes when a person interrupts
    tasks::ReportFiles files({.histories = options.histories,
                              .output = options.output,
                              .svg = options.svg,
                              .png = options.png,
                              .xdmf = options.xdmf,
                              .contacts = options.contacts,
                              .force = options.force});
    const int status = run_python_package("report", files.arguments());
    if (status != 0) return status;
    files.publish();
    for (const std::filesystem::path& name : files.names())
        print(name.string() + "\n");
    return 0;
}

}  // namespace beadwave::cli
