#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/restitution.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "io/scenario/case_reader.hpp"
#include "io/tables/collision_curve.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::cli {
namespace {

using Watch = std::function<void(const laws::CollisionMoment&)>;

laws::Collision collide(const io::CollisionCase& c, const Watch& watch) {
    if (c.line) {
        return laws::collide(laws::make_line(*c.line, c.law, c.speed), c.line->mass, c.speed,
                             watch);
    }
    return laws::collide(laws::make(c.contact, c.law), c.contact.mass, c.speed, watch);
}

struct FormulaResult {
    std::string_view name;
    double restitution;
};

/// What the restitution formulas say about this collision; nothing where a number they need is
/// missing.
std::vector<FormulaResult> formulas(const io::CollisionCase& c) {
    std::vector<FormulaResult> results;
    if (c.line) return results;  // the formulas are for spheres
    laws::Impact impact{.contact = c.contact,
                        .speed = c.speed,
                        .poisson_ratio = c.poisson_ratio,
                        .density = c.density};
    if (c.law.values.contains("psi")) impact.psi = c.law.number("psi");
    if (c.law.values.contains("xi")) impact.xi = c.law.number("xi");
    for (const laws::RestitutionFormula& formula : laws::restitution_formulas()) {
        if (const auto e = laws::restitution_by(formula, impact))
            results.push_back({formula.name, *e});
    }
    return results;
}

void print_result(const io::CollisionCase& c, const laws::Collision& hit) {
    nlohmann::ordered_json json{{"law", c.law.name},
                                {"contact", c.line ? "line" : "point"},
                                {"speed", c.speed},
                                {"restitution", hit.restitution},
                                {"rebound_speed", hit.rebound_speed},
                                {"max_force", hit.max_force},
                                {"max_overlap", hit.max_overlap},
                                {"residual_overlap", hit.residual_overlap},
                                {"duration", hit.duration},
                                {"dissipated_energy", hit.dissipated_energy},
                                {"restitution_formulas", nlohmann::ordered_json::object()}};
    for (const FormulaResult& f : formulas(c))
        json["restitution_formulas"][std::string(f.name)] = f.restitution;
    cli::print_json(json);
}

void print_text(const io::CollisionCase& c, const laws::Collision& hit) {
    const auto row = [](std::string_view what, double value, const char* unit) {
        print(fmt::format("  {:<22}{:>14.6g} {}\n", what, value, unit));
    };
    print(fmt::format("{} at {:g} m/s\n", c.law.name, c.speed));
    if (c.line) {
        row(c.line->internal ? "clearance of radii" : "sum of radii", c.line->radius_difference,
            "m");
        row("length", c.line->length, "m");
    } else {
        row("effective radius", c.contact.radius, "m");
    }
    row("effective mass", c.contact.mass, "kg");
    row("restitution", hit.restitution, "");
    row("rebound speed", hit.rebound_speed, "m/s");
    row("largest force", hit.max_force, "N");
    row("largest overlap", hit.max_overlap, "m");
    row("residual overlap", hit.residual_overlap, "m");
    row("duration", hit.duration, "s");
    row("dissipated energy", hit.dissipated_energy, "J");
    const std::vector<FormulaResult> results = formulas(c);
    if (!results.empty())
        print("\nrestitution by formula (beadwave laws says what each holds for)\n");
    for (const FormulaResult& f : results)
        row(f.name, f.restitution, "");
}

}  // namespace

int collide_command(const CollideOptions& options) {
    const io::CollisionCase c = io::read_case(options.file, options.overrides);
    for (const std::string& note : c.notes)
        say_note(note);
    std::vector<laws::CollisionMoment> course;
    const Watch watch = [&](const laws::CollisionMoment& now) { course.push_back(now); };
    const laws::Collision hit = collide(c, options.curve.empty() ? Watch() : watch);
    if (!options.curve.empty()) io::write_collision_curve({options.curve, options.force}, course);
    if (options.json) {
        print_result(c, hit);
    } else {
        print_text(c, hit);
    }
    return 0;
}

}  // namespace beadwave::cli
