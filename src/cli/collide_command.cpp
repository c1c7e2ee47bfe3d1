#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "io/scenario/case_reader.hpp"
#include "io/tables/collision_curve.hpp"
#include "tasks/collide.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace beadwave::cli {
namespace {

void print_text(const tasks::CollisionResult& result) {
    const io::CollisionCase& c = result.collided;
    const laws::Collision& hit = result.hit;
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
    if (!result.formulas.empty())
        print("\nrestitution by formula (beadwave laws says what each holds for)\n");
    for (const tasks::FormulaResult& f : result.formulas)
        row(f.name, f.restitution, "");
}

}  // namespace

int collide_command(const CollideOptions& options) {
    io::CollisionCase read = io::read_case(options.file, options.overrides);
    for (const std::string& note : read.notes)
        say_note(note);
    const tasks::CollisionResult result = tasks::collide(std::move(read), !options.curve.empty());
    if (!options.curve.empty())
        io::write_collision_curve({options.curve, options.force}, result.course);
    if (options.json) {
        print_json(result.json());
    } else {
        print_text(result);
    }
    return 0;
}

}  // namespace beadwave::cli
