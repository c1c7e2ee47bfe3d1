#include "packing_gradients/varied_packing.hpp"

#include <array>
#include <cstddef>

namespace beadwave::packing_gradients {

VariedPacking::VariedPacking(const packing::Packing& given) : packing(given) {
    for (const std::uint16_t species : given.species)
        youngs_modulus.push_back(given.species_list[species].elasticity.youngs_modulus);
}

packing::PairLaw law_of(const VariedPacking& varied, const PairBodies& pair) {
    // A packing of these two bodies alone, each of a species of its own.
    const packing::Packing& p = varied.packing;
    const std::size_t n = p.particles();
    const bool wall = pair.second >= n;
    const std::array<std::size_t, 2> species{
        p.species[pair.first], wall ? p.walls[pair.second - n].species : p.species[pair.second]};
    packing::Packing two;
    two.dimension = p.dimension;
    two.species_list = {p.species_list[species[0]], p.species_list[species[1]]};
    two.law = p.law;
    two.friction = p.friction;
    two.rolling = p.rolling;
    two.pairs = p.pairs;
    const auto add = [&](std::uint32_t particle, std::size_t of) {
        two.add(p.radius[particle], p.mass[particle], p.position[particle], of);
        two.inertia.back() = p.inertia[particle];
        two.fixed.resize(of + 1);
        two.fixed[of] = p.is_held(particle) ? 1 : 0;
        two.species_list[of].elasticity.youngs_modulus = varied.youngs_modulus[particle];
    };
    add(pair.first, 0);
    if (wall) {
        two.walls.push_back(p.walls[pair.second - n]);
        two.walls.back().species = 1;
    } else {
        add(pair.second, 1);
    }
    // Settings of other species stay, because sliders of all pairs have one type.
    for (packing::PairSettings& settings : two.pairs) {
        const std::size_t a = settings.species[0], b = settings.species[1];
        const bool own =
            (a == species[0] && b == species[1]) || (a == species[1] && b == species[0]);
        settings.species =
            own ? std::array<std::size_t, 2>{0, 1} : std::array<std::size_t, 2>{2, 2};
    }
    packing::PairLaws laws(two);  // a wall follows the only particle
    return laws.law(laws.kind(0, 1));
}

}  // namespace beadwave::packing_gradients
