#include "packing/walls/wall_loads.hpp"

#include "packing/build/start_time.hpp"
#include "packing/vector_length.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

/// The largest distance of a corner from the axis about which the wall's mesh turns [m]; 0: none
/// does.
double mesh_arm(const Wall& wall) {
    if (!wall.mesh_turns()) return 0.0;
    double longest = 0.0;
    for (const Triangle& triangle : wall.mesh()->surface->triangles()) {
        for (const Vec3& corner : triangle.corner)
            longest = std::max(longest, length_of(cross(wall.direction(), corner)));
    }
    return longest;
}

}  // namespace

WallLoads::WallLoads(const Packing& packing, double time_step)
    : packing_(packing),
      time_step_(time_step),
      any_(std::ranges::any_of(packing.walls, [](const Wall& w) { return w.load.has_value(); })),
      state_(any_ ? packing.walls.size() : 0),
      half_(packing.walls.size()),
      displacement_(wall_displacements(packing.walls, 0.0)),
      before_(displacement_) {
    for (const Wall& wall : packing.walls)
        mesh_arm_.push_back(mesh_arm(wall));
}

double WallLoads::load_force(const Wall& wall, double velocity) const {
    const Load& load = *wall.load;
    return load.force + load.mass * dot(packing_.gravity, wall.direction()) +
           load.gain * (load.target_velocity - velocity);
}

double WallLoads::release_time(const Load& load) const {
    return first_step_from(load.start, time_step_) * time_step_;
}

bool WallLoads::moves(const Load& load) const {
    return time_ - 0.5 * time_step_ > release_time(load);
}

Vec3 WallLoads::load_velocity(const Wall& wall, double along) const {
    const Vec3 velocity = along * wall.direction();
    return slides(wall) ? velocity + wall.velocity : velocity;
}

Vec3 WallLoads::load_displacement(std::size_t wall) const {
    const Wall& w = packing_.walls[wall];
    const Vec3 along = state_[wall].displacement * w.direction();
    return slides(w) ? along + (time_ - release_time(*w.load)) * w.velocity : along;
}

void WallLoads::begin_step(double time) {
    time_ = time;
    for (std::size_t w = 0; w < displacement_.size(); ++w) {
        const Wall& wall = packing_.walls[w];
        if (!wall.load) {
            before_[w] = wall_displacement(wall, time - time_step_);
            displacement_[w] = wall_displacement(wall, time);
            continue;
        }
        State& s = state_[w];
        half_[w] = s.velocity + 0.5 * time_step_ * s.acceleration;
        s.predicted = half_[w] + 0.5 * time_step_ * s.acceleration;
        s.displacement += time_step_ * half_[w];
        before_[w] = displacement_[w];
        displacement_[w] = load_displacement(w);
    }
}

void WallLoads::end_step(std::span<const Vec3> before, std::span<const Vec3> force, double step,
                         double& work) {
    for (std::size_t w = 0; w < displacement_.size(); ++w) {
        const Wall& wall = packing_.walls[w];
        const Vec3 moved = step > 0.0 ? displacement_[w] - before_[w] : Vec3{};
        const double on_wall = 0.5 * dot(before[w] + force[w], moved);
        work -= on_wall;
        if (!wall.load) continue;
        State& s = state_[w];
        const double last = s.force;
        s.force = load_force(wall, s.predicted);
        const bool held = time_ + 0.5 * time_step_ < release_time(*wall.load);
        s.acceleration = held ? 0.0 : (s.force + dot(force[w], wall.direction())) / wall.load->mass;
        if (!(step > 0.0 && moves(*wall.load))) continue;
        s.velocity = half_[w] + 0.5 * time_step_ * s.acceleration;
        s.work += 0.5 * (last + s.force) * (time_step_ * half_[w]);
        s.on_particles -= on_wall;
        // What moves it across its direction is not its load: the work of that is external.
        if (slides(wall)) s.on_particles += 0.5 * step * dot(before[w] + force[w], wall.velocity);
    }
}

void WallLoads::restore(double time) {
    time_ = time;
    for (std::size_t w = 0; w < displacement_.size(); ++w) {
        const Wall& wall = packing_.walls[w];
        displacement_[w] = wall.load ? load_displacement(w) : wall_displacement(wall, time);
        if (wall.load) half_[w] = state_[w].velocity;
    }
}

void WallLoads::renew(double time) {
    restore(time);
    for (State& s : state_)
        s.predicted = s.velocity;
}

Vec3 WallLoads::velocity(std::size_t wall) const {
    const Wall& w = packing_.walls[wall];
    return w.load ? load_velocity(w, state_[wall].velocity) : wall_velocity(w, time_);
}

std::vector<WallMotion> WallLoads::motions() const {
    std::vector<WallMotion> all;
    for (std::size_t w = 0; w < displacement_.size(); ++w)
        all.push_back({displacement_[w], velocity(w)});
    return all;
}

double WallLoads::turned(std::size_t wall, double list_time) const {
    return std::abs(packing_.walls[wall].angular_velocity * (time_ - list_time)) * mesh_arm_[wall];
}

WallStep WallLoads::step(std::size_t wall, const Vec3& at_list, double list_time) const {
    const Wall& w = packing_.walls[wall];
    const Vec3 axis = w.direction();
    return {
        .from = at_list,
        .moved = displacement_[wall] - at_list,
        .half = w.load ? load_velocity(w, half_[wall]) : wall_velocity(w, time_ - 0.5 * time_step_),
        .predicted = w.load ? load_velocity(w, state_[wall].predicted) : wall_velocity(w, time_),
        .moves = w.moves(),
        .turns = w.angular_velocity != 0.0,
        .angular_velocity = w.angular_velocity * axis,
        .centre = w.point() + displacement_[wall],
        .turn_at_list = mesh_turn(w, list_time),
        .turn = mesh_turn(w, time_)};
}

double WallLoads::kinetic() const {
    double energy = 0.0;
    for (std::size_t w = 0; w < state_.size(); ++w) {
        if (const auto& load = packing_.walls[w].load)
            energy += 0.5 * load->mass * state_[w].velocity * state_[w].velocity;
    }
    return energy;
}

double WallLoads::external_work() const {
    double work = 0.0;
    for (const State& s : state_)
        work += s.work - s.on_particles;
    return work;
}

}  // namespace beadwave::packing
