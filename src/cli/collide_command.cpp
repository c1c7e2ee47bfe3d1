#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "io/scenario/case_reader.hpp"
#include "io/tables/collision_trajectory.hpp"
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
        row(c.line->internal ? "radial clearance" : "sum of radii", c.line->radius_difference, "m");
        row("length", c.line->length, "m");
    } else if (c.contact.radius > 0.0) {  // a contact given by its stiffness may have none
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
        print("\nrestitution by formula (beadwave laws shows where each is valid)\n");
    for (const tasks::FormulaResult& f : result.formulas)
        row(f.name, f.restitution, "");
}

}  // namespace

int collide_command(const CollideOptions& options) {
    io::CollisionCase read = io::read_case(options.file, options.overrides);
    for (const std::string& warning : read.warnings)
        print_warning(warning);
    const tasks::CollisionResult result =
        tasks::collide(std::move(read), !options.trajectory.empty());
    if (!options.trajectory.empty())
        io::write_collision_trajectory({options.trajectory, options.overwrite}, result.trajectory);
    if (options.json) {
        print_json(result.json());
    } else {
        print_text(result);
    }
    return 0;
}

}  // namespace beadwave::cli
