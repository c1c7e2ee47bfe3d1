#include "packing/box_motion.hpp"

#include "packing/build/start_time.hpp"
#include "packing/neighbours/pair_matching.hpp"

namespace beadwave::packing {

BoxMotion::BoxMotion(const Packing& packing, double time_step)
    : packing_(packing), time_step_(time_step) {
    state_.at_list = now_ = Edges::of_box(packing.box);
    if (!strains()) return;
    follow();
    const Straining& strain = *packing.box.strain;
    pistons_ = strain.has_pistons();
    constexpr double never = 0x1p62;
    start_step_ =
        static_cast<std::int64_t>(std::min(first_step_from(strain.start, time_step), never));
    if (start_step_ == 0) start();
}

void BoxMotion::start() {
    moves_ = true;
    const Straining& strain = *packing_.box.strain;
    const auto edge = state_.at_list.of;
    const auto rate = components(strain.rate), shear = components(strain.shear_rate);
    for (std::size_t axis = 0; axis < 3; ++axis)
        state_.rate.of[axis] = rate[axis] * edge[axis];
    for (std::size_t k = 3; k < Edges::numbers; ++k)
        state_.rate.of[k] = shear[k - 3] * edge[Edges::column[k]];
    renew();
}

double BoxMotion::load_of(std::size_t axis) const {
    const Straining& strain = *packing_.box.strain;
    const auto& edge = now_.of;
    double area = 1.0;
    for (std::size_t other = 0; other < static_cast<std::size_t>(packing_.dimension); ++other)
        if (other != axis) area *= edge[other];
    return -components(strain.stress)[axis] * area - strain.damping * state_.predicted.of[axis];
}

void BoxMotion::begin_step() {
    if (!strains()) return;
    half_ = state_.rate + 0.5 * time_step_ * state_.acceleration;
    state_.predicted = half_ + 0.5 * time_step_ * state_.acceleration;
    state_.moved = state_.moved + time_step_ * half_;
    const Edges before = stretch_;
    follow();
    step_stretch_ = stretch_ + -1.0 * before;
}

double BoxMotion::size_of(const Edges& stretch) {
    double squared = 0.0;
    for (const double number : stretch.of)
        squared += number * number;
    return std::sqrt(squared);
}

void BoxMotion::end_step(const Edges& of_images, const Edges& of_particles, double step) {
    const Edges force = of_images + of_particles;
    const Straining& strain = *packing_.box.strain;
    for (std::size_t k = 0; k < Edges::numbers; ++k) {
        const double moved = step * half_.of[k];
        state_.image_work -= 0.5 * (state_.of_images.of[k] + of_images.of[k]) * moved;
        if (k < 3 && strain.has_piston[k]) {
            const double load = load_of(k);
            state_.work += 0.5 * (state_.load[k] + load) * moved;
            state_.load[k] = load;
            state_.acceleration.of[k] = moves_ ? (force.of[k] + load) / strain.mass : 0.0;
        } else {
            state_.work -= 0.5 * (state_.force.of[k] + force.of[k]) * moved;
        }
    }
    state_.force = force;
    state_.of_images = of_images;
    if (step > 0.0) state_.rate = half_ + 0.5 * time_step_ * state_.acceleration;
    half_ = state_.rate;
}

void BoxMotion::begin_list() {
    if (!strains()) return;
    for (std::size_t k = 0; k < Edges::numbers; ++k)
        recentre(state_.at_list.of[k], state_.moved.of[k]);
    follow();
}

void BoxMotion::follow() {
    now_ = state_.at_list + state_.moved;
    inverse_ = now_.inverse();
    // The columns of moved H^-1, whose matrix has the same shape.
    const std::array<Vec3, 3> unit{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    for (std::size_t k = 0; k < Edges::numbers; ++k) {
        const Vec3 along = state_.moved.times(state_.at_list.fractions(unit[Edges::column[k]]));
        stretch_.of[k] = components(along)[Edges::row[k]];
    }
    stretch_size_ = size_of(stretch_);
}

Vec3 BoxMotion::push(const Vec3& from_lower) const {
    return state_.acceleration.times(fractions(from_lower));
}

Edges BoxMotion::force_of(const ParticleSums& sums) const {
    // The same shape: xx, yy, zz, xy, xz, yz.
    const auto &g = sums.of, &h = inverse_.of;
    Edges force;
    force.of = {h[0] * g[0] + h[3] * g[3] + h[4] * g[4],
                h[1] * g[1] + h[5] * g[5],
                h[2] * g[2],
                h[1] * g[3] + h[5] * g[4],
                h[2] * g[4],
                h[2] * g[5]};
    return force;
}

double BoxMotion::kinetic() const {
    if (!pistons_) return 0.0;
    double energy = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        if (packing_.box.strain->has_piston[k])
            energy += 0.5 * packing_.box.strain->mass * state_.rate.of[k] * state_.rate.of[k];
    }
    return energy;
}

void BoxMotion::add_contact(Limits& limits, const Vec3& branch, double stiffness,
                            double damping) const {
    if (!pistons_) return;
    const auto b = components(branch);
    const auto& edge = now_.of;
    for (std::size_t k = 0; k < 3; ++k) {
        const double part = b[k] * b[k] / (edge[k] * edge[k]);
        limits.stiffness[k] += part * stiffness;
        limits.damping[k] += part * damping;
    }
}

void BoxMotion::raise(const Limits& limits, double& stiffness, double& damping) const {
    if (!pistons_) return;
    const Straining& strain = *packing_.box.strain;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!strain.has_piston[k]) continue;
        stiffness = std::max(stiffness, limits.stiffness[k] / strain.mass);
        damping = std::max(damping, (limits.damping[k] + strain.damping) / strain.mass);
    }
}

template <class Self, class Visit>
void BoxMotion::each_number(Self& state, Visit visit) {
    for (auto* edges : {&state.at_list, &state.moved, &state.rate, &state.acceleration,
                        &state.force, &state.of_images, &state.predicted}) {
        for (auto& number : edges->of)
            visit(number);
    }
    for (auto& number : state.load)
        visit(number);
    visit(state.work), visit(state.image_work);
}

std::vector<double> BoxMotion::numbers() const {
    std::vector<double> all;
    if (strains()) each_number(state_, [&](double number) { all.push_back(number); });
    return all;
}

void BoxMotion::restore(std::int64_t step, std::span<const double> numbers) {
    if (!strains()) return;
    moves_ = step > start_step_ || start_step_ == 0;
    std::size_t at = 0;
    each_number(state_, [&](double& number) { number = numbers[at++]; });
    half_ = state_.rate;
    follow();
}

}  // namespace beadwave::packing
