// Mechanisms in `run`, `compare`, `sweep` and `report`.
//
// mechanism/mechanism.hpp is named so that a build without mechanisms leaves this file out.
#include "mechanism/mechanism.hpp"

#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

using namespace beadwave::validation;
using nlohmann::json;

namespace {

const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";

}  // namespace

TEST_CASE("run of a mechanism prints its bodies and every impact, and writes a history") {
    const Folder folder;
    const Said said = shell(folder, "beadwave run '" + configs +
                                        "slider_crank.toml' --set time.end=1e-3 -o s.h5 --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json result = json::parse(said.out);
    REQUIRE(result.at("bodies").size() == 3);
    CHECK(result.at("bodies")[0].at("name") == "crank");
    CHECK_RELATIVE(result.at("bodies")[0].at("angle").get<double>(), 0.5235988, 1e-9);
    const json& impacts = result.at("contacts")[0].at("impacts");
    REQUIRE(impacts.size() == 3);
    CHECK_RELATIVE(impacts[0].at("start").get<double>(), 0.227286e-3, 1e-5);
    CHECK_RELATIVE(impacts[0].at("closing_speed").get<double>(), 4.38578, 1e-5);
    CHECK_RELATIVE(impacts[0].at("leaving_speed").get<double>(), 3.91149, 1e-5);
    CHECK(impacts[0].at("dissipated").get<double>() > 0.0);
    CHECK(impacts[0].at("end").get<double>() > impacts[0].at("start").get<double>());
    const std::string script =
        "import h5py, numpy as np\n"
        "f = h5py.File('s.h5')\n"
        "t = f['particles/bodies/position/time'][:]\n"
        "x = f['particles/bodies/position/value'][:]\n"
        "assert x.shape == (101, 3, 3) and abs(t[-1] - 1e-3) < 1e-12, (x.shape, t[-1])\n"
        "assert abs(x[0, 2, 0] - 0.17) < 1e-15\n"
        "r = np.hypot(*f['observables/eccentricity/value'][:, 0].T)\n"
        "o = f['observables/overlap/value'][:, 0]\n"
        "assert np.allclose(r - 0.5e-3, o, atol=1e-12)\n"
        "force = f['observables/contact_force/value'][:, 0]\n"
        "assert np.all((force > 0) == (o > 0))\n"
        "assert len(f['impacts/0/start']) == 3\n"
        "v = f['particles/bodies/velocity/value'][:, 2, 0]\n"
        "a = f['particles/bodies/acceleration/value'][:, 2, 0]\n"
        "assert np.allclose(0.14 * a, force * f['observables/eccentricity/value'][:, 0, 0] / "
        "np.maximum(r, 1e-30), atol=1e-6)\n"
        "e = [f['observables/' + n + '/value'][:] for n in ('kinetic_energy', 'stored_energy', "
        "'dissipated_energy', 'work')]\n"
        "assert np.allclose(e[0] + e[1] + e[2] - e[3], e[0][0], rtol=1e-7)\n";
    write_file(folder / "check.py", script);
    const Said python = shell(folder, "'" BEADWAVE_PYTHON "' check.py");
    CHECK_MESSAGE(python.status == 0, python.err);
}

TEST_CASE("compare runs a mechanism under several laws, impulses among them") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave compare '" + configs +
                          "pendulums.toml' --laws poursina-nikravesh,flores,impulse --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json laws = json::parse(said.out).at("laws");
    REQUIRE(laws.size() == 3);
    for (const json& law : laws) {
        CHECK(law.at("impacts") == 3.0);
        CHECK(law.at("wall_seconds") > 0.0);
    }
    CHECK_RELATIVE(laws[0].at("peak_force").get<double>(), 4893.79, 1e-4);
    CHECK_RELATIVE(laws[1].at("peak_force").get<double>(), 7158.01, 1e-4);
    CHECK(said.err.find("impacts") != std::string::npos);
}

TEST_CASE("a sweep varies a mechanism's clearance") {
    const Folder folder;
    const Said said = shell(folder, "beadwave sweep '" + configs +
                                        "slider_crank.toml' --set time.end=5e-4 --vary "
                                        "contact.0.clearance=1e-4,5e-4 --csv t.csv -o t.h5");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const std::string csv = read_file(folder / "t.csv");
    CHECK(csv.find("fastest_impact_m_per_s") != std::string::npos);
}

TEST_CASE("a report of a mechanism shows acceleration, orbit, force, loops and energy") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run '" + configs +
                              "slider_crank.toml' --set time.end=2e-3 -o s.h5 --quiet")
                .status == 0);
    const Said said = shell(folder, "beadwave report s.h5 -o s.html --svg s.svg");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const std::string page = read_file(folder / "s.html");
    for (const std::string panel : {"motion", "orbit", "force", "contact-loops", "energy"}) {
        CAPTURE(panel);
        CHECK(page.find("<div id=\"figure-" + panel + "\">") != std::string::npos);
    }
    CHECK(read_file(folder / "s.svg").find("<svg") != std::string::npos);
}

TEST_CASE("what is wrong with a mechanism is said with line, key and what is allowed") {
    const Folder folder;
    const std::string good = read_file(configs + "slider_crank.toml");
    const auto refused = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const auto at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
        write_file(folder / "bad.toml", text);
        const Said said = shell(folder, "beadwave run bad.toml");
        CHECK(said.status == 2);
        return said.err;
    };
    const auto says = [](const std::string& error, const std::string& words) {
        CHECK_MESSAGE(error.find(words) != std::string::npos, error);
    };
    says(refused("[\"rod\", \"slider\"]", "[\"rodd\", \"slider\"]"), "did you mean \"rod\"");
    says(refused("kind = \"journal\"", "kind = \"jurnal\""), "did you mean \"journal\"");
    says(refused("bearing_radius", "bering_radius"), "did you mean \"bearing_radius\"");
    says(refused("clearance = 0.5e-3", "clearance = 0.5"), "leaves no pin");
    says(refused("spin = -218.1662", "spin = 218.1662"), "its joints, which make it [0, 39.2699]");
    says(refused("mass = 0.21", "mass = -0.21"), "must be a number above 0, in kg");
    says(refused("lankarani-nikravesh", "lankarani"), "did you mean \"lankarani-nikravesh\"");
    says(refused("centre = [0.11, 0.0]", "centre = [0.11]"), "give x and y");
    says(refused("accuracy = 1e-8", "accuracy = 1"), "from 1e-13 to 0.01");
    says(refused("restitution = 0.9", "name2 = 0.9"), "unknown key");
    says(refused("point = [0.17, 0.0]", "point = 0.17"), "a list of numbers");
}

TEST_CASE("what a killed mechanism leaves is taken over, and a lost history ends its run") {
    const Folder folder;
    const std::string run =
        "'" BEADWAVE_PROGRAM "' run '" + configs + "slider_crank.toml' --quiet -o out/m.h5 ";
    const std::string at_work =
        "--set time.end=3 & p=$!; while kill -0 $p && [ ! -s out/m.running.h5 "
        "]; do sleep 0.01; done 2>/dev/null; sleep 0.3; ";
    REQUIRE(shell(folder, "mkdir out; " + run + at_work + "kill -9 $p; wait $p").status == 137);
    REQUIRE(std::filesystem::exists(folder / "out/m.running.h5"));
    const Said again = shell(folder, run + "--set time.end=1e-4");
    CHECK_MESSAGE(again.status == 0, again.err);
    const Said lost = shell(folder, run + at_work + "rm -r out; wait $p");
    CHECK(lost.status == 1);
    CHECK_MESSAGE(lost.err.find("was removed, or its folder") != std::string::npos, lost.err);
}
