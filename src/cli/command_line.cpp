#include "cli/command_line.hpp"

#include <string>

namespace beadwave::cli {

CommandLine::CommandLine() {
    app.set_version_flag("--version", "beadwave " BEADWAVE_VERSION);
    app.require_subcommand(1);
    const std::string set_help =
        "override a value, for example law.name=hertz or segment.0.velocity=2";

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
    const std::string overwrite_help = "replace whatever file stands in the result's place";
    const std::string force_help =
        "begin although the disk cannot hold the history, and " + overwrite_help;
    run_app->add_flag("--force", run.force, force_help);

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

    CLI::App* watch_app = app.add_subcommand("watch", "Follow a run while it goes on");
    watch_app
        ->add_option("OUT.h5", watch.history, "the history, by the name that the run was given")
        ->required();
    watch_app->add_option("--every", watch.every, "seconds between two looks (default: 2)")
        ->check(CLI::Range(0.1, 86400.0))
        ->type_name("SECONDS");
    watch_app->add_flag("--once", watch.once, "one look only");
    watch_app->add_flag("--json", watch.json, "one JSON object a look, on a line of its own");

    CLI::App* collide_app = app.add_subcommand("collide", "One collision of two bodies");
    collide_app->add_option("CASE", collide.file, "the case, a TOML file")->required();
    collide_app->add_option("--set", collide.overrides, set_help)
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    collide_app->add_option(
        "--curve", collide.curve,
        "CSV of the collision's course: time_s, overlap_m, approach_speed_m_per_s, force_N");
    collide_app->add_flag("--force", collide.force, overwrite_help);
    collide_app->add_flag("--json", collide.json, "one JSON object on standard output");

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
    sweep_app->add_flag("--force", sweep.force, overwrite_help + "; begin anew");
    sweep_app->add_flag("--quiet", sweep.quiet, "no progress, no summary");
    sweep_app->add_flag("--json", sweep.json, "one JSON object on standard output");

    CLI::App* fit_app = app.add_subcommand("fit", "A scenario's numbers from measured traces");
    fit_app->add_option("SCENARIO", fit.scenario, "the scenario, a TOML file")->required();
    fit_app
        ->add_option("--measured", fit.measured,
                     "CSV of measured forces: time, then one column a sensor")
        ->required();
    fit_app
        ->add_option("--vary", fit.vary,
                     "bounds of one key, law.psi=2:4; also clock.shift and sensor.gain")
        ->required()
        ->take_all()
        ->expected(1)
        ->type_name("KEY=LOW:HIGH");
    fit_app->add_option("--set", fit.overrides, set_help + "; where a varied key starts")
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    fit_app->add_option("--of", fit.of,
                        "what is fitted: traces (default), peaks, arrivals, or peaks,arrivals");
    fit_app->add_option("--laws", fit.laws,
                        "laws to fit and rank, a,b,c (default: the scenario's)");
    fit_app->add_option("--noise", fit.noise,
                        "standard deviation of the forces in N, one or one a trace (default: "
                        "estimated)");
    fit_app->add_option("--arrival-noise", fit.arrival_noise,
                        "standard deviation of the arrivals in s (default: estimated)");
    fit_app->add_option("--starts", fit.starts, "try so many more starts between the bounds")
        ->check(CLI::Range(1, 1000000));
    fit_app->add_option("--profile", fit.profiled, "hold this key at values around its best")
        ->take_all()
        ->expected(1)
        ->type_name("KEY");
    fit_app->add_option("-o,--output", fit.output,
                        "the fit, HDF5 (default: SCENARIO's name with .fit.h5, here)");
    fit_app->add_option("--threads", fit.threads, "threads to use (default: all)")
        ->check(CLI::Range(1, 4096));
    fit_app->add_flag("--force", fit.force, overwrite_help);
    fit_app->add_flag("--quiet", fit.quiet, "no summary");
    fit_app->add_flag("--json", fit.json, "one JSON object on standard output");

    CLI::App* laws_app = app.add_subcommand("laws", "The catalogue of contact laws");
    laws_app->add_option("NAME", laws.name, "one law in full");
    laws_app->add_flag("--json", laws.json, "one JSON object on standard output");
    laws_app->add_flag("--markdown", laws.markdown, "the whole catalogue in full, as docs/LAWS.md");

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
    report_app->add_flag("--force", report.force, overwrite_help);
}

}  // namespace beadwave::cli
