#include "cli/program.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

namespace beadwave::cli {
namespace {

constexpr int run_failed = 1;
constexpr int input_wrong = 2;

/// One line whatever it quotes: a file's name and a key may have any character.
int fail(std::string message, int status) {
    std::ranges::replace_if(
        message, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    fmt::print(stderr, "beadwave: {}\n", message);
    return status;
}

/// Results may still stand in the buffer of standard output.
void deliver() {
    errno = 0;
    const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
    if (failed)
        throw std::runtime_error(
            fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

template <class Command>
int guarded(Command command) {
    try {
        const int status = command();
        deliver();
        return status;
    } catch (const InputError& error) {
        return fail(error.what(), input_wrong);
    } catch (const ArgumentError& error) {  // a law for two bodies that it is not made for
        return fail(error.what(), input_wrong);
    } catch (const std::bad_alloc&) {
        return fail("not enough memory", run_failed);
    } catch (const std::exception& error) {
        return fail(error.what(), run_failed);
    }
}

}  // namespace

int program(int argc, char** argv) {
    std::signal(
        SIGXFSZ,
        SIG_IGN);  // a limit on file sizes is reported by the write that fails, as a full disk is
    CLI::App app(
        "Solitary waves and impacts in chains of elastic, viscous and elastoplastic beads.",
        "beadwave");
    app.set_version_flag("--version", "beadwave " BEADWAVE_VERSION);
    app.require_subcommand(1);
    const std::string set_help =
        "override a value, for example law.name=hertz or segment.0.velocity=2";

    RunOptions run;
    CLI::App* run_app = app.add_subcommand("run", "Simulate a scenario and write its history");
    run_app->add_option("SCENARIO", run.scenario, "the scenario, a TOML file")->required();
    run_app->add_option("-o,--output", run.output,
                        "history file (default: SCENARIO's name with .h5, here)");
    run_app->add_option("--set", run.overrides, set_help)
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    run_app->add_option("--threads", run.threads, "threads to use (default: all)")
        ->check(CLI::Range(1, 4096));
    run_app->add_flag("--quiet", run.quiet, "no progress, no summary");
    run_app->add_flag("--json", run.json, "one JSON object on standard output");
    run_app->add_flag("--check", run.check,
                      "run again at half the time step and print what that changes");
    const std::string force_help = "begin although the disk cannot hold the history";
    run_app->add_flag("--force", run.force, force_help);

    ResumeOptions resume;
    CLI::App* resume_app = app.add_subcommand("resume", "Go on with a run that was interrupted");
    resume_app
        ->add_option("CHECKPOINT.h5", resume.checkpoint, "what the run left beside its history")
        ->required();
    resume_app->add_option("-o,--output", resume.output, "history file (default: the run's own)");
    resume_app->add_option("--threads", resume.threads, "threads to use (default: all)")
        ->check(CLI::Range(1, 4096));
    resume_app->add_flag("--quiet", resume.quiet, "no progress, no summary");
    resume_app->add_flag("--json", resume.json, "one JSON object on standard output");
    resume_app->add_flag("--force", resume.force, force_help);

    WatchOptions watch;
    CLI::App* watch_app = app.add_subcommand("watch", "Follow a run while it goes on");
    watch_app
        ->add_option("OUT.h5", watch.history, "the history, by the name that the run was given")
        ->required();
    watch_app->add_option("--every", watch.every, "seconds between two looks (default: 2)")
        ->check(CLI::Range(0.1, 86400.0))
        ->type_name("SECONDS");
    watch_app->add_flag("--once", watch.once, "one look only");
    watch_app->add_flag("--json", watch.json, "one JSON object a look, on a line of its own");

    CollideOptions collide;
    CLI::App* collide_app = app.add_subcommand("collide", "One collision of two bodies");
    collide_app->add_option("CASE", collide.file, "the case, a TOML file")->required();
    collide_app->add_option("--set", collide.overrides, set_help)
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    collide_app->add_option(
        "--curve", collide.curve,
        "CSV of the collision's course: time_s, overlap_m, approach_speed_m_per_s, force_N");
    collide_app->add_flag("--json", collide.json, "one JSON object on standard output");

    CompareOptions compare;
    CLI::App* compare_app = app.add_subcommand("compare", "One scenario under several laws");
    compare_app->add_option("SCENARIO", compare.scenario, "the scenario, a TOML file")->required();
    compare_app
        ->add_option("--laws", compare.laws, "laws to compare, a,b,c; the first is the reference")
        ->required();
    compare_app->add_option("--measured", compare.measured,
                            "CSV of measured forces: time, then one column a sensor");
    compare_app->add_option("--set", compare.overrides, set_help)
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    compare_app->add_option("--threads", compare.threads, "threads to use (default: all)")
        ->check(CLI::Range(1, 4096));
    compare_app->add_flag("--json", compare.json, "one JSON object on standard output");

    SweepOptions sweep;
    CLI::App* sweep_app =
        app.add_subcommand("sweep", "One scenario with many values, into one table");
    sweep_app->add_option("SCENARIO", sweep.scenario, "the scenario, a TOML file")->required();
    const std::string vary_help =
        "values of one key: law.psi=2.6:3.0:9 (first:last:count) or law.name=hertz,ma-liu";
    CLI::Option* vary = sweep_app->add_option("--vary", sweep.vary, vary_help)->required();
    vary->take_all()->expected(1)->type_name("KEY=VALUES");
    sweep_app->add_option("--set", sweep.overrides, set_help)
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    sweep_app->add_option("-o,--output", sweep.output,
                          "HDF5 table (default: SCENARIO's name with .sweep.h5, here)");
    sweep_app->add_option("--csv", sweep.csv,
                          "CSV table (default: the HDF5 table's name with .csv)");
    sweep_app->add_option("--threads", sweep.threads, "threads to use (default: all)")
        ->check(CLI::Range(1, 4096));
    sweep_app->add_flag("--quiet", sweep.quiet, "no progress, no summary");
    sweep_app->add_flag("--json", sweep.json, "one JSON object on standard output");

    LawsOptions laws;
    CLI::App* laws_app = app.add_subcommand("laws", "The catalogue of contact laws");
    laws_app->add_option("NAME", laws.name, "one law in full");
    laws_app->add_flag("--json", laws.json, "one JSON object on standard output");
    laws_app->add_flag("--markdown", laws.markdown, "the whole catalogue in full, as docs/LAWS.md");

    ReportOptions report;
    CLI::App* report_app =
        app.add_subcommand("report", "A page of figures from one or several histories");
    report_app
        ->add_option("OUT.h5", report.histories,
                     "histories; several compare their laws on one page")
        ->required();
    report_app->add_option("-o,--output", report.output,
                           "the page, .html (default: the first history's name with .html)");
    report_app->add_option("--svg", report.svg, "also a still figure, .svg");
    report_app->add_option("--png", report.png, "also a still figure, .png");
    report_app->add_option("--xdmf", report.xdmf,
                           "also a description of the history for ParaView, .xdmf2");
    report_app->add_option("--contacts", report.contacts,
                           "contacts whose force-overlap loops to draw, for example 5,20");

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "beadwave: {} (beadwave --help shows what is allowed)\n", error.what());
        return input_wrong;
    }
    if (*run_app) return guarded([&] { return run_command(run); });
    if (*resume_app) return guarded([&] { return resume_command(resume); });
    if (*watch_app) return guarded([&] { return watch_command(watch); });
    if (*compare_app) return guarded([&] { return compare_command(compare); });
    if (*sweep_app) return guarded([&] { return sweep_command(sweep); });
    if (*collide_app) return guarded([&] { return collide_command(collide); });
    if (*report_app) return guarded([&] { return report_command(report); });
    return guarded([&] { return laws_command(laws); });
}

}  // namespace beadwave::cli
