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
    line.add_flag("--copy", given->copy,
                  "for .vtkhdf and .hdf: the file holds the numbers of all snapshots itself; "
                  "processes that mpirun starts share the work");
    add_overwrite(line, given->overwrite);

    const auto run = [given](ranks::Communicator& ranks) {
        const SignalGuard signals;  // an interruption removes an incomplete file
        const auto write = [](const tasks::ExportFile& file) {
            return run_python_package("report/export", file.arguments(),
                                      "python3-h5py python3-numpy python3-gsd");
        };
        const int status = tasks::export_file(ranks, *given, write, interrupted);
        if (status == 0) print(given->output + "\n");
        return status;
    };
    return {.line = line, .run = run, .shared = ranks::has_mpi()};
}

}  // namespace beadwave::cli
