#include "packing/box_motion.hpp"

#include "packing/pair_matching.hpp"
#include "packing/start_time.hpp"

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

Vec3 BoxMotion::relative(const Vec3& velocity, const Vec3& affine) {
    constexpr double rounding = 1e-12;  // of places and velocities over a long run
    const auto part = [](double v, double a) {
        return std::abs(v - a) > rounding * std::abs(a) ? v - a : 0.0;
    };
    return {part(velocity.x, affine.x), part(velocity.y, affine.y), part(velocity.z, affine.z)};
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
    follow();
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
    double squared = 0.0;
    for (std::size_t k = 0; k < Edges::numbers; ++k) {
        const Vec3 along = state_.moved.times(state_.at_list.fractions(unit[Edges::column[k]]));
        stretch_.of[k] = components(along)[Edges::row[k]];
        squared += stretch_.of[k] * stretch_.of[k];
    }
    stretch_size_ = std::sqrt(squared);
}

Vec3 BoxMotion::push(const Vec3& from_lower) const {
    return state_.acceleration.times(fractions(from_lower));
}

void BoxMotion::add_particle(Edges& sum, double mass, const Vec3& from_lower, const Vec3& force,
                             const Vec3& predicted_velocity) const {
    const Vec3 place = fractions(from_lower);
    const Vec3 u = relative(predicted_velocity, state_.predicted.times(place));
    const auto f = components(force), s = components(place), v = components(u),
               w = components(fractions(u));
    for (std::size_t k = 0; k < Edges::numbers; ++k) {
        sum.of[k] +=
            f[Edges::row[k]] * s[Edges::column[k]] + mass * v[Edges::row[k]] * w[Edges::column[k]];
    }
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
