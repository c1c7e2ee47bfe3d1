// Chains of cylinders: parallel ones under line laws, crossed ones under Hertz's law of an ellipse.

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/elliptic_contact.hpp"
#include "beadwave/laws/line_force.hpp"
#include "dynamics/plain_engine.hpp"
#include "line_contacts.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "subjects/chain/chain_reader.hpp"
#include "subjects/chain/long_ellipses.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::validation::chain_cylinders_test {

using std::numbers::pi;

namespace {

constexpr double radius = 5e-3, length = 15e-3, density = 7800.0, speed = 0.3;
const double mass = density * pi * radius * radius * length;

/// A row of cylinders, the first of which flies at `speed`.
std::string row_of(int beads, const std::string& law, double angle, const std::string& more = "") {
    const auto segment = [&](int count, double velocity) {
        return fmt::format(
            "[[segment]]\nbeads = {}\nradius = {}\nlength = {}\nangle = {}\nmaterial = "
            "\"steel\"\nvelocity = {}\n",
            count, radius, length, angle, velocity);
    };
    return fmt::format(
               "[material.steel]\nyoungs_modulus = 2.1e11\npoisson_ratio = 0.3\ndensity = {}\n",
               density) +
           segment(1, speed) + (beads > 1 ? segment(beads - 1, 0.0) : "") + "[law]\n" + law +
           "\n[time]\nend = 2e-4\n" + more;
}

chain::Scenario scenario_of(const std::string& text) {
    return io::read_scenario_text(text, "row.toml").scenario;
}

std::string error_of(const std::string& text) {
    try {
        chain::build_chain(scenario_of(text));
        return "none";
    } catch (const InputError& error) {
        return error.what();
    }
}

laws::LineContact rollers() {
    const laws::Cylinder roller{
        .radius = radius, .length = length, .mass = mass, .elasticity = steel};
    return laws::external_line_contact(roller, roller);
}

}  // namespace

TEST_CASE("the law of chains has the force and energy of the line law to the bit") {
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        CAPTURE(entry.name);
        const auto settings =
            line_settings(entry.name, {{"damping", "hunt-crossley"}, {"restitution", 0.7}});
        const laws::LineContact contact = pin_in_hole();
        auto uniform = settings;
        uniform.values["impact_speed"] = speed;
        const laws::LineLaw own = laws::make_line(contact, uniform, speed);
        const laws::AnyLaw law = laws::make_line_force(contact, uniform);
        for (const double x : {1e-9, 3e-7, 1e-6}) {
            for (const double v : {-0.2, 0.0, 0.4}) {
                CHECK_RELATIVE(law.respond(x, v, {}).force, own.respond(x, v, {}).force, 1e-14);
            }
            CHECK(law.stored_energy(x, {}) == own.stored_energy(x, {}));
        }
        CHECK(law.respond(-1e-9, 0.5, {}).force == 0.0);
        if (std::isfinite(own.largest_overlap()))
            CHECK(std::isnan(law.respond(own.largest_overlap(), 0.0, {}).force));
        // Per contact, the speed at closing takes the place of the number.
        auto each = settings;
        each.values["impact_speed"] = "per-contact";
        const laws::AnyLaw remembering = laws::make_line_force(contact, each);
        const auto closed = remembering.respond(1e-9, speed, {}).memory;
        CHECK_RELATIVE(remembering.respond(3e-7, 0.1, closed).force,
                       law.respond(3e-7, 0.1, {}).force, 1e-14);
    }
}

TEST_CASE("two cylinders of a chain collide as `collide` does, along a line and crossed") {
    for (const std::string name : {"johnson", "pereira"}) {
        CAPTURE(name);
        const std::string law = "name = \"" + name + "\"\ndamping = \"flores\"\nrestitution = 0.7";
        const auto settings = line_settings(name, {{"damping", "flores"}, {"restitution", 0.7}});
        const auto single =
            laws::collide(laws::make_line(rollers(), settings, speed), 0.5 * mass, speed);
        chain::Scenario scenario = scenario_of(row_of(2, law, 0.0));
        scenario.time.step = 1e-9;
        const Finished finished = run(scenario);
        CHECK_RELATIVE(finished.chain.mass[0], mass, 1e-14);
        const auto velocity = finished.engine->velocity();
        CHECK_RELATIVE(velocity[1] - velocity[0], single.rebound_speed, 1e-5);
        CHECK(std::abs(finished.result.ledger.relative_energy_error) < 1e-6);
    }
    for (const double angle : {0.5 * pi, 0.6}) {
        const auto ellipse = laws::contact_ellipse({radius, infinite}, {radius, infinite}, angle);
        const auto chain = chain::build_chain(scenario_of(row_of(2, "name = \"hertz\"", angle)));
        const double force = chain.contacts.at(1).respond(1e-6, 0.0, {}).force;
        const auto contact = laws::elliptic_contact(ellipse, mass, steel, mass, steel);
        CHECK_RELATIVE(force, contact.stiffness * 1e-9, 1e-12);
    }
}

TEST_CASE("cylinders that cross at too small an angle for their length give a warning") {
    const auto warnings = [](double angle) {
        const std::string law = "name = \"hertz\"";
        return io::read_scenario_text(row_of(3, law, angle), "row.toml").warnings;
    };
    CHECK(warnings(0.5 * pi).empty());
    CHECK(warnings(0.1).empty());
    const auto said = warnings(0.001);
    REQUIRE(said.size() == 1);
    CHECK(said[0].starts_with("segment.1.angle: the contact grows to"));
    // The length of the ellipse under the force of the collision itself.
    const auto ellipse = laws::contact_ellipse({radius, infinite}, {radius, infinite}, 0.001);
    const auto contact = laws::elliptic_contact(ellipse, mass, steel, mass, steel);
    const auto hit = laws::collide(
        laws::make(contact, laws::Settings{.name = "hertz", .values = {}}), contact.mass, speed);
    const double axis = 2.0 * ellipse.semi_major(hit.max_force, contact.modulus);
    REQUIRE(axis > length);
    chain::Scenario scenario = scenario_of(row_of(3, "name = \"hertz\"", 0.001));
    scenario.segments[0].angle = 0.0;
    const auto own = io::long_ellipse(scenario);
    REQUIRE(own.has_value());
    CHECK(own->find(fmt::format("segment.1.angle: the contact grows to {:.3g} m", axis)) == 0);
}

TEST_CASE("a chain of rollers under johnson has the bits of the plain engine on every contact") {
    chain::Scenario scenario =
        scenario_of(row_of(12, "name = \"johnson\"\ndamping = \"none\"", 0.0));
    const chain::Chain chain = chain::build_chain(scenario);
    const auto step = running::choose_time_step(scenario, chain);
    const auto plain = dynamics::make_plain_engine(chain, step.step);
    const auto fast = dynamics::make_tiled_engine(chain, step.step, 1);
    dynamics::SensorTrace none;
    plain->advance(400, none);
    fast->advance(400, none);
    double moving = 0.0;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        CHECK_ABSOLUTE(fast->velocity()[i], plain->velocity()[i], 1e-10 * speed);
        moving += plain->velocity()[i] > 1e-3 * speed ? 1 : 0;
    }
    CHECK(moving >= 2);
    // A row of equal rollers passes on the momentum.
    double momentum = 0.0;
    for (std::size_t i = 0; i < chain.beads(); ++i)
        momentum += chain.mass[i] * plain->velocity()[i];
    CHECK_RELATIVE(momentum, mass * speed, 1e-10);
}

TEST_CASE("a squeezed chain of rollers carries its force at the overlap of the print") {
    // Johnson's overlap at a force, Eq. (36), is closed.
    const double force = 50.0;
    const std::string text = row_of(5, "name = \"johnson\"\ndamping = \"none\"", 0.0,
                                    "[precompression]\nforce = 50.0\n");
    std::string still = text;
    still.replace(still.find("velocity = 0.3"), 14, "velocity = 0.0");
    const chain::Chain chain = chain::build_chain(scenario_of(still));
    const laws::LineContact c = rollers();
    const double EL = c.modulus * c.length;
    const double overlap =
        force / (pi * EL) * (std::log(4.0 * pi * EL * c.radius_difference / force) - 1.0);
    for (std::size_t contact = 1; contact < 5; ++contact)
        CHECK_RELATIVE(-chain.gap[contact], overlap, 1e-9);
}

TEST_CASE("chains that mix spheres and cylinders, or lines and crossings, are refused") {
    const std::string right = row_of(2, "name = \"johnson\"\ndamping = \"none\"", 0.0);
    CHECK(error_of(right) == "none");
    const auto changed = [&](const std::string& old, const std::string& by) {
        std::string text = right;
        text.replace(text.rfind(old), old.size(), by);
        return text;
    };
    CHECK(
        error_of(changed("length = 0.015\n", "")) ==
        "row.toml:12: segment.1.length: missing; another segment has one: give it to all segments "
        "or to none, or each a shape");
    CHECK(error_of(changed("angle = 0", "angle = 0.4"))
              .ends_with("must be 0 in all segments or in none: contacts along lines and in points "
                         "need different "
                         "laws"));
    CHECK(error_of(changed("johnson", "flores"))
              .find("is not a law of line contacts, and these bodies have a length") !=
          std::string::npos);
    const std::string walls = "[boundary]\nright = \"wall\"\n";
    CHECK(
        error_of(right + walls) ==
        "row.toml:20: law.name = \"johnson\": johnson has no force against a flat, where its Delta "
        "R is infinite; take pereira or lankarani-nikravesh");
    CHECK(error_of(row_of(2, "name = \"hertz\"", 0.6) + walls)
              .ends_with("a flat wall touches a cylinder along a line, and cylinders that cross "
                         "touch in points: one law cannot have both"));
}

TEST_CASE("a solitary wave along crossed cylinders goes and grows as the stiffness to the 2/5") {
    // At the same speed of the first bead: V and F scale as K^(2/5) in a chain under K delta^(3/2).
    const auto peaks = [](double angle) {
        chain::Scenario scenario = scenario_of(row_of(20, "name = \"hertz\"", angle));
        scenario.time.end = 4e-4;
        scenario.sensors = {.ids = {8, 14}, .interval = {}};
        const auto sensors = run(scenario).result.sensors;
        return std::array{sensors[0].peak_force, sensors[1].arrival_time - sensors[0].arrival_time};
    };
    const double wide = 0.5 * pi, narrow = 0.4;
    const auto stiffness = [](double angle) {
        return std::sqrt(
            laws::contact_ellipse({radius, infinite}, {radius, infinite}, angle).equivalent_radius);
    };
    const double expected = std::pow(stiffness(narrow) / stiffness(wide), 0.4);
    CHECK(expected > 1.2);
    // The time step is a fraction of the shortest contact in both chains, so their errors are
    // alike.
    CHECK_RELATIVE(peaks(narrow)[0] / peaks(wide)[0], expected, 1e-4);
    CHECK_RELATIVE(peaks(wide)[1] / peaks(narrow)[1], expected, 1e-3);
}

}  // namespace beadwave::validation::chain_cylinders_test
