// Resistance to rolling and twisting between ellipsoids, superellipsoids and clumps: the law of
// spheres (laws/tangential/rolling_slider.hpp), on the spins of both bodies. Each contact of a
// clump has its own.

#include "packing/shaped/shaped_backend.hpp"

namespace beadwave::packing {

ShapedBackend::Rolled ShapedBackend::roll(ShapedPair& pair, const Sides& sides, const Touch& touch,
                                          const Rates& half, const Rates& predicted, double dt) {
    const Middle middle = middle_of(pair, sides, touch, half, dt);
    laws::SliderMemory<double> before = pair.rolling;
    // The torque has a part along the normal and one across, so it is reflected a second time, in
    // the new plane.
    const Vec3 v = before.vector;
    const Vec3 reflected =
        v - middle.normal * (2.0 * dot(v, middle.normal) / dot(middle.normal, middle.normal));
    before.vector = reflected - touch.normal * (2.0 * dot(reflected, touch.normal));
    const Vec3 mean = half.spin_1 - half.spin_2;
    const laws::Grip<double> grip = pair.grip(law_of_pair(pair));
    laws::Turn<double> turn{.angle = dt * mean,
                            .mean = mean,
                            .velocity = predicted.spin_1 - predicted.spin_2,
                            .normal = touch.normal,
                            .overlap = grip.overlap,
                            .normal_force = grip.force};
    const laws::RollingSlider<double>& law = law_of_pair(pair).rolling;
    const auto response = law.respond(turn, before);
    pair.rolling = response.memory;
    pair.rolling_torque = response.force;
    ledger_.tangential += response.work;
    ledger_.rolling += response.work;
    if (!accounts_) return {};
    // Springs, dashpots and sliders of rolling and of twisting do not see each other: with the
    // motion about the normal alone the law does the work of twisting.
    for (Vec3* part : {&turn.angle, &turn.mean, &turn.velocity})
        *part = dot(*part, turn.normal) * turn.normal;
    const double twisting = law.respond(turn, twisting_part(before, turn.normal)).work;
    return {.rolling = response.work - twisting, .twisting = twisting};
}

ShapedBackend::Stored ShapedBackend::stored_in(std::size_t p) const {
    const ShapedPair& pair = pair_[p];
    if (!pair.is_closed()) return {};
    const PairLaw& law = law_of_pair(pair);
    return {pair.normal_energy(law) + stored_beside(p), pair.sliding_energy(law),
            pair.rolling_energy(law)};
}

ContactEnergy ShapedBackend::energy_of(std::size_t p) const {
    const ShapedPair& pair = pair_[p];
    if (!pair.is_closed()) return {};
    ContactEnergy energy = pair.energy(law_of_pair(pair), pair.normal);
    energy.normal += stored_beside(p);
    return energy;
}

}  // namespace beadwave::packing
