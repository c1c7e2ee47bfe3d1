// `beadwave export`: checks its arguments, then calls the Python package in src/report/export,
// which writes.

#include "cli/command_line.hpp"
#include "cli/python.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "io/files/export_results.hpp"
#include "tasks/export_file.hpp"

#include <fmt/format.h>

#include <iterator>
#include <memory>

namespace beadwave::cli {

Command export_command(CLI::App& app) {
    const auto given = std::make_shared<tasks::ExportRequest>();
    Line line(app, "export", "Write a history as a file of ParaView, OVITO, LAMMPS and others");
    line.add_option("OUT.h5", given->history, "a history with snapshots").required();
    std::string formats = "the file; its ending gives the format";
    for (const io::ExportFormat& format : io::export_formats)
        fmt::format_to(std::back_inserter(formats), "; {}: {}", format.ending, format.meaning);
    line.add_option("-o,--output", given->output, formats).required();
    line.add_option(
        "--snapshot", given->snapshot,
        "for .data, .vtp and .vtkhdf: number of the snapshot, from 0, or from -1 backwards "
        "(default: -1, the last; .vtkhdf: all)");
    add_overwrite(line, given->overwrite);

    return {.line = line, .run = [given](ranks::Communicator&) {
                const SignalGuard signals;  // an interruption removes an incomplete file
                tasks::ExportFile file(*given);
                const int status = run_python_package("report/export", file.arguments(),
                                                      "python3-h5py python3-numpy python3-gsd");
                if (status != 0) return status;
                file.commit();
                print(given->output + "\n");
                return 0;
            }};
}

}  // namespace beadwave::cli
