#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "beadwave/input_error.hpp"
#include "beadwave/io/case_reader.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "commands.hpp"

namespace beadwave::cli {

int collide_command(const CollideOptions& options) {
    const io::CollisionCase c = io::read_case(options.file, options.overrides);
    for (const std::string& note : c.notes) fmt::print(stderr, "beadwave: note: {}\n", note);
    const laws::Collision hit = laws::collide(laws::make(c.contact, c.law), c.contact.mass, c.speed);

    if (options.json) {
        const nlohmann::ordered_json json{{"law", c.law.name},
                                          {"speed", c.speed},
                                          {"restitution", hit.restitution},
                                          {"rebound_speed", hit.rebound_speed},
                                          {"max_force", hit.max_force},
                                          {"max_overlap", hit.max_overlap},
                                          {"residual_overlap", hit.residual_overlap},
                                          {"duration", hit.duration},
                                          {"dissipated_energy", hit.dissipated_energy}};
        fmt::print("{}\n", json.dump(2));
        return 0;
    }
    const auto row = [](const char* what, double value, const char* unit) {
        fmt::print("  {:<22}{:>14.6g} {}\n", what, value, unit);
    };
    fmt::print("{} at {:g} m/s\n", c.law.name, c.speed);
    row("effective radius", c.contact.radius, "m");
    row("effective mass", c.contact.mass, "kg");
    row("restitution", hit.restitution, "");
    row("rebound speed", hit.rebound_speed, "m/s");
    row("largest force", hit.max_force, "N");
    row("largest overlap", hit.max_overlap, "m");
    row("residual overlap", hit.residual_overlap, "m");
    row("duration", hit.duration, "s");
    row("dissipated energy", hit.dissipated_energy, "J");
    return 0;
}

}  // namespace beadwave::cli
