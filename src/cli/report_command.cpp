// `beadwave report`: checks its arguments, then calls the Python package in src/report, which
// draws.

#include "cli/command_line.hpp"
#include "cli/python.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "tasks/report_files.hpp"

#include <memory>
#include <utility>

namespace beadwave::cli {
namespace {

/// The Python package has the values that are allowed (src/report/picture_options.py).
const std::pair<const char*, const char*> drawing_options[] = {
    {"--size", "pixels of films, pictures and still figures, for example 1920x1080"},
    {"--fps", "frames per second of films"},
    {"--seconds", "length of films"},
    {"--camera",
     "view of a packing in space: page, front, right, back, left, top, bottom, isometric, or "
     "azimuth,elevation in degrees, each with ,zoom behind it; in the plane: plane,zoom"},
    {"--colour",
     "quantity of the colours of particles: speed, force, contact-number, angular-velocity, "
     "velocity-x, velocity-y, velocity-z, radius or temperature"},
    {"--colour-range", "values at the ends of the colour bar, LOW:HIGH in SI units"},
    {"--walls", "of packings: faint, solid or hidden"},
    {"--at",
     "moments of still figures and of --picture: times in s, or names such as start, end and "
     "largest-force"},
    {"--panels", "names of the panels of page and still figures, for example traces,energy"}};

}  // namespace

Command report_command(CLI::App& app) {
    const auto given = std::make_shared<tasks::ReportRequest>();
    Line line(app, "report", "Draw a page of figures from one or several histories");
    line.add_option("OUT.h5", given->histories,
                    "histories, or a result of beadwave fit or sweep; several histories compare "
                    "their laws on one page. A file of linear modes, alone or with histories")
        .required();
    line.add_option("-o,--output", given->output,
                    "the page, .html (default: name of the first history with .html)");
    line.add_option("--svg", given->svg, "also write a static figure, .svg");
    line.add_option("--png", given->png, "also write a static figure, .png");
    line.add_option("--gif", given->gif,
                    "also write the moving picture of a packing or a mechanism, .gif");
    line.add_option("--mp4", given->mp4, "the same as a film, .mp4; needs ffmpeg");
    line.add_option(
        "--picture", given->picture,
        "also write the rendered picture of one moment (--at, otherwise the last), .png");
    line.add_option("--xdmf", given->xdmf,
                    "also write a description of the history for ParaView, .xdmf2");
    line.add_option("--contacts", given->contacts,
                    "contacts whose force-overlap loops are drawn, for example 5,20");
    for (const auto& [option, meaning] : drawing_options)
        line.add_option(option, given->drawing[option], meaning);
    add_overwrite(line, given->overwrite);

    return {.line = line, .run = [given](ranks::Communicator&) {
                const SignalGuard signals;  // an interruption removes incomplete files
                tasks::ReportFiles files(*given);
                const int status = run_python_package(
                    "report", files.arguments(),
                    "python3-h5py python3-numpy python3-plotly python3-matplotlib");
                if (status != 0) return status;
                files.commit();
                for (const std::filesystem::path& name : files.names())
                    print(name.string() + "\n");
                return 0;
            }};
}

}  // namespace beadwave::cli
