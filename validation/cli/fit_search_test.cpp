// Where a fit looks for the minimum: starts, first stages, clocks of which nothing is known.

#include "laboratory.hpp"
#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace beadwave::validation::fit_search_test {

using nlohmann::json;

namespace {

/// A struck crystal with sensors at two particles.
const std::string crystal =
    config("square_crystal") +
    "--set 'particles.0.cells=[9,3]' --set 'particles.1.position=[-4.76e-3,4.76e-3]' --set "
    "'sensors.particles=[11,14]' --set time.end=60e-6 --set time.step=2e-8 ";

}  // namespace

TEST_CASE("with bounds decades apart, more starts find the truth that one start misses") {
    const Folder folder;
    const std::string scenario = config("chain70") +
                                 "--set law.name=flores --set segment.1.beads=30 --set "
                                 "'sensors.beads=[5,7]' --set time.end=7e-4 ";
    const std::string modulus = "material.steel316.youngs_modulus";
    measure(folder, scenario + "--set " + modulus + "=3.3e9 --set law.restitution=0.8 ",
            "--noise 0.02");
    const json found = fit(folder, scenario + "--set law.restitution=0.9 --bounds " + modulus +
                                       "=1e8:2e11 --bounds segment.0.velocity=0.2:5 --bounds "
                                       "law.restitution=0.3:1 --multistart 30");
    check_found(found.at("laws")[0], {3.3e9, 1.77, 0.8});
}

TEST_CASE("a second minimum that fits as well is named") {
    const Folder folder;
    // Mirrored at the row of its sensors, the crystal is the same.
    const std::string scenario =
        config("square_crystal") +
        "--set 'particles.0.cells=[9,3]' --set 'particles.1.position=[-4.76e-3,4.76e-3]' --set "
        "'sensors.particles=[11,14]' --set time.end=60e-6 --set time.step=2e-8 ";
    measure(folder, scenario + "--set particles.1.velocity.1=0.2 ", "--noise 0.001");
    const json law = fit(folder, scenario +
                                     "--set particles.1.velocity.1=0.05 --bounds "
                                     "particles.1.velocity.1=-0.3:0.3 --multistart 6")
                         .at("laws")[0];
    CAPTURE(law.dump());
    CHECK_ABSOLUTE(std::abs(law.at("parameters")[0].at("value").get<double>()), 0.2, 0.01);
    bool named = false;
    for (const json& warning : law.at("warnings"))
        named = named || warning.get<std::string>().starts_with(
                             "another start ended at particles.1.velocity.1 = ");
    CHECK(named);
}

TEST_CASE("a clock of which nothing is known is found, and a warning says so") {
    const Folder folder;
    const std::string scenario = short_chain + "--set law.psi=2.8 --set segment.0.velocity=1.9 ";
    for (const double shift : {60e-6, -20e-6}) {
        CAPTURE(shift);
        measure(folder, short_chain + "--set law.psi=2.7 ",
                "--noise 0.3 --delay " + std::to_string(shift));
        const json all =
            fit(folder, scenario +
                            "--bounds law.psi=2:4 --bounds segment.0.velocity=1.2:2.5 --bounds "
                            "clock.shift=-150e-6:150e-6");
        const json& law = all.at("laws")[0];
        check_found({{"parameters", {law.at("parameters")[0], law.at("parameters")[1]}}},
                    {2.7, 1.77});
        const json& clock = law.at("parameters")[2];
        CHECK_ABSOLUTE(clock.at("value").get<double>(), shift,
                       5.0 * clock.at("standard_error").get<double>());
        CHECK(law.at("converged") == true);
        // Of 2501 rows per sensor, nearly all are fitted.
        CHECK(law.at("data") > 0.9 * 4 * 2501);
        const std::string warnings = all.at("warnings").dump();
        CHECK(warnings.find("the bounds of clock.shift, -0.00015 to 0.00015 s, are wider than half "
                            "of the run: the arrivals of a run at the start put it at ") !=
              std::string::npos);
    }
    const Said excluded = shell(folder, "beadwave fit --measured lab.csv -o fit.h5 " + scenario +
                                            "--bounds clock.shift=1e-4:4e-4");
    CHECK(excluded.status == 2);
    CHECK_MESSAGE(excluded.err.find(
                      "--bounds clock.shift=0.0001:0.0004: by the arrivals the run begins at") !=
                      std::string::npos,
                  excluded.err);
    measure(folder, crystal, "--component x");
    const Said component = shell(folder, "beadwave fit --measured lab.csv -o fit.h5 " + crystal +
                                             "--component x --bounds clock.shift=-1e-4:1e-4");
    CHECK(component.status == 2);
    CHECK(component.err.find("a component has no arrival that puts the clock") !=
          std::string::npos);
}

TEST_CASE("where no peak is known, the amplitudes of the spectra lead to the minimum") {
    const Folder folder;
    measure(folder, crystal, "--component x --noise 0.001");
    const json found =
        fit(folder, crystal +
                        "--set material.steel316.youngs_modulus=40e9 --component x --bounds "
                        "material.steel316.youngs_modulus=1e9:1e12 --bounds "
                        "particles.1.velocity.0=0.1:5");
    check_found(found.at("laws")[0], {193e9, 0.5});
}

TEST_CASE("corners of the bounds where no run is possible are avoided") {
    const Folder folder;
    measure(folder, short_chain + "--set law.psi=2.7 ", "--noise 0.3");
    // At the upper bound, the step that is given cannot be stable.
    const json law = fit(folder, short_chain +
                                     "--set time.step=1e-7 --bounds law.psi=2:4 --bounds "
                                     "material.steel316.youngs_modulus=1e10:1e15")
                         .at("laws")[0];
    check_found(law, {2.7, 193e9});
}

}  // namespace beadwave::validation::fit_search_test
