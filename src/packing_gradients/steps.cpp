#include "packing_gradients/steps.hpp"

#include "beadwave/running/run_error.hpp"
#include "packing/contacts/deep_contact.hpp"
#include "packing/contacts/pair_kinematics.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/neighbours/two_farthest.hpp"
#include "packing/walls/wall_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::packing_gradients {

Steps::Steps(const VariedPacking& varied, double time_step)
    : varied_(varied),
      n_(varied.packing.particles()),
      dt_(time_step),
      skin_(packing::skin_of(varied.packing)),
      edges_(packing::Edges::of_box(varied.packing.box)),
      walls_(varied.packing, time_step),
      elements_(varied.packing, time_step),
      carried_(elements_.carriers()),
      table_(varied),
      body_(n_),
      force_(n_),
      torque_(n_),
      wall_force_(varied.packing.walls.size()) {}

void Steps::start(StepRecord* first, StepRecord* second) {
    const packing::Packing& p = packing();
    walls_.restore(0.0);
    state_ = {};
    state_.listed = std::make_shared<const ListedPairs>(list_pairs(p, p.position, walls_, table_));
    rebuilt_ = false;
    state_.displacement.assign(n_, {});
    state_.velocity = p.velocity;
    state_.spin = p.angular_velocity;
    state_.velocity_change.assign(n_, {});
    state_.spin_change.assign(n_, {});
    state_.memory.assign(state_.listed->list.pairs(), {});
    for (std::size_t i = 0; i < n_; ++i)
        body_[i] = {p.velocity[i], p.velocity[i], p.angular_velocity[i], p.angular_velocity[i],
                    p.radius[i]};
    respond(0.0, first);
    respond(0.0, second);
    elements_.begin(0);
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        const std::size_t i = elements_.particle(c);
        elements_.predict(c, p.velocity[i], p.angular_velocity[i]);
    }
    step_carriers(0.0);
    set_changes();
    if (second != nullptr) {
        second->velocity = state_.velocity;
        second->spin = state_.spin;
    }
}

void Steps::advance(StepRecord* record) {
    ++state_.step;
    walls_.begin_step(time());
    rebuilt_ = false;
    drift();
    elements_.begin(state_.step);
    place_carriers();
    if (moved_too_far()) rebuild_list();
    respond(dt_, record);
    step_carriers(dt_);
    set_changes();
    for (std::size_t i = 0; i < n_; ++i) {
        state_.velocity[i] = body_[i].half + state_.velocity_change[i];
        state_.spin[i] = body_[i].half_spin + state_.spin_change[i];
    }
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        state_.velocity[elements_.particle(c)] = carried_[c].velocity;
        state_.spin[elements_.particle(c)] = carried_[c].angular_velocity;
    }
    if (record == nullptr) return;
    record->velocity = state_.velocity;
    record->spin = state_.spin;
}

void Steps::restore(const State& state) {
    state_ = state;
    walls_.restore(time());
}

void Steps::drift() {
    for (std::size_t i = 0; i < n_; ++i) {
        BodyMotion& body = body_[i];
        const Vec3 &change = state_.velocity_change[i], &turn = state_.spin_change[i];
        body.half = state_.velocity[i] + change;
        state_.displacement[i] += dt_ * body.half;
        body.predicted = body.half + change;
        body.half_spin = state_.spin[i] + turn;
        body.predicted_spin = body.half_spin + turn;
        body.radius = packing().radius[i];
    }
}

Vec3 Steps::moved(std::size_t particle) const {
    return (state_.listed->reference[particle] - packing().position[particle]) +
           state_.displacement[particle];
}

void Steps::place_carriers() {
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        const std::size_t i = elements_.particle(c);
        BodyMotion& body = body_[i];
        elements_.predict(c, body.predicted, body.predicted_spin);
        if (!elements_.is_driven(c)) continue;
        const Vec3 list_moved = state_.listed->reference[i] - packing().position[i];
        const Vec3 before = moved(i);
        packing::CarrierPlace at{before, body.half, body.predicted, body.half_spin,
                                 body.predicted_spin};
        elements_.place(c, packing::ElementStepper::Step::present, at);
        for (double Vec3::*k : {&Vec3::x, &Vec3::y, &Vec3::z}) {
            if (at.displacement.*k != before.*k)
                state_.displacement[i].*k = at.displacement.*k - list_moved.*k;
        }
        body.half = at.half;
        body.predicted = at.predicted;
        body.half_spin = at.half_angular_velocity;
        body.predicted_spin = at.predicted_angular_velocity;
    }
}

void Steps::step_carriers(double dt) {
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        const std::size_t i = elements_.particle(c);
        carried_[c] = elements_.step(c,
                                     {.displacement = moved(i),
                                      .half = body_[i].half,
                                      .half_angular_velocity = body_[i].half_spin,
                                      .contact_force = force_[i],
                                      .contact_torque = torque_[i]},
                                     dt);
    }
}

bool Steps::moved_too_far() const {
    packing::TwoFarthest farthest;
    for (const Vec3& moved : state_.displacement)
        farthest.include(moved);
    for (std::size_t w = 0; w < packing().walls.size(); ++w)
        farthest.include(walls_.displacement(w) - state_.listed->wall_at_list[w]);
    return farthest.approach() >= skin_;
}

PairMotion Steps::motion_of(const Moving& moving, std::size_t pair) const {
    const packing::NeighbourList& list = moving.listed.list;
    const std::vector<Vec3>& reference = moving.listed.reference;
    const PairBodies bodies = bodies_of(list, n_, pair);
    const std::size_t a = bodies.first;
    PairMotion motion{.gap = moving.listed.gap[pair],
                      .first = moving.body[a],
                      .time_step = moving.time_step,
                      .wall = bodies.second >= n_};
    if (!motion.wall) {
        Vec3 there = reference[bodies.second];
        if (list.second[pair] >= n_)
            there += edges_.shift(list.ghosts[list.second[pair] - n_].image);
        motion.reference = there - reference[a];
        motion.displacement = moving.displacement[bodies.second] - moving.displacement[a];
        motion.second = moving.body[bodies.second];
        return motion;
    }
    const std::size_t w = bodies.second - n_;
    const packing::WallStep step =
        walls_.step(w, moving.listed.wall_at_list[w], moving.listed.time);
    const packing::WallGhost at = packing::wall_ghost(
        packing().walls[w], reference[a], moving.displacement[a], packing().radius[a], step);
    motion.reference = at.reference - reference[a];
    motion.displacement = at.displacement - moving.displacement[a];
    motion.second.half = step.half;
    motion.second.predicted = step.predicted;
    return motion;
}

void Steps::place_walls(std::int64_t step) {
    if (step == 0)
        walls_.restore(0.0);
    else
        walls_.begin_step(static_cast<double>(step) * dt_);
}

PairMotion Steps::motion_of(const StepRecord& record, std::size_t pair) const {
    return motion_of(
        {*record.listed, record.displacement, record.body, record.step > 0 ? dt_ : 0.0}, pair);
}

void Steps::rebuild_list() {
    const std::shared_ptr<const ListedPairs> old = state_.listed;
    const std::vector<Vec3> displacement_before = state_.displacement;
    std::vector<Vec3> reference = old->reference;
    for (std::size_t i = 0; i < n_; ++i) {
        Vec3 &r = reference[i], &d = state_.displacement[i];
        packing::recentre(r.x, d.x);
        packing::recentre(r.y, d.y);
        packing::recentre(r.z, d.z);
    }
    auto listed =
        std::make_shared<ListedPairs>(list_pairs(packing(), std::move(reference), walls_, table_));
    listed->matched = packing::match_pairs(old->list, listed->list, n_);
    listed->pairs_before = old->list.pairs();
    const Moving before{*old, displacement_before, body_, dt_};
    std::vector<PairMemory> memory(listed->list.pairs());
    const Moving now{*listed, state_.displacement, body_, dt_};
    for (std::size_t p = 0; p < memory.size(); ++p) {
        const std::uint32_t number = listed->matched[p];
        if (number == packing::no_pair) continue;
        memory[p] = state_.memory[number];
        const PairMotion fresh = motion_of(now, p);
        const Vec3 branch = fresh.reference + fresh.displacement;
        const double lengthening = packing::lengthening(
            fresh.reference, fresh.displacement, std::sqrt(dot(branch, branch)),
            fresh.first.radius + fresh.second.radius + fresh.gap);
        listed->gap[p] = -motion_of(before, number).overlap() - lengthening;
    }
    state_.memory = std::move(memory);
    state_.listed = std::move(listed);
    rebuilt_ = true;
}

void Steps::check_depth(const PairMotion& motion, const PairBodies& bodies) const {
    const double depth =
        packing::depth_of(motion.overlap(), motion.first.radius, motion.second.radius);
    if (depth < packing::lost_depth) return;
    throw running::RunError(fmt::format(
        "particle {} and {} {} overlap by the smaller radius after {} steps; expected a shorter "
        "time.step or stiffer contacts",
        bodies.first, motion.wall ? "wall" : "particle",
        motion.wall ? bodies.second - n_ : bodies.second, state_.step));
}

void Steps::respond(double dt, StepRecord* record) {
    if (record != nullptr) {
        record->step = state_.step;
        record->listed = state_.listed;
        record->rebuilt = rebuilt_;
        record->displacement = state_.displacement;
        record->body = body_;
        record->memory = state_.memory;
    }
    std::ranges::fill(force_, Vec3{});
    std::ranges::fill(torque_, Vec3{});
    std::ranges::fill(wall_force_, Vec3{});
    const Moving moving{*state_.listed, state_.displacement, body_, dt};
    for (std::size_t p = 0; p < state_.memory.size(); ++p) {
        const PairMotion motion = motion_of(moving, p);
        if (!responds(motion, state_.memory[p])) continue;
        const PairBodies bodies = bodies_of(state_.listed->list, n_, p);
        check_depth(motion, bodies);
        const PairForces response =
            forces_of(table_.law(state_.listed->law[p]), rolls(), motion, state_.memory[p]);
        state_.memory[p] = response.memory;
        force_[bodies.first] += -response.force;
        torque_[bodies.first] += response.torque_on_first;
        if (motion.wall) {
            wall_force_[bodies.second - n_] += response.force;
            continue;
        }
        force_[bodies.second] += response.force;
        torque_[bodies.second] += response.torque_on_second;
    }
    if (record == nullptr) return;
    record->force = force_;
    record->torque = torque_;
}

void Steps::set_changes() {
    const packing::Packing& p = packing();
    for (std::size_t i = 0; i < n_; ++i) {
        if (p.is_fixed(i)) continue;
        const double m = p.mass[i];
        state_.velocity_change[i] = (force_[i] + m * p.gravity) * (0.5 * dt_ * (1.0 / m));
        state_.spin_change[i] = torque_[i] * (0.5 * dt_ * (1.0 / p.inertia[i]));
    }
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        state_.velocity_change[elements_.particle(c)] = carried_[c].change;
        state_.spin_change[elements_.particle(c)] = carried_[c].angular_change;
    }
}

Vec3 Steps::position(std::size_t particle) const {
    return state_.listed->reference[particle] + state_.displacement[particle];
}

double Steps::wall_force(std::size_t wall) const {
    return -dot(wall_force_[wall], packing().walls[wall].direction());
}

bool Steps::finite() const {
    const auto finite = [](const Vec3& v) {
        return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
    };
    return std::ranges::all_of(state_.displacement, finite) &&
           std::ranges::all_of(state_.velocity, finite) && std::ranges::all_of(state_.spin, finite);
}

}  // namespace beadwave::packing_gradients
