// The impact of a pin in a hole of Skrinjar2018 sections 5 and 6 under the cylindrical laws.

#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/hysteresis_restitution.hpp"
#include "laws/catalogue/hysteresis_factors.hpp"
#include "line_contacts.hpp"
#include "relative.hpp"
#include "table.hpp"

#include <cctype>
#include <map>
#include <sstream>
#include <string>

namespace beadwave::validation::line_contact_test {

namespace {

/// "form=eq37 b0=2.15" as parameters.
std::map<std::string, laws::Value> options_of(const Row& row) {
    std::map<std::string, laws::Value> options;
    std::stringstream words(row.at("options"));
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        if (equals == std::string::npos) continue;
        const std::string value = word.substr(equals + 1);
        const bool number = std::isdigit(static_cast<unsigned char>(value.front())) != 0;
        options[word.substr(0, equals)] =
            number ? laws::Value(std::stod(value)) : laws::Value(value);
    }
    return options;
}

}  // namespace

TEST_CASE(
    "the pin of Skrinjar2018 Table 5 rebounds in its hole as an independent calculation says, "
    "under every line law") {
    for (const Row& row : table("papers/line_contact_skrinjar2018.csv")) {
        CAPTURE(row.at("law"));
        CAPTURE(row.at("options"));
        CAPTURE(row.at("hole"));
        const laws::LineContact contact = pin_in_hole(row.at("hole") == "fixed");
        auto options = options_of(row);
        const auto collide = [&] {
            return laws::collide(
                laws::make_line(contact, line_settings(row.at("law"), options), 0.2), contact.mass,
                0.2);
        };
        const laws::Collision elastic = collide();
        CHECK_RELATIVE(elastic.duration, number(row, "duration_elastic_s"), 1e-5);
        CHECK_RELATIVE(elastic.max_overlap, number(row, "max_overlap_elastic_m"), 1e-5);
        CHECK_RELATIVE(elastic.max_force, number(row, "max_force_elastic_N"), 1e-5);
        options["restitution"] = 0.7;
        const laws::Collision damped = collide();
        CHECK_RELATIVE(damped.duration, number(row, "duration_damped_s"), 1e-5);
        CHECK_RELATIVE(damped.max_overlap, number(row, "max_overlap_damped_m"), 1e-5);
        CHECK_RELATIVE(damped.max_force, number(row, "max_force_damped_N"), 1e-5);
        CHECK_ABSOLUTE(damped.restitution, number(row, "restitution_damped"), 2e-6);
    }
}

TEST_CASE(
    "without damping a line contact stores all the energy at the largest overlap and returns it") {
    const double mass = pin_in_hole().mass;
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        CAPTURE(entry.name);
        for (const double speed : {1e-3, 0.2, 2.0}) {
            CAPTURE(speed);
            const laws::LineLaw law = law_of(entry.name);
            const laws::Collision hit = laws::collide(law, mass, speed);
            const double energy = 0.5 * mass * speed * speed;
            CHECK_ABSOLUTE(hit.dissipated_energy, 0.0, 1e-8 * energy);
            CHECK_RELATIVE(law.stored_energy(hit.max_overlap, {}), energy, 1e-8);
        }
    }
}

TEST_CASE("a hysteresis factor gives every line law the restitution that it gives spheres") {
    const double mass = pin_in_hole().mass;
    const auto rebound = [&](const std::string& law, std::string_view damping, double restitution) {
        return laws::collide(
                   law_of(law, {{"damping", std::string(damping)}, {"restitution", restitution}}),
                   mass, 0.2)
            .restitution;
    };
    for (const double e : {0.1, 0.5, 0.9}) {
        CAPTURE(e);
        for (const laws::HysteresisFactor& factor : laws::hysteresis_factors()) {
            CAPTURE(factor.name);
            CHECK_RELATIVE(rebound("johnson", factor.name, e),
                           laws::hysteresis_restitution(factor.chi(e)), 1e-8);
        }
        for (const laws::LineEntry& entry : laws::line_catalogue()) {
            CAPTURE(entry.name);
            CHECK_RELATIVE(rebound(entry.name, "lankarani-nikravesh", e),
                           laws::hysteresis_restitution(0.75 * (1.0 - e * e)), 1e-8);
        }
    }
    CHECK_RELATIVE(rebound("johnson", "none", 0.3), 1.0, 1e-9);
}

TEST_CASE("laws for a pin in a hole refuse cylinders side by side, the others accept them") {
    const laws::LineContact c = laws::external_line_contact(pin, hole(false));
    CHECK_RELATIVE(c.radius_difference, 9.75e-3, 1e-14);
    CHECK_RELATIVE(c.radius, 5e-3 * 4.75e-3 / 9.75e-3, 1e-14);
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        CAPTURE(entry.name);
        const auto make = [&] { return laws::make_line(c, line_settings(entry.name), 0.2); };
        if (entry.external) {
            CHECK_RELATIVE(laws::collide(make(), c.mass, 0.2).restitution, 1.0, 1e-8);
        } else {
            CHECK(refusal(make).starts_with(entry.name + " is only for a pin in a hole"));
        }
    }
}

TEST_CASE("a damping factor refuses a restitution for which it is not defined") {
    for (const laws::HysteresisFactor& factor : laws::hysteresis_factors()) {
        if (factor.least_restitution == 0.0) continue;
        CAPTURE(factor.name);
        CHECK(refusal([&] {
                  law_of("johnson", {{"damping", std::string(factor.name)},
                                     {"restitution", factor.least_restitution}});
              })
                  .starts_with("damping \"" + std::string(factor.name) +
                               "\" needs a restitution above"));
    }
}

}  // namespace beadwave::validation::line_contact_test
