#include "chain/impact_speed.hpp"

#include "beadwave/laws/catalogue.hpp"

namespace beadwave::chain {

Approach fastest_approach(const Scenario& scenario, const Chain& chain, bool holds_left_end,
                          bool holds_right_end) {
    const auto wall = [](const End& end) { return end.drive ? end.drive->velocity(0.0) : 0.0; };
    const std::size_t n = chain.beads();
    Approach fastest;
    const auto look = [&](double speed, std::size_t contact) {
        if (speed > fastest.speed) fastest = {speed, contact};
    };
    if (scenario.left.is_wall() && holds_left_end)
        look(wall(scenario.left) - chain.velocity.front(), 0);
    for (std::size_t c = 1; c < n; ++c)
        look(chain.velocity[c - 1] - chain.velocity[c], c);
    if (scenario.right.is_wall() && holds_right_end)
        look(chain.velocity.back() - wall(scenario.right), n);
    return fastest;
}

bool resolve_impact_speed(laws::Settings& law, double fastest) {
    if (!law.is("impact_speed", "initial")) return true;
    if (!(fastest > 0.0) && !laws::depends_on_impact_speed(law)) fastest = 1.0;  // any
    if (!(fastest > 0.0)) return false;
    law.values.insert_or_assign("impact_speed", fastest);
    return true;
}

}  // namespace beadwave::chain
