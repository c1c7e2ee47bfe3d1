// `beadwave fit` finds the values that made the data, with correct errors. A parameter that the
// data do not determine has no value but a remark.

#include "laboratory.hpp"
#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace beadwave::validation::fit_test {

using nlohmann::json;

TEST_CASE(
    "the psi of the guide is found to 1e-6 in at most eight runs, for any number of threads") {
    const Folder folder;
    measure(folder, config("chain70") + "--set law.psi=2.7 ");
    json laws[2];
    for (const int threads : {1, 2}) {
        laws[threads - 1] = fit(folder, config("chain70") + "--bounds law.psi=2:4 --threads " +
                                            std::to_string(threads))
                                .at("laws")[0];
        laws[threads - 1].erase("seconds");
    }
    CHECK(laws[0] == laws[1]);
    CHECK_ABSOLUTE(laws[0].at("parameters")[0].at("value").get<double>(), 2.7, 1e-6);
    CHECK(laws[0].at("evaluations") <= 8);
    CHECK(laws[0].at("by") == "dual numbers");
    // The scenario with the best value runs, and is that of the measurement.
    const Said run = shell(folder, "beadwave run fit.toml --quiet -o again.h5");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    CHECK(read_file(folder / "fit.toml").find("\npsi = 2.7") != std::string::npos);
}

TEST_CASE("standard errors of a fit reach the Cramer-Rao bound") {
    const Folder folder;
    const Said said = shell(folder, scripts + "fit/coverage.py' '" BEADWAVE_PROGRAM "' " +
                                        short_chain + "--seeds 3 --threads 1");
    CHECK_MESSAGE(said.status == 0, (said.out + said.err));
}

TEST_CASE("three numbers of a damped, precompressed chain are found") {
    const Folder folder;
    const std::string scenario =
        config("precompressed") +
        "--set segment.1.beads=50 --set time.end=5e-4 --set 'sensors.beads=[2,10,20,30]' "
        "--set law.name=kuwabara-kono --set law.shear_viscosity=2e5 ";
    measure(folder,
            scenario +
                "--set law.bulk_viscosity=6e5 --set precompression.force=104 --set "
                "segment.0.velocity=1.1e-2 ",
            "--noise 0.02");
    const json laws =
        fit(folder, scenario +
                        "--set segment.0.velocity=0.9e-2 --bounds law.bulk_viscosity=1e5:2e6 "
                        "--bounds precompression.force=80:130 --bounds "
                        "segment.0.velocity=0.5e-2:2e-2")
            .at("laws");
    check_found(laws[0], {6e5, 104.0, 1.1e-2});
    CHECK(laws[0].at("evaluations") <= 10);
}

TEST_CASE(
    "stiffness, damping and mass of masses inside beads are found, in any number of threads") {
    const Folder folder;
    const std::string scenario =
        config("mass_in_mass") +
        "--set segment.0.beads=30 --set time.end=4e-4 --set time.step=2e-7 --set "
        "'sensors.beads=[1,3,6,10]' ";
    measure(folder,
            scenario +
                "--set resonator.0.stiffness=5e6 --set resonator.0.damping=3 --set "
                "resonator.0.mass=0.5e-3 ",
            "--noise 1e-4");
    json laws[2];
    for (const int threads : {1, 2}) {
        laws[threads - 1] =
            fit(folder, scenario +
                            "--bounds resonator.0.stiffness=2e6:8e6 --bounds "
                            "resonator.0.damping=0:10 --bounds resonator.0.mass=0.2e-3:0.8e-3 "
                            "--threads " +
                            std::to_string(threads))
                .at("laws")[0];
        laws[threads - 1].erase("seconds");
    }
    CHECK(laws[0] == laws[1]);
    CHECK(laws[0].at("by") == "dual numbers");
    check_found(laws[0], {5e6, 3.0, 0.5e-3});
}

TEST_CASE("four numbers of a dimer are found, the clock shift among them") {
    const Folder folder;
    const std::string scenario = config("dimer") +
                                 "--set segment.1.beads=40 --set time.end=4e-4 --set "
                                 "'sensors.beads=[6,12,18,24]' ";
    measure(folder,
            scenario +
                "--set material.steel.youngs_modulus=200e9 --set segment.0.velocity=1.06 "
                "--set segment.1.pattern.0.mass=0.37e-3 ",
            "--noise 2 --delay 3e-6");
    const json laws = fit(folder, scenario +
                                      "--bounds material.steel.youngs_modulus=150e9:250e9 --bounds "
                                      "segment.0.velocity=0.8:1.3 --bounds "
                                      "segment.1.pattern.0.mass=0.25e-3:0.5e-3 --bounds "
                                      "clock.shift=-1e-5:1e-5")
                          .at("laws");
    const json& all = laws[0].at("parameters");
    check_found({{"parameters", {all[0], all[1], all[2]}}}, {200e9, 1.06, 0.37e-3});
    CHECK_ABSOLUTE(all[3].at("value").get<double>(), 3e-6,
                   5.0 * all[3].at("standard_error").get<double>());
    CHECK(all[3].at("standard_error") < 0.5e-6);
}

TEST_CASE(
    "a wrong law is ranked last, with its misfit at each sensor, and all laws are on the page") {
    const Folder folder;
    measure(folder, short_chain + "--set law.psi=2.7 ", "--noise 0.36");
    const json all = fit(folder, short_chain +
                                     "--laws thornton,hertz,ma-liu --bounds law.psi=2:4 --bounds "
                                     "segment.0.velocity=1.2:3");
    const json& laws = all.at("laws");
    REQUIRE(laws.size() == 3);
    CHECK(laws[0].at("name") == "ma-liu");
    for (const int wrong : {1, 2}) {
        CHECK(laws[wrong].at("rms") > 4.0 * laws[0].at("rms").get<double>());
        CHECK(laws[wrong].at("aicc") > laws[wrong - 1].at("aicc"));
        CHECK(laws[wrong].at("sensors")[1].at("peak_force_error") > 0.1);
        // A parameter that the law does not have gets no value.
        const json& idle = laws[wrong].at("parameters")[0];
        CHECK(idle.at("key") == "law.psi");
        CHECK(idle.at("value").is_null());
        CHECK(idle.at("remark") == "does not change anything that was measured");
    }
    CHECK(laws[0].at("sensors")[1].at("peak_force_error") < 0.1);
    const Said page = shell(folder, "beadwave report fit.h5 --png fit.png");
    REQUIRE_MESSAGE(page.status == 0, page.err);
    const Said checked = shell(
        folder, scripts +
                    "cli/check_report.py' fit.html --panels "
                    "fit-traces,fit-residuals,fit-noise,fit-peaks,fit-ellipses,scenario --holds "
                    "'Fit: 70 stainless' --holds thornton --holds lab.csv");
    CHECK_MESSAGE(checked.status == 0, checked.err);
    // Nor alone, where no other parameter says how large an effect is.
    const json alone = fit(folder, short_chain +
                                       "--laws hertz --set law.restitution=0.8 --bounds "
                                       "law.restitution=0.3:1");
    CHECK(alone.at("laws")[0].at("parameters")[0].at("value").is_null());
}

TEST_CASE(
    "two parameters of which the data determine only the product are named and have no value") {
    const Folder folder;
    const std::string scenario = short_chain + "--set law.name=hertz ";
    measure(folder, scenario, "--noise 0.5");
    const json laws =
        fit(folder, scenario +
                        "--bounds material.steel316.youngs_modulus=150e9:250e9 --bounds "
                        "material.steel316.poisson_ratio=0.2:0.4 --bounds "
                        "segment.0.velocity=1.2:2.5")
            .at("laws");
    for (const int k : {0, 1}) {
        const json& one = laws[0].at("parameters")[k];
        CHECK(one.at("value").is_null());
        CHECK(one.at("remark") ==
              "the measurement does not distinguish material.steel316.youngs_modulus, "
              "material.steel316.poisson_ratio");
    }
    const json& speed = laws[0].at("parameters")[2];
    CHECK_ABSOLUTE(speed.at("value").get<double>(), 1.77,
                   5.0 * speed.at("standard_error").get<double>());
}

TEST_CASE("gains, peaks and arrivals, profile likelihoods and many starts lead to the same psi") {
    const Folder folder;
    measure(folder, short_chain + "--set law.psi=2.7 ", "--delay 2e-6");
    const std::string bounds =
        short_chain + "--bounds law.psi=2:4 --bounds clock.shift=-1e-5:1e-5 ";
    const auto psi = [&](const std::string& options) {
        return fit(folder, bounds + options).at("laws")[0].at("parameters")[0].at("value");
    };
    CHECK_ABSOLUTE(psi("--target peaks,arrivals").get<double>(), 2.7, 1e-5);
    CHECK_ABSOLUTE(psi("--target arrivals").get<double>(), 2.7, 1e-4);
    CHECK_ABSOLUTE(psi("--bounds sensor.gain=0.5:2").get<double>(), 2.7, 1e-5);
    const json law =
        fit(folder,
            bounds + "--set law.psi=3.9 --multistart 8 --profile-likelihood law.psi --noise 0.3")
            .at("laws")[0];
    const json& found = law.at("parameters")[0];
    CHECK_ABSOLUTE(found.at("value").get<double>(), 2.7, 1e-5);
    // For small errors a profile likelihood is a parabola and gives the same interval.
    const json& profile = law.at("profiles")[0];
    const double half = found.at("high").get<double>() - 2.7;
    CHECK_RELATIVE(profile.at("high").get<double>() - 2.7, half, 0.05);
    CHECK_RELATIVE(2.7 - profile.at("low").get<double>(), half, 0.05);
}

TEST_CASE("readings in volts with a baseline give the force, the gains and the offsets") {
    const Folder folder;
    const std::string bounds = short_chain +
                               "--bounds law.psi=2:4 --bounds sensor.gain=0.01:0.1 "
                               "--bounds sensor.offset=-1:1 ";
    const auto check = [&](const std::string& options, double psi_error) {
        CAPTURE(options);
        const json law = fit(folder, bounds + options).at("laws")[0];
        const json& all = law.at("parameters");
        CHECK_ABSOLUTE(all[0].at("value").get<double>(), 2.7, psi_error);
        for (std::size_t k = 1; k < all.size(); ++k) {
            const bool gain = all[k].at("key").get<std::string>().starts_with("sensor.gain.");
            // One of 0.3 V below, with 0.05 V/N.
            CHECK_ABSOLUTE(all[k].at("value").get<double>(), gain ? 0.05 : -0.3,
                           5.0 * all[k].at("standard_error").get<double>() + 1e-8);
        }
        return all.size();
    };
    measure(folder, short_chain + "--set law.psi=2.7 ", "--gain 0.05 --offset -0.3");
    CHECK(check("", 1e-6) == 9);
    measure(folder, short_chain + "--set law.psi=2.7 ", "--gain 0.05 --offset -0.3 --scope rigol");
    CHECK(check("", 1e-6) == 9);
    measure(folder, short_chain + "--set law.psi=2.7 ",
            "--gain 0.05 --offset -0.3 --noise 0.2 --seed 5");
    CHECK(check("", 5e-3) == 9);
    measure(folder, short_chain + "--set law.psi=2.7 ",
            "--gain 0.05 --offset -0.3 --scope tektronix");
    CHECK(check("--set 'sensors.beads=[5]'", 1e-5) == 3);
    // The numbers of the file keep its unit.
    const Said text = shell(folder, "beadwave fit --measured lab.csv -o fit.h5 " + bounds +
                                        "--set 'sensors.beads=[5]'");
    CHECK(text.out.find(" V rms of 1 traces") != std::string::npos);

    // A baseline that is not free is in the numbers found, and in the residuals.
    measure(folder, short_chain + "--set law.psi=2.7 ", "--offset 1");
    const json biased = fit(folder, short_chain + "--bounds law.psi=2:4").at("laws")[0];
    CHECK(std::abs(biased.at("parameters")[0].at("value").get<double>() - 2.7) > 1e-3);
    const json freed =
        fit(folder, short_chain + "--bounds law.psi=2:4 --bounds sensor.offset=-5:5").at("laws")[0];
    CHECK_ABSOLUTE(freed.at("parameters")[0].at("value").get<double>(), 2.7, 1e-6);
    const Said wrong = shell(folder, "beadwave fit --measured lab.csv -o fit.h5 " + short_chain +
                                         "--bounds sensor.delay=0:1");
    CHECK(wrong.status == 2);
    CHECK(wrong.err ==
          "beadwave: --bounds sensor.delay: expected sensor.gain (one gain per sensor), "
          "sensor.offset (the reading of each without a force), or sensor.gain.N and "
          "sensor.offset.N for one of the measured sensors\n");
}

TEST_CASE("packings are fitted by differences, and mechanisms are refused") {
    const Folder folder;
    const std::string scenario =
        config("square_crystal") +
        "--set 'particles.0.cells=[9,3]' --set 'particles.1.position=[-4.76e-3,4.76e-3]' --set "
        "'sensors.particles=[11,14]' --set time.end=60e-6 --set time.step=2e-8 ";
    measure(folder, scenario);
    const Said said = shell(
        folder, "beadwave fit " + scenario +
                    "--set material.steel316.youngs_modulus=180e9 --measured lab.csv --json "
                    "--quiet -o fit.h5 --bounds material.steel316.youngs_modulus=150e9:250e9");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json law = json::parse(said.out).at("laws")[0];
    CHECK_RELATIVE(law.at("parameters")[0].at("value").get<double>(), 193e9, 1e-6);
    CHECK(law.at("by") == "differences: only chains have derivatives by dual numbers");
    const Said text = shell(
        folder,
        "beadwave fit " + scenario +
            "--measured lab.csv -o fit.h5 --bounds material.steel316.youngs_modulus=150e9:250e9");
    CHECK(text.out.find("forces        magnitudes of the net contact forces\n") !=
          std::string::npos);
    CHECK(json::parse(said.out).at("component") == "norm");
    const Said mechanism =
        shell(folder, "beadwave fit " + config("slider_crank") +
                          "--measured lab.csv --bounds contact.0.clearance=1e-4:1e-3");
    CHECK(mechanism.status == 2);
    CHECK(mechanism.err.find("mechanisms cannot be fitted") != std::string::npos);
}

TEST_CASE("one component of the force on a particle is fitted, with its sign") {
    const Folder folder;
    const std::string scenario =
        config("square_crystal") +
        "--set 'particles.0.cells=[9,3]' --set 'particles.1.position=[-4.76e-3,4.76e-3]' --set "
        "'sensors.particles=[11,14]' --set time.end=60e-6 --set time.step=2e-8 ";
    const std::string start = scenario +
                              "--set material.steel316.youngs_modulus=180e9 --bounds "
                              "material.steel316.youngs_modulus=150e9:250e9 ";
    measure(folder, scenario, "--component x --noise 0.001");
    const json found = fit(folder, start + "--component x");
    CHECK(found.at("component") == "x");
    check_found(found.at("laws")[0], {193e9});
    // A net force pushes and pulls: in its own units, it is no magnitude.
    const Said norm = shell(folder, "beadwave fit --measured lab.csv -o fit.h5 " + start);
    const json& law = found.at("laws")[0];
    CHECK(law.at("rms") < 0.0012);
    if (norm.status == 0) {
        const json wrong = fit(folder, start);
        CHECK(wrong.at("laws")[0].at("rms") > 5.0 * law.at("rms").get<double>());
    } else {
        CHECK(norm.err.find("expected positive forces in compression") != std::string::npos);
    }
    const Said text =
        shell(folder, "beadwave fit --measured lab.csv -o fit.h5 --component x " + start);
    CHECK(text.out.find("forces        x components of the net contact forces\n") !=
          std::string::npos);
    const Said peaks = shell(folder,
                             "beadwave fit --measured lab.csv --component x --target "
                             "peaks " +
                                 start);
    CHECK(peaks.status == 2);
    CHECK(peaks.err ==
          "beadwave: --component x: is for traces; peaks and arrivals are those of the "
          "magnitude\n");
}

TEST_CASE("a fit and a comparison show their progress on a terminal, and nowhere else") {
    const Folder folder;
    measure(folder, short_chain + "--set law.psi=2.7 ", "--noise 0.3");
    write_file(folder / "fit.sh", "'" BEADWAVE_PROGRAM "' fit " + short_chain +
                                      "--measured lab.csv --bounds law.psi=2:4 -o fit.h5 $1");
    write_file(folder / "compare.sh", "'" BEADWAVE_PROGRAM "' compare " + short_chain +
                                          "--laws hertz,ma-liu --set time.step=2e-9");
    const auto on_terminal = [&](const std::string& command) {
        const Said said = shell(folder, "script -qec \"sh " + command + "\" /dev/null </dev/null");
        CHECK(said.status == 0);
        return said.out;
    };
    CHECK(on_terminal("fit.sh").find("1 runs  0:00:0") != std::string::npos);
    CHECK(on_terminal("fit.sh --quiet").find("runs  0:") == std::string::npos);
    const std::string compared = on_terminal("compare.sh");
    for (const char* word : {" %  0 of 2 laws  ", " left"})
        CHECK(compared.find(word) != std::string::npos);
    for (const std::string name : {"fit.sh", "compare.sh"}) {
        const Said said = shell(folder, "sh " + name);
        CHECK(said.status == 0);
        CHECK(said.err.find('\r') == std::string::npos);
    }
}

TEST_CASE("two sensors do not give two parameters and the noise of peaks and arrivals") {
    const Folder folder;
    const std::string scenario = config("chain70") +
                                 "--set segment.1.beads=30 --set time.end=250e-6 --set "
                                 "'sensors.beads=[5,10]' ";
    measure(folder, scenario + "--set law.psi=2.7 ", "--noise 0.3");
    const std::string command =
        "beadwave fit " + scenario +
        "--measured lab.csv --json --quiet -o fit.h5 --target peaks,arrivals --bounds law.psi=2:4 "
        "--bounds segment.0.velocity=1.2:2.5 ";
    const Said refused = shell(folder, command);
    CHECK(refused.status == 2);
    CHECK(refused.err ==
          "beadwave: lab.csv: the peaks and arrivals of 2 sensors do not give 2 parameters and the "
          "noise of both; measure at more than 2 sensors, or give --noise and --arrival-noise\n");
    const Said given = shell(folder, command + "--noise 0.1 --arrival-noise 1e-7");
    CHECK_MESSAGE(given.status == 0, given.err);
}

TEST_CASE(
    "noise that is given ten times too small leaves chi-squared at a hundred, and a warning") {
    const Folder folder;
    measure(folder, short_chain + "--set law.psi=2.7 ", "--noise 0.3");
    const std::string bounds = short_chain + "--bounds law.psi=2:4 ";
    const json wrong = fit(folder, bounds + "--noise 0.03").at("laws")[0];
    // 4 traces of 1000 rows: chi-squared per degree of freedom varies by 2 %.
    CHECK_RELATIVE(wrong.at("chi_squared_per_dof").get<double>(), 100.0, 0.1);
    CHECK(wrong.at("p_value") < 1e-3);
    CHECK(wrong.at("warnings").dump().find("times the noise that was given") != std::string::npos);
    const json right = fit(folder, bounds + "--noise 0.3").at("laws")[0];
    CHECK_RELATIVE(right.at("chi_squared_per_dof").get<double>(), 1.0, 0.1);
    CHECK(right.at("p_value") > 1e-3);
    CHECK(right.at("warnings").empty());
    CHECK(fit(folder, bounds).at("laws")[0].at("p_value").is_null());
    const Said read = shell(folder, BEADWAVE_PYTHON
                            " -c \"import h5py, math; law = "
                            "h5py.File('fit.h5')['fit/law_0']; "
                            "assert math.isnan(law['p_value'][()])\"");
    CHECK_MESSAGE(read.status == 0, read.err);
}

TEST_CASE("a key that changes nothing does not count in Akaike's information criterion") {
    const Folder folder;
    const std::string scenario = short_chain + "--set law.name=hertz ";
    measure(folder, scenario, "--noise 0.3");
    const std::string bounds = scenario + "--bounds segment.0.velocity=1.2:2.5 ";
    const json one = fit(folder, bounds).at("laws")[0];
    const json two = fit(folder, bounds + "--bounds law.restitution=0.3:0.9").at("laws")[0];
    CHECK(one.at("effective_parameters") == 2);  // the speed and the noise
    CHECK(two.at("effective_parameters") == 2);
    CHECK_ABSOLUTE(two.at("aicc").get<double>(), one.at("aicc").get<double>(), 1e-3);
    const double data = one.at("data"), chi = one.at("chi_squared");
    // Two parameters, by the definition; the rows do not correlate.
    CHECK_RELATIVE(one.at("aicc").get<double>(),
                   data * std::log(chi / data) + 4.0 + 12.0 / (data - 3.0), 1e-9);
    CHECK(one.at("effective_data") == data);
}

}  // namespace beadwave::validation::fit_test
