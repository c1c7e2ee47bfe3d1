// `beadwave report`: checks its arguments, then calls the Python package in src/report, which
// draws.

#include "cli/commands.hpp"
#include "cli/python.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "tasks/report_files.hpp"

namespace beadwave::cli {

int report_command(const ReportOptions& options) {
    const SignalGuard signals;  // an interruption removes incomplete files
    tasks::ReportFiles files({.histories = options.histories,
                              .output = options.output,
                              .svg = options.svg,
                              .png = options.png,
                              .xdmf = options.xdmf,
                              .contacts = options.contacts,
                              .overwrite = options.overwrite});
    const int status = run_python_package("report", files.arguments());
    if (status != 0) return status;
    files.commit();
    for (const std::filesystem::path& name : files.names())
        print(name.string() + "\n");
    return 0;
}

}  // namespace beadwave::cli
