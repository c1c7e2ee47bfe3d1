#include "cli/command_line.hpp"

#include <string>

namespace beadwave::cli {

CommandLine::CommandLine() {
    app.set_version_flag("--version", "beadwave " BEADWAVE_VERSION);
    app.require_subcommand(1);
    const std::string set_help =
        "set one key of the scenario, for example law.name=hertz or segment.0.velocity=2; may be "
        "given several times";
    const std::string scenario_help = "the scenario, a TOML file";
    const std::string threads_help = "number of threads (default: all)";
    const std::string quiet_help = "print no progress and no summary";
    const std::string json_help = "print one JSON object on standard output";
    const std::string overwrite_help =
        "replace existing files even if this command did not write them";
    const std::string history_overwrite_help =
        "replace an existing file even if it is not a history of beadwave";
    const std::string disk_space_help = "start although the disk may be too small for the history";
    const std::string measured_help =
        "measured forces, a CSV file: time in s, then one column per sensor in N";

    CLI::App* run_app = app.add_subcommand("run", "Simulate a scenario and write its history");
    run_app->add_option("SCENARIO", run.scenario, scenario_help)->required();
    run_app->add_option("-o,--output", run.output,
                        "history file, HDF5 (default: name of SCENARIO with .h5, in the current "
                        "folder)");
    run_app->add_option("--set", run.overrides, set_help)
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    run_app->add_option("--threads", run.threads, threads_help)->check(CLI::Range(1, 4096));
    run_app->add_flag("--quiet", run.quiet, quiet_help);
    run_app->add_flag("--json", run.json, json_help);
    run_app->add_flag(
        "--check", run.check,
        "run again at half the time step (mechanisms: a hundredth of the accuracy) and print the "
        "differences");
    run_app->add_flag("--overwrite", run.overwrite, history_overwrite_help);
    run_app->add_flag("--ignore-disk-space", run.ignore_disk_space, disk_space_help);

    CLI::App* resume_app = app.add_subcommand("resume", "Continue an interrupted run");
    resume_app
        ->add_option("CHECKPOINT.h5", resume.checkpoint,
                     "the checkpoint that the run left next to its history")
        ->required();
    resume_app->add_option("-o,--output", resume.output,
                           "history file, HDF5 (default: the history of the run)");
    resume_app->add_option("--threads", resume.threads, threads_help)->check(CLI::Range(1, 4096));
    resume_app->add_flag("--quiet", resume.quiet, quiet_help);
    resume_app->add_flag("--json", resume.json, json_help);
    resume_app->add_flag("--overwrite", resume.overwrite, history_overwrite_help);
    resume_app->add_flag("--ignore-disk-space", resume.ignore_disk_space, disk_space_help);

    CLI::App* watch_app = app.add_subcommand("watch", "Follow a run until it ends");
    watch_app
        ->add_option("OUT.h5", watch.history,
                     "the history, with the name that was given to the run")
        ->required();
    watch_app
        ->add_option("--interval", watch.interval,
                     "time between two lines in s, from 0.1 to 86400 (default: 2)")
        ->check(CLI::Range(0.1, 86400.0))
        ->type_name("SECONDS");
    watch_app->add_flag("--once", watch.once, "print one line and exit");
    watch_app->add_flag("--json", watch.json, "print each line as one JSON object");

    CLI::App* collide_app = app.add_subcommand("collide", "Compute one collision of two bodies");
    collide_app->add_option("CASE", collide.file, "the collision case, a TOML file")->required();
    collide_app
        ->add_option("--set", collide.overrides,
                     "set one key of the case, for example law.name=hertz or speed=2; may "
                     "be given several times")
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    collide_app->add_option("--trajectory", collide.trajectory,
                            "also write a CSV file of the collision over time, with the columns "
                            "time_s, overlap_m, approach_speed_m_per_s, force_N");
    collide_app->add_flag("--overwrite", collide.overwrite, overwrite_help);
    collide_app->add_flag("--json", collide.json, json_help);

    CLI::App* compare_app = app.add_subcommand(
        "compare", "Run one scenario under several laws and compare the results");
    compare_app->add_option("SCENARIO", compare.scenario, scenario_help)->required();
    compare_app
        ->add_option("--laws", compare.laws,
                     "names of the laws, separated by commas; the first law is the reference")
        ->required();
    compare_app->add_option("--measured", compare.measured, measured_help);
    compare_app->add_option("--set", compare.overrides, set_help)
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    compare_app->add_option("--threads", compare.threads, threads_help)->check(CLI::Range(1, 4096));
    compare_app->add_flag("--json", compare.json, json_help);

    CLI::App* sweep_app =
        app.add_subcommand("sweep", "Run one scenario with many values and write one table");
    sweep_app->add_option("SCENARIO", sweep.scenario, scenario_help)->required();
    const std::string vary_help =
        "values of one key, law.psi=2.6:3.0:9 (first:last:count) or law.name=hertz,ma-liu; given "
        "several times: all combinations are run";
    CLI::Option* vary = sweep_app->add_option("--vary", sweep.vary, vary_help)->required();
    vary->take_all()->expected(1)->type_name("KEY=VALUES");
    sweep_app->add_option("--set", sweep.overrides, set_help)
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    sweep_app->add_option("-o,--output", sweep.output,
                          "table, HDF5 (default: name of SCENARIO with .sweep.h5, in the current "
                          "folder)");
    sweep_app->add_option("--csv", sweep.csv,
                          "the same table, CSV (default: name of the HDF5 table with .csv)");
    sweep_app->add_option("--threads", sweep.threads, threads_help)->check(CLI::Range(1, 4096));
    sweep_app->add_flag("--overwrite", sweep.overwrite,
                        overwrite_help + ", and restart an interrupted sweep");
    sweep_app->add_flag("--quiet", sweep.quiet, quiet_help);
    sweep_app->add_flag("--json", sweep.json, json_help);

    CLI::App* fit_app = app.add_subcommand("fit", "Fit numbers of a scenario to measured forces");
    fit_app->add_option("SCENARIO", fit.scenario, scenario_help)->required();
    fit_app->add_option("--measured", fit.measured, measured_help)->required();
    fit_app
        ->add_option("--bounds", fit.bounds,
                     "lower and upper bound of one free parameter, for example law.psi=2:4; KEY is "
                     "a key of the scenario, clock.shift (in s), sensor.gain or sensor.gain.N; may "
                     "be given several times")
        ->required()
        ->take_all()
        ->expected(1)
        ->type_name("KEY=LOW:HIGH");
    fit_app
        ->add_option("--set", fit.overrides,
                     set_help + "; for a key with --bounds: the start of its fit")
        ->take_all()
        ->expected(1)
        ->type_name("KEY=VALUE");
    fit_app->add_option("--target", fit.target,
                        "what is fitted: traces, peaks, arrivals, or peaks,arrivals (default: "
                        "traces)");
    fit_app->add_option("--laws", fit.laws,
                        "names of the laws to fit and rank, separated by commas (default: the law "
                        "of the scenario)");
    fit_app->add_option("--noise", fit.noise,
                        "standard deviation of the forces in N: one number, or one per trace, "
                        "separated by commas (default: estimated)");
    fit_app->add_option("--arrival-noise", fit.arrival_noise,
                        "standard deviation of the arrival times in s (default: estimated)");
    fit_app
        ->add_option("--multistart", fit.multistart,
                     "number of extra starting points between the bounds (default: 0)")
        ->check(CLI::Range(1, 1000000));
    fit_app
        ->add_option("--profile-likelihood", fit.profile_likelihood,
                     "compute the profile likelihood of this key; may be given several times")
        ->take_all()
        ->expected(1)
        ->type_name("KEY");
    fit_app->add_option("-o,--output", fit.output,
                        "result, HDF5; the fitted scenario has the same name with .toml (default: "
                        "name of SCENARIO with .fit.h5, in the current folder)");
    fit_app->add_option("--threads", fit.threads, threads_help)->check(CLI::Range(1, 4096));
    fit_app->add_flag("--overwrite", fit.overwrite, overwrite_help);
    fit_app->add_flag("--quiet", fit.quiet, "print no summary");
    fit_app->add_flag("--json", fit.json, json_help);

    CLI::App* laws_app = app.add_subcommand("laws", "List the contact laws, or describe one");
    laws_app->add_option("NAME", laws.name, "the law to describe (default: a table of all laws)");
    laws_app->add_flag("--json", laws.json, json_help);
    laws_app->add_flag("--markdown", laws.markdown,
                       "describe all laws in Markdown, the text of docs/LAWS.md");

    CLI::App* report_app =
        app.add_subcommand("report", "Draw a page of figures from one or several histories");
    report_app
        ->add_option("OUT.h5", report.histories,
                     "histories, or a result of beadwave fit; several histories compare their laws "
                     "on one page")
        ->required();
    report_app->add_option("-o,--output", report.output,
                           "the page, .html (default: name of the first history with .html)");
    report_app->add_option("--svg", report.svg, "also write a static figure, .svg");
    report_app->add_option("--png", report.png, "also write a static figure, .png");
    report_app->add_option("--xdmf", report.xdmf,
                           "also write a description of the history for ParaView, .xdmf2");
    report_app->add_option("--contacts", report.contacts,
                           "contacts whose force-overlap loops are drawn, for example 5,20");
    report_app->add_flag("--overwrite", report.overwrite, overwrite_help);
}

}  // namespace beadwave::cli
