#include "chain/contact_bodies.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "chain/bead_places.hpp"
#include "chain/impact_speed.hpp"

#include <limits>

namespace beadwave::chain {

BeadSurface ContactBodies::surface(std::size_t bead) const {
    return {.radius = radius[bead],
            .shape = shape.empty() ? BeadShape{} : shape[bead],
            .mass = mass[bead],
            .material = material[bead]};
}

laws::AnyLaw ContactBodies::law_of(std::size_t contact) const {
    const std::size_t n = beads();
    const laws::Contact touch = contact == 0 ? wall_contact(surface(0), left_wall)
                                : contact == n
                                    ? wall_contact(surface(n - 1), right_wall)
                                    : bead_contact(surface(contact - 1), surface(contact),
                                                   angle.empty() ? 0.0 : angle[contact]);
    if (own_parameters.empty()) return laws::make(touch, law);
    laws::Settings own = law;
    for (const auto& [name, numbers] : own_parameters)
        own.values.insert_or_assign(name, numbers[contact]);
    return laws::make(touch, own);
}

ContactBodies contact_bodies(const Scenario& scenario, const Chain& chain) {
    ContactBodies bodies{.radius = chain.radius,
                         .mass = chain.mass,
                         .material = {},
                         .left_wall = {},
                         .right_wall = {},
                         .law = scenario.law};
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        if (chain.is_held(i)) bodies.mass[i] = std::numeric_limits<double>::infinity();
        bodies.material.push_back(
            scenario.materials.at(chain.species_names[chain.species[i]]).elasticity);
    }
    const BeadPlaces places(scenario);
    if (!places.all_spheres() && !scenario.has_line_contacts()) {
        for (std::size_t i = 0; i < chain.beads(); ++i) {
            bodies.shape.push_back(places.shape(i));
            bodies.angle.push_back(places.angle(i));
        }
    }
    const auto of_end = [&](const End& end, const laws::Elasticity& own) {
        return end.material ? scenario.materials.at(*end.material).elasticity : own;
    };
    bodies.left_wall = of_end(scenario.left, bodies.material.front());
    bodies.right_wall = of_end(scenario.right, bodies.material.back());
    const auto [speed, contact] = fastest_approach(scenario, chain);
    if (bodies.law.is("impact_speed", "initial") && speed > 0.0) bodies.fastest = contact;
    resolve_impact_speed(bodies.law, speed);
    return bodies;
}

}  // namespace beadwave::chain
