// `beadwave collide` with cylinders and with restitution formulas, and how `beadwave laws` shows
// both.

#include "ball_in_socket.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/restitution.hpp"
#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

namespace beadwave::validation::line_collide_test {

using nlohmann::json;

namespace {

// Skrinjar2018 Table 5.
constexpr const char* pin_in_hole = R"(speed = 0.2
[body.a]
radius = 4.75e-3
length = 15e-3
mass = 8.29e-3
youngs_modulus = 210e9
poisson_ratio = 0.3
[body.b]
radius = 5e-3
length = 15e-3
concave = true
mass = 37.6e-3
youngs_modulus = 210e9
poisson_ratio = 0.3
[law]
name = "johnson"
)";

const std::string under_ma_liu = ball_in_socket("name = \"ma-liu\"\npsi = 3.0\n");

Said collide(const std::string& text, const std::string& options = "") {
    const Folder folder;
    write_file(folder / "case.toml", text);
    return shell(folder, "beadwave collide case.toml " + options);
}

json collision(const std::string& text, const std::string& options = "") {
    const Said said = collide(text, "--json " + options);
    REQUIRE_MESSAGE(said.status == 0, said.err);
    return json::parse(said.out);
}

}  // namespace

TEST_CASE("collide accepts a pin in a hole and a line law") {
    const json hit = collision(pin_in_hole);
    CHECK(hit.at("law") == "johnson");
    CHECK(hit.at("contact") == "line");
    CHECK_RELATIVE(hit.at("restitution").get<double>(), 1.0, 1e-8);
    CHECK_RELATIVE(hit.at("max_force").get<double>(), 431.292, 1e-5);
    CHECK_RELATIVE(hit.at("max_overlap").get<double>(), 6.6962e-7, 1e-5);
    CHECK_RELATIVE(hit.at("duration").get<double>(), 1.03289e-5, 1e-5);
    CHECK(hit.at("restitution_formulas").empty());
    const Said text = collide(pin_in_hole);
    CHECK(text.status == 0);
    CHECK(text.out.find("radial clearance") != std::string::npos);
}

TEST_CASE("a coefficient of restitution damps a line contact, with the chosen factor") {
    const json damped = collision(pin_in_hole, "--set law.restitution=0.7");
    CHECK_RELATIVE(damped.at("restitution").get<double>(), 0.795973, 2e-6);
    CHECK_RELATIVE(damped.at("max_force").get<double>(), 403.188, 1e-5);
    const json flores =
        collision(pin_in_hole, "--set law.restitution=0.7 --set law.damping=flores");
    CHECK_ABSOLUTE(flores.at("restitution").get<double>(), 0.683, 6e-4);
    const Said none =
        collide(pin_in_hole, "--set law.restitution=0.7 --set law.damping=none --set speed=0.1");
    CHECK(none.status == 0);
    CHECK(none.err ==
          "beadwave: warning: law.restitution has no effect: law.damping is \"none\"\n");
    const Said missing = collide(pin_in_hole, "--set law.damping=flores");
    CHECK(missing.status == 2);
    CHECK(
        missing.err.find("law.restitution: missing; law.damping needs a number above 0 up to 1") !=
        std::string::npos);
}

TEST_CASE("the length of the bodies selects between two laws with the same name") {
    const json line = collision(pin_in_hole, "--set law.name=hertz");
    CHECK_RELATIVE(line.at("max_force").get<double>(), 328.941, 1e-5);
    for (const beadwave::laws::LineEntry& entry : beadwave::laws::line_catalogue()) {
        CAPTURE(entry.name);
        CHECK_RELATIVE(
            collision(pin_in_hole, "--set law.name=" + entry.name).at("restitution").get<double>(),
            1.0, 1e-8);
    }
    const Said johnson = collide(under_ma_liu, "--set law.name=johnson");
    CHECK(johnson.status == 2);
    CHECK(johnson.err.find(
              "is a law of line contacts, for parallel cylinders: bodies that have a length") !=
          std::string::npos);
    const Said flores = collide(pin_in_hole, "--set law.name=flores");
    CHECK(flores.status == 2);
    CHECK(flores.err.find("is not a law of line contacts") != std::string::npos);
    const Said misspelt = collide(pin_in_hole, "--set law.name=jonson");
    CHECK(misspelt.status == 2);
    CHECK(misspelt.err.find("no such line law; did you mean \"johnson\"?") != std::string::npos);
}

TEST_CASE("wrong cylinders are refused with the reason") {
    const auto refused = [](const std::string& options, const std::string& reason) {
        CAPTURE(options);
        const Said said = collide(pin_in_hole, options);
        CHECK(said.status == 2);
        CHECK(said.out.empty());
        CHECK_MESSAGE(said.err.find(reason) != std::string::npos, said.err);
    };
    refused(
        "--set body.b.radius=4e-3",
        "body.b.radius = 0.004: must exceed the pin's radius, 0.00475 m: the hole holds the pin");
    refused("--set body.b.concave=false --set law.name=liu", "liu is only for a pin in a hole");
    refused("--set body.b.radius=20e-3 --set law.name=pereira",
            "pereira is fitted to clearances from 0.005 mm to 10 mm");
    refused("--set speed=2e4", "law \"johnson\" ends at an overlap of");
    refused("--set body.a.length=-1", "body.a.length = -1: must be a number above 0, in m");
    const Said one_length = collide(under_ma_liu, "--set body.a.length=0.1");
    CHECK(one_length.status == 2);
    CHECK(one_length.err.find(
              "body.b.length: missing; the other body has one: give both, in m, or neither") !=
          std::string::npos);
}

TEST_CASE("the mass of a full cylinder follows from its density") {
    std::string text = pin_in_hole;
    text.replace(text.find("mass = 8.29e-3"), 14, "density = 7798.0");
    const json hit = collision(text.c_str());
    CHECK_RELATIVE(hit.at("max_force").get<double>(), 431.292, 1e-3);
}

TEST_CASE("collide prints the restitution formulas for a yielding pair") {
    const json hit = collision(under_ma_liu);
    const json formulas = hit.at("restitution_formulas");
    CHECK(formulas.size() == beadwave::laws::restitution_formulas().size());
    CHECK_ABSOLUTE(formulas.at("ma-liu-energy").get<double>(), hit.at("restitution").get<double>(),
                   1e-6);
    CHECK_ABSOLUTE(formulas.at("ma-liu").get<double>(), 0.7141, 1e-4);
    const Said text = collide(under_ma_liu);
    CHECK(text.out.find("restitution by formula") != std::string::npos);
    CHECK(text.out.find("chang-ling") != std::string::npos);

    std::string elastic = under_ma_liu;
    elastic.replace(elastic.find("yield_stress = 3.0e7"), 20, "");
    CHECK(collision(elastic.c_str(), "--set law.name=hertz").at("restitution_formulas").empty());
}

TEST_CASE("laws lists line laws and restitution formulas, and shows all entries with one name") {
    const Folder folder;
    const Said table = shell(folder, "beadwave laws");
    const json all = json::parse(shell(folder, "beadwave laws --json").out);
    CHECK(all.at("line_laws").size() == beadwave::laws::line_catalogue().size());
    CHECK(all.at("restitution_formulas").size() == beadwave::laws::restitution_formulas().size());
    for (const beadwave::laws::LineEntry& entry : beadwave::laws::line_catalogue()) {
        CAPTURE(entry.name);
        CHECK(table.out.find("\n" + entry.name + " ") != std::string::npos);
        const Said one = shell(folder, "beadwave laws " + entry.name);
        CHECK(one.status == 0);
        CHECK(one.out.find(entry.equation) != std::string::npos);
        CHECK(one.out.find(entry.source) != std::string::npos);
    }
    for (const beadwave::laws::RestitutionFormula& formula :
         beadwave::laws::restitution_formulas()) {
        const Said one = shell(folder, "beadwave laws " + std::string(formula.name));
        CHECK(one.status == 0);
        CHECK(one.out.find(std::string(formula.equation)) != std::string::npos);
    }
    const json hertz = json::parse(shell(folder, "beadwave laws hertz --json").out);
    CHECK(hertz.at("family") == "elastic");
    CHECK(hertz.at("line_law").at("name") == "hertz");
    const json ma_liu = json::parse(shell(folder, "beadwave laws ma-liu --json").out);
    CHECK(ma_liu.at("restitution_formula").at("name") == "ma-liu");
    const Said unknown = shell(folder, "beadwave laws persom");
    CHECK(unknown.status == 2);
    CHECK(unknown.err.find("did you mean \"persson\"?") != std::string::npos);
}

TEST_CASE("a least impact speed has no effect in a collision, whose speed is known") {
    for (const std::string damping : {"flores", "none"}) {
        const Said said = collide(std::string(pin_in_hole) + "restitution = 0.8\ndamping = \"" +
                                  damping + "\"\nmin_impact_speed = 0.2\n");
        CAPTURE(said.err);
        CHECK(said.status == 0);
        CHECK(said.err.find("min_impact_speed has no effect: ") != std::string::npos);
    }
}

}  // namespace beadwave::validation::line_collide_test
