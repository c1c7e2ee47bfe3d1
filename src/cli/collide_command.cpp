#include "cli/command_line.hpp"
#include "cli/terminal.hpp"
#include "io/scenario/case_reader.hpp"
#include "io/tables/collision_trajectory.hpp"
#include "tasks/collide.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace beadwave::cli {
namespace {

void print_text(const tasks::CollisionResult& result) {
    if (result.report) return print(result.report->text);
    const io::CollisionCase& c = result.collided;
    if (c.impact) return print(tasks::impact_text(*c.impact, c.speed, result.impacts));
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
    if (c.ellipse) row("axis ratio", c.ellipse->axis_ratio, "");
    row("effective mass", c.contact.mass, "kg");
    row("restitution", hit.restitution, "");
    row("rebound speed", hit.rebound_speed, "m/s");
    row("largest force", hit.max_force, "N");
    row("largest overlap", hit.max_overlap, "m");
    row("residual overlap", hit.residual_overlap, "m");
    row("duration", hit.duration, "s");
    row("dissipated energy", hit.dissipated_energy, "J");
    if (const auto& ellipse = result.ellipse) {
        const double modulus = c.contact.modulus;
        if (c.ellipse) {
            row("greater semi-axis", ellipse->semi_major(hit.max_force, modulus), "m");
            row("smaller semi-axis", ellipse->semi_minor(hit.max_force, modulus), "m");
        } else {
            row("contact radius", ellipse->semi_major(hit.max_force, modulus), "m");
        }
        row("largest pressure", ellipse->largest_pressure(hit.max_force, modulus), "Pa");
    }
    if (result.strip) {
        row("half-width", result.strip->half_width, "m");
        row("largest pressure", result.strip->largest_pressure, "Pa");
    }
    if (result.damping) {
        row("optimal damping", result.damping->optimum, "N s/m");
        row("its upper bound", result.damping->bound, "N s/m");
        row("damping of the fit", result.damping->fit, "N s/m");
    }
    for (const tasks::CollisionResult::Moduli& m : result.moduli) {
        print(fmt::format("  G and K after {:.3g} s: {:.6g} Pa, {:.6g} Pa\n", m.time, m.shear,
                          m.bulk));
    }
    if (!result.formulas.empty())
        print("\nrestitution by formula (beadwave laws shows where each is valid)\n");
    for (const tasks::FormulaResult& f : result.formulas)
        row(f.name, f.restitution, "");
}

}  // namespace

Command collide_command(CLI::App& app) {
    struct Options {
        std::string file, trajectory;
        std::vector<std::string> overrides;
        bool overwrite = false, json = false;
    };
    const auto given = std::make_shared<Options>();
    Line line(app, "collide", "Compute one collision of two bodies");
    line.add_option("CASE", given->file, "the collision case, a TOML file").required();
    add_repeated(line, "--set", given->overrides, "KEY=VALUE",
                 "set one key of the case, for example law.name=hertz or speed=2; may be given "
                 "several times");
    line.add_option("--trajectory", given->trajectory,
                    "also write a CSV file of the collision over time, with the columns time_s, "
                    "overlap_m, approach_speed_m_per_s, force_N");
    add_overwrite(line, given->overwrite);
    add_json(line, given->json);

    return {.line = line, .run = [given](ranks::Communicator&) {
                const tasks::CollisionResult result =
                    tasks::collide(given->file, given->overrides, !given->trajectory.empty());
                for (const std::string& warning : result.warnings())
                    print_warning(warning);
                if (!given->trajectory.empty()) {
                    io::write_collision_trajectory({given->trajectory, given->overwrite},
                                                   result.trajectory);
                }
                if (given->json) {
                    print_json(result.json());
                } else {
                    print_text(result);
                }
                return 0;
            }};
}

}  // namespace beadwave::cli
