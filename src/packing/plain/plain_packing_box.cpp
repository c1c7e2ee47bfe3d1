// The plain engine in a box that strains.

#include "plain_packing_engine.hpp"
#include "simd/flush_subnormals.hpp"

namespace beadwave::packing {

Vec3 PlainPackingEngine::from_lower(std::size_t i) const {
    return (body_[i].reference - packing_.box.lower) + body_[i].displacement;
}

Vec3 PlainPackingEngine::own_velocity(std::size_t i) const {
    if (!box_.strains() || packing_.is_fixed(i)) return velocity_[i];
    return box_.own_velocity(from_lower(i), velocity_[i]);
}

void PlainPackingEngine::start_box() {
    const simd::FlushSubnormals flush;
    loads_.renew(time());
    box_.start();
    for (std::size_t i = 0; i < n_; ++i)
        if (!packing_.is_fixed(i)) velocity_[i] += box_.affine_velocity(from_lower(i));
    predict_current();
    update_ghosts();
    renew_forces();
}

void PlainPackingEngine::end_box_step(double dt) {
    if (!box_.strains()) return;
    BoxMotion::ParticleSums sums;
    for (std::size_t i = 0; i < n_; ++i) {
        if (packing_.is_fixed(i)) continue;  // not there
        box_.add_particle(sums, packing_.mass[i], from_lower(i), force_[i], body_[i].predicted);
    }
    box_.end_step(image_force_, box_.force_of(sums), dt);
}

}  // namespace beadwave::packing
