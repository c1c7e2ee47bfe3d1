// Mechanisms in `run`, `compare`, `sweep` and `report`.
//
// Includes mechanism/mechanism.hpp, so that a build without mechanisms leaves this file out.
#include "mechanism/mechanism.hpp"

#include "held_run.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::mechanism_test {

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
    CHECK_RELATIVE(result.at("bodies")[0].at("angular_velocity").get<double>(), 523.5988, 1e-9);
    const json& energy = result.at("energy");
    CHECK(energy.at("dissipated") == energy.at("normal"));
    CHECK(energy.at("friction") == 0.0);
    CHECK(energy.at("external_work").get<double>() != 0.0);
    CHECK(std::abs(energy.at("relative_energy_error").get<double>()) <=
          energy.at("largest_relative_energy_error").get<double>());
    CHECK(energy.at("largest_relative_energy_error") < 1e-6);
    CHECK_RELATIVE(impacts[0].at("start").get<double>(), 0.227286e-3, 1e-5);
    CHECK_RELATIVE(impacts[0].at("impact_speed").get<double>(), 4.38578, 1e-5);
    CHECK_RELATIVE(impacts[0].at("separation_speed").get<double>(), 3.91149, 1e-5);
    CHECK(impacts[0].at("dissipated").get<double>() > 0.0);
    CHECK(impacts[0].at("end").get<double>() > impacts[0].at("start").get<double>());
    const std::string script =
        "import h5py, numpy as np\n"
        "f = h5py.File('s.h5')\n"
        "t = f['particles/all/position/time'][:]\n"
        "x = f['particles/all/position/value'][:]\n"
        "assert x.shape == (101, 3, 3) and abs(t[-1] - 1e-3) < 1e-12, (x.shape, t[-1])\n"
        "assert abs(x[0, 2, 0] - 0.17) < 1e-15\n"
        "r = np.hypot(*f['observables/journal_displacement/value'][:, 0].T)\n"
        "o = f['observables/overlap/value'][:, 0]\n"
        "assert np.allclose(r - 0.5e-3, o, atol=1e-12)\n"
        "force = f['observables/contact_force/value'][:, 0]\n"
        "assert np.all((force > 0) == (o > 0))\n"
        "assert len(f['impacts/0/start']) == 3\n"
        "v = f['particles/all/velocity/value'][:, 2, 0]\n"
        "a = f['particles/all/acceleration/value'][:, 2, 0]\n"
        "assert np.allclose(0.14 * a, force * f['observables/journal_displacement/value'][:, 0, 0] "
        "/ "
        "np.maximum(r, 1e-30), atol=1e-6)\n"
        "w = f['particles/all/angular_velocity/value'][:, 1]\n"
        "assert abs(w[0] + 218.1662) < 1e-3 and w.shape == (101,)\n"
        "assert f['particles/all/angular_acceleration/value'].shape == (101, 3)\n"
        "p = f['parameters']\n"
        "assert p['system'].asstr()[()] == 'mechanism'\n"
        "assert p['samples'][()] == 100 and 'time_step' not in p and 'steps' not in p\n"
        "assert abs(p['sampling_interval'][()] - 1e-5) < 1e-20 and p['end_time'][()] == 1e-3\n"
        "e = {n: f['observables/' + n + '/value'][:] for n in ('kinetic_energy', "
        "'potential_energy', 'stored_energy', 'dissipated_energy', 'normal_dissipation', "
        "'friction_dissipation', 'external_work', 'energy_error', 'relative_energy_error')}\n"
        "assert np.array_equal(e['dissipated_energy'], e['normal_dissipation'] + "
        "e['friction_dissipation'])\n"
        "held = e['kinetic_energy'] + e['potential_energy'] + e['stored_energy'] + "
        "e['dissipated_energy'] - e['external_work']\n"
        "assert np.allclose(held, held[0], rtol=1e-7)\n"
        "assert np.allclose(held - held[0], e['energy_error'], rtol=0, atol=1e-12 * held[0])\n"
        "largest = np.maximum.accumulate(e['kinetic_energy'])\n"
        "assert np.all(np.abs(e['relative_energy_error']) * largest <= "
        "np.abs(e['energy_error']) * (1 + 1e-12))\n"
        "assert np.any(e['relative_energy_error'] != 0)\n";
    write_file(folder / "check.py", script);
    const Said python = shell(folder, "'" BEADWAVE_PYTHON "' check.py");
    CHECK_MESSAGE(python.status == 0, python.err);
}

TEST_CASE("killed and interrupted runs of a mechanism continue bitwise identically") {
    const Folder folder;
    const std::string run = "run '" + configs +
                            "slider_crank.toml' --quiet --set law.name=ma-liu --set time.end=0.01 "
                            "--set checkpoint.interval=1e-4 ";
    const auto same = [&](const std::string& other) {
        check_same_histories(folder, "whole.h5", other);
    };
    REQUIRE(shell(folder, "beadwave " + run + "-o whole.h5").status == 0);
    CHECK(!std::filesystem::exists(folder / "whole.h5.checkpoint.h5"));
    const auto ended_by = [&](int signal, const std::string& name) {
        return run_until(folder, run + "-o " + name, "500", signal);
    };
    const Said killed = ended_by(SIGKILL, "cut.h5");
    REQUIRE(killed.status == 137);
    REQUIRE(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
    same("cut.h5");
    CHECK(!std::filesystem::exists(folder / "cut.h5.checkpoint.h5"));

    const Said stopped = ended_by(SIGTERM, "int.h5");
    REQUIRE(stopped.status == 1);
    CHECK(stopped.err.find("interrupted at t = ") != std::string::npos);
    CHECK(stopped.err.find("beadwave resume int.h5.checkpoint.h5") != std::string::npos);
    const Said watched = shell(folder, "beadwave watch int.h5");
    CHECK(watched.status == 1);
    CHECK(watched.err.find("the run ended early at t = ") != std::string::npos);
    CHECK(watched.err.find("beadwave resume int.h5.checkpoint.h5") != std::string::npos);
    REQUIRE(shell(folder, "beadwave resume int.h5.checkpoint.h5 --quiet").status == 0);
    same("int.h5");

    const Said look = shell(folder, "beadwave watch int.h5 --json --once");
    REQUIRE_MESSAGE(look.status == 0, look.err);
    const json progress = json::parse(look.out);
    CHECK(progress.at("state") == "finished");
    CHECK(progress.at("steps") == 1000);
    CHECK_RELATIVE(progress.at("end").get<double>(), 0.01, 1e-12);
    CHECK(progress.at("energy").at("kinetic") > 1.0);
    CHECK(progress.at("peak_force").at("contact") == 0);
    CHECK(progress.at("peak_force").at("force") > 1e3);
}

TEST_CASE("a running mechanism can be watched, and leaves a checkpoint when terminated") {
    const Folder folder;
    HeldRun held(folder,
                 "run '" + configs +
                     "slider_crank.toml' --quiet --set time.end=1 --set "
                     "checkpoint.interval=1e-4 -o s.h5",
                 "100");
    const Said once = shell(folder, "beadwave watch s.h5 --json --once");
    CHECK(held.end_by(SIGTERM).status == 1);
    const json look = json::parse(once.out);
    CHECK(look.at("state") == "running");
    CHECK(look.at("time").get<double>() > 0.0);
    CHECK(look.at("time").get<double>() < 1.0);
    CHECK(look.at("end") == 1.0);
    CHECK(std::filesystem::exists(folder / "s.h5.checkpoint.h5"));
}

TEST_CASE(
    "--check of a mechanism repeats the run with a stricter accuracy and prints the changes") {
    const Folder folder;
    const std::string run = "beadwave run '" + configs + "slider_crank.toml' --set time.end=1e-3 ";
    const Said said = shell(folder, run + "--check --json -o s.h5 --set integrator.accuracy=1e-5");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json check = json::parse(said.out).at("check");
    CHECK_RELATIVE(check.at("accuracy").get<double>(), 1e-7, 1e-12);
    const json& impact = check.at("difference").at("contacts")[0].at("impacts")[1];
    const double start = std::abs(impact.at("start").get<double>()),
                 closing = std::abs(impact.at("impact_speed").get<double>());
    CHECK(start < 1e-8);
    CHECK(closing < 1e-4);
    CHECK(start > 0.0);
    CHECK(closing > 0.0);
    CHECK(said.err.find("with the accuracy 1e-07 the numbers change by") != std::string::npos);
    const Said strictest = shell(folder, run + "--check -o s.h5 --set integrator.accuracy=1e-13");
    CHECK(strictest.status == 2);
    CHECK(strictest.err.find("--set integrator.accuracy = 1e-13: is the strictest") !=
          std::string::npos);
}

TEST_CASE("compare runs a mechanism under several laws, including impulses") {
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
    CHECK(said.err.find("fastest m/s") == std::string::npos);  // not the table for people
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

TEST_CASE(
    "a report of a mechanism shows its picture, acceleration, orbit, force, loops and energy" *
    doctest::skip(sanitised)) {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run '" + configs +
                              "slider_crank.toml' --set time.end=2e-3 -o s.h5 --quiet")
                .status == 0);
    const Said said = shell(folder, "beadwave report s.h5 -o s.html --svg s.svg");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const std::string page = read_file(folder / "s.html");
    for (const std::string panel :
         {"mechanism", "motion", "orbit", "force", "contact-loops", "energy"}) {
        CAPTURE(panel);
        CHECK(page.find("id=\"figure-" + panel + "\"") != std::string::npos);
    }
    CHECK(read_file(folder / "s.svg").find("<svg") != std::string::npos);
}

TEST_CASE("an error in a mechanism names line, key and what is allowed") {
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
    const std::vector<std::pair<std::string, std::string>> renamed{
        {"guide", "prismatic"}, {"tip", "point-line"}, {"balls", "sphere-sphere"}};
    for (const auto& [old_name, new_name] : renamed) {
        says(refused("kind = \"journal\"", "kind = \"" + old_name + "\""),
             "contact.0.kind = \"" + old_name + "\": is now \"" + new_name + "\"");
    }
    says(refused("kind = \"journal\"", "kind = \"journal\"\nhistory = \"kept\""),
         "contact.0.history = \"kept\": is now \"persistent\"");
    says(refused("kind = \"journal\"", "kind = \"journal\"\nhistory = \"impact\""),
         "contact.0.history = \"impact\": is now \"reset\"");
    says(refused("bearing_radius", "bering_radius"), "did you mean \"bearing_radius\"");
    says(refused("clearance = 0.5e-3", "clearance = 0.5"), "must be smaller than bearing_radius");
    const std::string turned =
        refused("angular_velocity = -218.1662", "angular_velocity = 218.1662");
    says(turned, "its joints, which make it [0, 39.2699]");
    says(turned, "bad.toml:28: body.1.velocity = [0.0, 13.08997]: body \"rod\": its velocity");
    says(refused("axis = [1.0, 0.0]",
                 "axis = [1.0, 0.0]\nspeed = 1.0\n[[joint]]\nkind = "
                 "\"revolute\"\nbodies = [\"ground\", \"slider\"]\npoint = "
                 "[0.17, 0.0]\nspeed = 2.0"),
         "joint.3.speed = 2.0: joint 3: its motor closes a loop of joints that all have motors");
    says(refused("axis = [1.0, 0.0]",
                 "axis = [1.0, 0.0]\n[[joint]]\nkind = \"slider\"\nbodies = "
                 "[\"slider\", \"ground\"]\naxis = [-2.0, 0.0]"),
         "joint.3: joint 3: repeats joint 2; remove one of them");
    says(refused("mass = 0.21", "mass = -0.21"), "must be a number above 0, in kg");
    says(refused("lankarani-nikravesh", "lankarani"), "did you mean \"lankarani-nikravesh\"");
    says(refused("centre = [0.11, 0.0]", "centre = [0.11]"),
         "body.1.centre = [0.11]: must be a list of 2 numbers, in m, not of 1");
    says(refused("accuracy = 1e-8", "accuracy = 1"), "from 1e-13 to 0.01");
    says(refused("restitution = 0.9", "name2 = 0.9"), "unknown key");
    says(refused("point = [0.17, 0.0]", "point = 0.17"),
         "contact.0.point = 0.17: must be a list of 2 numbers, in m, not a number");
}

TEST_CASE("a run replaces the files of a killed run, and ends if its history is removed") {
    const Folder folder;
    const std::string run = "run '" + configs + "slider_crank.toml' --quiet -o out/m.h5 ";
    REQUIRE(shell(folder, "mkdir out").status == 0);
    REQUIRE(run_until(folder, run + "--set time.end=3", "100", SIGKILL).status == 137);
    REQUIRE(std::filesystem::exists(folder / "out/m.running.h5"));
    const Said again = shell(folder, "beadwave " + run + "--set time.end=1e-4");
    CHECK_MESSAGE(again.status == 0, again.err);
    const Said lost = run_while(folder, run + "--set time.end=3", "100", "rm -r out");
    CHECK(lost.status == 1);
    CHECK_MESSAGE(lost.err.find("the file or its folder was removed") != std::string::npos,
                  lost.err);
}

TEST_CASE("a mechanism with 1200 contacts starts, and writes what each of them did") {
    const Folder folder;
    std::string text;
    for (const std::string body : {"a", "b"}) {
        text += "[[body]]\nname = \"" + body + "\"\nmass = 0.1\ninertia = 1e-4\ncentre = [" +
                (body == "a" ? "0.0" : "1.0") + ", 0.0]\n";
    }
    for (int i = 0; i < 1200; ++i) {
        text += "[[contact]]\nname = \"c" + std::to_string(i) +
                "\"\nkind = \"sphere-sphere\"\nbodies = [\"a\", \"b\"]\nfirst = [0.0, 0.0]\n"
                "second = [1.0, 0.0]\nradii = [0.01, 0.01]\nstiffness = 1e9\nlaw = { name = "
                "\"hertz\" }\n";
    }
    write_file(folder / "contacts.toml", text + "[time]\nend = 1e-4\ninterval = 1e-5\n");
    const Said said = shell(folder, "beadwave run contacts.toml --quiet");
    CHECK_MESSAGE(said.status == 0, said.err);
    const Said groups =
        shell(folder, BEADWAVE_PYTHON
              " -c \"import h5py; print(len(h5py.File('contacts.h5')['impacts']))\"");
    CHECK(groups.out == "1200\n");
}

TEST_CASE("a line law in a mechanism takes the least impact speed") {
    const Folder folder;
    const std::string run = "beadwave run '" + configs +
                            "slider_crank.toml' --set time.end=1e-3 --set contact.0.length=0.02 "
                            "--set contact.0.law.name=johnson --set contact.0.law.restitution=0.5 "
                            "--json --quiet -o s.h5 ";
    const auto dissipated = [&](const std::string& more) {
        const Said said = shell(folder, run + more);
        REQUIRE_MESSAGE(said.status == 0, said.err);
        CHECK(said.err.find("has no effect") == std::string::npos);
        return json::parse(said.out).at("energy").at("dissipated").get<double>();
    };
    const double usual = dissipated("");
    CHECK(dissipated("--set contact.0.law.min_impact_speed=1e-3") == usual);
    // A hundred times the speed of the impacts: a hundredth of the damping.
    CHECK(dissipated("--set contact.0.law.min_impact_speed=400") < 0.1 * usual);
    const Said refused = shell(folder, run + "--set contact.0.law.min_impact_speed=0");
    CHECK(refused.status == 2);
    CHECK_MESSAGE(refused.err.find("min_impact_speed") != std::string::npos, refused.err);
}

}  // namespace beadwave::validation::mechanism_test
