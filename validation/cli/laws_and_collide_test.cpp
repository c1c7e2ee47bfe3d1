// `beadwave laws` and `beadwave collide`.

#include "ball_in_socket.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "largest.hpp"
#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace beadwave::validation::laws_and_collide_test {

using nlohmann::json;

TEST_CASE("laws lists every law of the catalogue, and each can be shown in full") {
    const Folder folder;
    const Said table = shell(folder, "beadwave laws");
    REQUIRE(table.status == 0);
    const json list = json::parse(shell(folder, "beadwave laws --json").out).at("laws");
    REQUIRE(list.size() == beadwave::laws::catalogue().size());
    for (const beadwave::laws::Entry& entry : beadwave::laws::catalogue()) {
        CAPTURE(entry.name);
        CHECK(table.out.find("\n" + entry.name + " ") != std::string::npos);
        const Said one = shell(folder, "beadwave laws " + entry.name);
        CHECK(one.status == 0);
        CHECK(one.out.find(entry.equation) != std::string::npos);
        CHECK(one.out.find(entry.source) != std::string::npos);
        if (entry.refused.empty())
            CHECK(one.out.find("step order    " + entry.step_order.text()) != std::string::npos);
        for (const auto& parameter : entry.parameters) {
            CHECK(one.out.find(std::string(parameter.name)) != std::string::npos);
        }
        CHECK(json::parse(shell(folder, "beadwave laws --json " + entry.name).out).at("name") ==
              entry.name);
    }
}

TEST_CASE("laws shows the laws of friction and of rigid contacts too") {
    const Folder folder;
    const Said table = shell(folder, "beadwave laws");
    const json list = json::parse(shell(folder, "beadwave laws --json").out);
    std::size_t shown = 0;
    for (const char* const kind : {"friction_laws", "friction_numbers", "rigid_laws"}) {
        for (const json& entry : list.at(kind)) {
            const auto name = entry.at("name").get<std::string>();
            CAPTURE(name);
            CHECK(table.out.find("\n" + name + " ") != std::string::npos);
            const Said one = shell(folder, "beadwave laws " + name);
            CHECK(one.status == 0);
            CHECK(one.out.find(entry.at("equation").get<std::string>()) != std::string::npos);
            CHECK(one.out.find(entry.at("source").get<std::string>()) != std::string::npos);
            ++shown;
        }
    }
    CHECK(shown == 15);
    CHECK(shell(folder, "beadwave cite rigid").out.find("Moreau 1988") != std::string::npos);
    CHECK(shell(folder, "beadwave laws rigid --for lammps").err ==
          "beadwave: --for: rigid is no law of force over overlap; expected the name of a law\n");
}

TEST_CASE("docs/LAWS.md is the current text of the catalogue") {
    const Folder folder;
    const Said said = shell(folder, "beadwave laws --markdown");
    REQUIRE(said.status == 0);
    CHECK_MESSAGE(said.out == read_file(BEADWAVE_SOURCE_DIR "/docs/LAWS.md"),
                  "update it with: beadwave laws --markdown > docs/LAWS.md");
}

TEST_CASE("an unknown law gets a suggestion and status 2") {
    const Folder folder;
    const Said said = shell(folder, "beadwave laws ma-lui");
    CHECK(said.status == 2);
    CHECK(said.err ==
          "beadwave: there is no law \"ma-lui\"; did you mean \"ma-liu\"? (beadwave laws lists "
          "all)\n");
}

TEST_CASE("collide --json gives the socket collision of WangLiu2022") {
    const Folder folder;
    write_file(folder / "case.toml", ball_in_socket("name = \"flores\"\nrestitution = 0.6909\n"));
    const Said said = shell(folder, "beadwave collide case.toml --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json hit = json::parse(said.out);
    CHECK_RELATIVE(hit.at("rebound_speed").get<double>(), 2.6944, 2e-4);
    CHECK_RELATIVE(hit.at("restitution").get<double>(), 0.6736, 2e-4);
    CHECK_RELATIVE(hit.at("max_force").get<double>(), 51838, 1e-3);
    CHECK_RELATIVE(hit.at("dissipated_energy").get<double>(), 1.1356, 1.1e-2);
    CHECK(hit.at("residual_overlap") == 0.0);
    CHECK(hit.at("max_overlap") > 0.0);
    CHECK(hit.at("duration") > 0.0);
}

TEST_CASE("collide accepts a contact instead of bodies, and --set") {
    const Folder folder;
    write_file(folder / "case.toml",
               "speed = 2.0\n[contact]\nstiffness = 4e9\neffective_mass = 2e-4\n[law]\nname = "
               "\"hertz\"\n");
    const json hit =
        json::parse(shell(folder, "beadwave collide case.toml --json --set speed=3").out);
    CHECK_RELATIVE(hit.at("rebound_speed").get<double>(), 3.0, 1e-9);
}

TEST_CASE(
    "collide --trajectory writes force, overlap and speed, whose work is the dissipated energy") {
    const Folder folder;
    write_file(folder / "case.toml", ball_in_socket("name = \"ma-liu\"\npsi = 3.0\n"));
    const Said said = shell(folder, "beadwave collide case.toml --json --trajectory out.csv");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json hit = json::parse(said.out);
    std::istringstream lines(read_file(folder / "out.csv"));
    std::string line;
    std::getline(lines, line);
    CHECK(line == "time_s,overlap_m,approach_speed_m_per_s,force_N");
    double time = 0.0, overlap = 0.0, speed = 4.0, force = 0.0, work = 0.0;
    Largest largest;
    double impulse = 0.0;
    int rows = 0;
    for (; std::getline(lines, line); ++rows) {
        double t = 0.0, x = 0.0, v = 0.0, F = 0.0;
        REQUIRE(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf", &t, &x, &v, &F) == 4);
        CHECK(t > time);
        work += 0.5 * (F + force) * (x - overlap);
        impulse += 0.5 * (F + force) * (t - time);
        largest.enter(x);
        time = t, overlap = x, speed = v, force = F;
    }
    CHECK(rows > 100);
    CHECK_RELATIVE(time, hit.at("duration").get<double>(), 1e-12);
    CHECK_RELATIVE(-speed, hit.at("rebound_speed").get<double>(), 1e-12);
    CHECK_RELATIVE(largest, hit.at("max_overlap").get<double>(), 1e-12);
    CHECK(std::abs(force) < 1e-6 * hit.at("max_force").get<double>());
    // Trapezoids between the steps of the integration.
    CHECK_RELATIVE(work, hit.at("dissipated_energy").get<double>(), 1e-3);
    CHECK_RELATIVE(impulse, 0.2614 * (4.0 - speed), 1e-3);

    write_file(folder / "notes.txt", "mine");
    const Said refused = shell(folder, "beadwave collide case.toml --trajectory notes.txt");
    CHECK(refused.status == 2);
    CHECK(read_file(folder / "notes.txt") == "mine");
    CHECK(shell(folder, "beadwave collide case.toml --trajectory out.csv").status == 0);
}

TEST_CASE("laws --at and collide show the optimal damping of an impact, which returns e") {
    const Folder folder;
    const std::string law = "beadwave laws poursina-nikravesh";
    const Said said = shell(folder, law +
                                        " --json --at restitution=0.6 --at exponent=1.25 --at "
                                        "stiffness=3e7 --at mass=0.02 --at speed=0.4");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json damping = json::parse(said.out).at("damping");
    const double c = damping.at("optimum").get<double>();
    const std::string contact =
        "speed = 0.4\n[contact]\nstiffness = 1e9\neffective_mass = 0.02\n[law]\nexponent = "
        "1.25\nstiffness = 3e7\n";
    write_file(folder / "poursina.toml",
               contact +
                   "name = \"poursina-nikravesh\"\nrestitution = 0.6\ncoefficient = "
                   "\"optimal\"\n");
    const Said collided = shell(folder, "beadwave collide poursina.toml --json");
    REQUIRE_MESSAGE(collided.status == 0, collided.err);
    const json hit = json::parse(collided.out);
    CHECK(hit.at("damping") == damping);
    CHECK_RELATIVE(hit.at("restitution").get<double>(), 0.6, 1e-7);
    CHECK_RELATIVE(hit.at("residual_overlap").get<double>(),
                   damping.at("separation_overlap").get<double>(), 1e-5);
    // The force at closing is c v.
    CHECK(hit.at("max_force").get<double>() > 0.4 * c);
    CHECK(shell(folder, "beadwave collide poursina.toml").out.find("optimal damping") !=
          std::string::npos);

    const auto refused = [&](const std::string& options) {
        const Said no = shell(folder, "beadwave laws " + options);
        CHECK(no.status == 2);
        return no.err;
    };
    CHECK(refused("poursina-nikravesh --at restitution=0.6 --at stiffness=1 --at mass=1") ==
          "beadwave: --at speed: missing; give a number above 0, in m/s\n");
    CHECK(refused("poursina-nikravesh --at exponent=3") ==
          "beadwave: --at exponent=3: expected a number from 1 to 2\n");
    CHECK(refused("poursina-nikravesh --at mass=nan") ==
          "beadwave: --at mass=nan: expected a number above 0, in kg: the effective mass\n");
    CHECK(refused("poursina-nikravesh --at sped=1") ==
          "beadwave: --at: there is no key \"sped\"; did you mean \"speed\"?; expected "
          "restitution, exponent, stiffness, mass or speed\n");
    CHECK(refused("hertz --at mass=1") ==
          "beadwave: --at: hertz has no numbers of one impact to show; expected "
          "poursina-nikravesh, the law with an optimal damping\n");
}

TEST_CASE("a restitution of 0 is refused with what to take in its place") {
    const Folder folder;
    const auto said = [&](const std::string& law, const std::string& restitution) {
        return shell(folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                             "/configs/newtons_cradle.toml' --quiet --set law.name=" +
                                 law + " --set law.restitution=" + restitution);
    };
    for (const std::string law : {"tsuji", "flores", "gonthier", "anagnostopoulos"}) {
        CAPTURE(law);
        const Said none = said(law, "0");
        CHECK(none.status == 2);
        CHECK_MESSAGE(none.err.find("the formula of " + law +
                                    " has no value at e = 0. 0.01 keeps "
                                    "1e-4 of the energy; in mechanisms the law impulse takes 0") !=
                          std::string::npos,
                      none.err);
        CHECK(said(law, "-1").err.find("e = 0") == std::string::npos);
        // What the message advises runs.
        CHECK(said(law, "0.01").status == 0);
    }
}

TEST_CASE("wrong command lines are refused") {
    const Folder folder;
    for (const char* command :
         {"beadwave", "beadwave fly", "beadwave run", "beadwave run a.toml --threads 0",
          "beadwave run a.toml --fast", "beadwave collide"}) {
        CAPTURE(command);
        const Said said = shell(folder, command);
        CHECK(said.status == 2);
        CHECK(said.out.empty());
        CHECK(said.err.rfind("beadwave: ", 0) == 0);
    }
    CHECK(shell(folder, "beadwave --help").status == 0);
    CHECK(shell(folder, "beadwave --version").out == "beadwave 0.1.0\n");
}

}  // namespace beadwave::validation::laws_and_collide_test
