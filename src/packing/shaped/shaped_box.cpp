// The engine of ellipsoids and clumps in a box that strains: as the plain engine. Bodies do not
// turn with the affine motion.

#include "packing/shaped/shaped_packing_engine.hpp"
#include "simd/flush_subnormals.hpp"

#include <algorithm>

namespace beadwave::packing {

Vec3 ShapedPackingEngine::own_velocity(std::size_t i) const {
    const ShapedParticle& particle = particle_[i];
    if (!box_.strains() || particle.held) return particle.velocity;
    return box_.own_velocity(from_lower(i), particle.velocity);
}

void ShapedPackingEngine::start_box() {
    const simd::FlushSubnormals flush;
    loads_.renew(time());
    box_.start();
    for (std::size_t i = 0; i < particle_.size(); ++i) {
        if (!particle_[i].held) particle_[i].velocity += box_.affine_velocity(from_lower(i));
    }
    predict_current();
    renew_forces();
}

void ShapedPackingEngine::end_box_step(double dt) {
    if (!box_.strains()) return;
    BoxMotion::ParticleSums sums;
    for (std::size_t i = 0; i < particle_.size(); ++i) {
        const ShapedParticle& particle = particle_[i];
        if (particle.held) continue;  // not there
        box_.add_particle(sums, particle.mass, from_lower(i), particle.force, particle.predicted);
    }
    box_.end_step(image_force_, box_.force_of(sums), dt);
}

double ShapedPackingEngine::affine_approach() const {
    if (!box_.strains()) return 0.0;
    // Members of two clumps are listed when the spheres around these are as close.
    return box_.approach_within(2.0 * *std::ranges::max_element(packing_.radius) + skin_);
}

}  // namespace beadwave::packing
