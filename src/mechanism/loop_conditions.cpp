#include "mechanism/loop_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::mechanism {

LoopConditions::LoopConditions(std::vector<simbody::Branch> branches, std::vector<Closure> closures,
                               const simbody::Tree& tree)
    : branches_(std::move(branches)),
      closures_(std::move(closures)),
      centres_(branches_.size()),
      coordinates_(tree.coordinates()) {
    for (const simbody::Branch& branch : branches_)
        centres_[branch.body] = branch.centre;
    for (std::size_t b = 0; b < branches_.size(); ++b) {
        first_.push_back(tree.first_coordinate(branches_[b].body));
        std::vector<bool> carried(branches_.size(), false);
        carried[branches_[b].body] = true;
        for (std::size_t later = b + 1; later < branches_.size(); ++later) {
            const std::size_t parent = branches_[later].parent;
            if (parent != ground && carried[parent]) carried[branches_[later].body] = true;
        }
        carries_.push_back(std::move(carried));
    }
    for (const Closure& closure : closures_) {
        for (const std::size_t body : {closure.first, closure.second}) {
            const bool turns = closure.mobility == simbody::Mobility::revolute;
            const Vector from = turns ? closure.point : centre(body);
            for (const Vector& other : centres_)
                length_ = std::max(length_, mechanism::length(from - other));
        }
    }
    if (length_ == 0.0) length_ = 1.0;
}

Vector LoopConditions::centre(std::size_t body) const {
    return body == ground ? Vector{} : centres_[body];
}

Vector LoopConditions::point_of(const Closure& closure, std::size_t body,
                                const std::vector<BodyState>& bodies) const {
    const BodyState& state = state_of(bodies, body);
    return closure.mobility == simbody::Mobility::revolute ? state.at(closure.point - centre(body))
                                                           : state.centre;
}

Vector LoopConditions::joint_point(const simbody::Branch& branch,
                                   const std::vector<BodyState>& bodies) const {
    if (branch.mobility == simbody::Mobility::revolute)
        return state_of(bodies, branch.parent).at(branch.point - centre(branch.parent));
    return bodies[branch.body].centre;
}

std::vector<double> LoopConditions::errors(const std::vector<BodyState>& bodies) const {
    std::vector<double> all;
    for (const Closure& closure : closures_) {
        const BodyState& first = state_of(bodies, closure.first);
        const BodyState& second = state_of(bodies, closure.second);
        if (closure.mobility == simbody::Mobility::revolute) {
            const Vector open = rotated(point_of(closure, closure.second, bodies) -
                                            point_of(closure, closure.first, bodies),
                                        -first.angle);
            all.insert(all.end(), {open[0], open[1]});
            continue;
        }
        const Vector across = left_of(closure.axis);
        all.push_back(dot(rotated(across, first.angle), second.centre - first.centre) -
                      dot(across, centre(closure.second) - centre(closure.first)));
        // A whole turn is none.
        all.push_back(length_ * 2.0 * std::sin(0.5 * (second.angle - first.angle)));
    }
    return all;
}

LoopConditions::Motion LoopConditions::motion(const simbody::Branch& branch, std::size_t which,
                                              const Vector& position,
                                              const std::vector<BodyState>& bodies) const {
    if (branch.mobility == simbody::Mobility::slider)
        return {rotated(branch.axis, state_of(bodies, branch.parent).angle)};
    if (which == 0) return {left_of(position - joint_point(branch, bodies)), 1.0};
    return {which == 1 ? Vector{1.0, 0.0} : Vector{0.0, 1.0}};
}

LoopConditions::Rows LoopConditions::jacobian(const std::vector<BodyState>& bodies,
                                              bool motors) const {
    Rows rows(size(), std::vector<double>(coordinates_, 0.0));
    for (std::size_t c = 0; c < closures_.size(); ++c) {
        const Closure& closure = closures_[c];
        const BodyState& first = state_of(bodies, closure.first);
        const BodyState& second = state_of(bodies, closure.second);
        const bool turns = closure.mobility == simbody::Mobility::revolute;
        const Vector on_first = point_of(closure, closure.first, bodies);
        const Vector on_second = point_of(closure, closure.second, bodies);
        const Vector open = on_second - on_first;
        const Vector across = rotated(left_of(closure.axis), first.angle);
        for (std::size_t b = 0; b < branches_.size(); ++b) {
            const simbody::Branch& branch = branches_[b];
            if (branch.motor && !motors) continue;
            const std::size_t count = branch.mobility == simbody::Mobility::planar ? 3 : 1;
            for (std::size_t which = 0; which < count; ++which) {
                Motion of_first, of_second;
                if (closure.first != ground && carries_[b][closure.first])
                    of_first = motion(branch, which, on_first, bodies);
                if (closure.second != ground && carries_[b][closure.second])
                    of_second = motion(branch, which, on_second, bodies);
                // Seen from the first body, which turns.
                const Vector seen =
                    of_second.velocity - of_first.velocity - of_first.spin * left_of(open);
                const std::size_t k = first_[b] + which;
                if (turns) {
                    const Vector parts = rotated(seen, -first.angle);
                    rows[2 * c][k] = parts[0];
                    rows[2 * c + 1][k] = parts[1];
                } else {
                    rows[2 * c][k] = dot(across, seen);
                    rows[2 * c + 1][k] = length_ * std::cos(0.5 * (second.angle - first.angle)) *
                                         (of_second.spin - of_first.spin);
                }
            }
        }
    }
    return rows;
}

std::vector<double> LoopConditions::accelerations(const std::vector<BodyState>& bodies) const {
    std::vector<double> all;
    for (const Closure& closure : closures_) {
        const BodyState& first = state_of(bodies, closure.first);
        const BodyState& second = state_of(bodies, closure.second);
        const bool turns = closure.mobility == simbody::Mobility::revolute;
        const Vector on_first = point_of(closure, closure.first, bodies);
        const Vector on_second = point_of(closure, closure.second, bodies);
        // Seen from the first body, which turns.
        const double w = first.angular_velocity;
        const Vector open = on_second - on_first;
        const Vector speed =
            second.velocity_at(on_second) - first.velocity_at(on_first) - w * left_of(open);
        const Vector seen = second.acceleration_at(on_second) - first.acceleration_at(on_first) -
                            first.angular_acceleration * left_of(open) - 2.0 * w * left_of(speed) +
                            w * w * open;
        if (turns) {
            const Vector parts = rotated(seen, -first.angle);
            all.insert(all.end(), {parts[0], parts[1]});
            continue;
        }
        const double half = 0.5 * (second.angle - first.angle);
        const double spin = second.angular_velocity - w;
        all.push_back(dot(rotated(left_of(closure.axis), first.angle), seen));
        all.push_back(length_ *
                      (std::cos(half) * (second.angular_acceleration - first.angular_acceleration) -
                       0.5 * std::sin(half) * spin * spin));
    }
    return all;
}

std::vector<Load> LoopConditions::reactions(const std::vector<BodyState>& bodies,
                                            const std::vector<double>& forces) const {
    std::vector<Load> all;
    for (std::size_t c = 0; c < closures_.size(); ++c) {
        const Closure& closure = closures_[c];
        const double turned = state_of(bodies, closure.first).angle;
        const double one = forces[2 * c], two = forces[2 * c + 1];
        if (closure.mobility == simbody::Mobility::revolute) {
            all.push_back({rotated({one, two}, turned), 0.0});
            continue;
        }
        const double half = 0.5 * (state_of(bodies, closure.second).angle - turned);
        all.push_back(
            {one * rotated(left_of(closure.axis), turned), two * length_ * std::cos(half)});
    }
    return all;
}

void LoopConditions::add_loads(const std::vector<BodyState>& bodies,
                               const std::vector<double>& forces, std::vector<Load>& loads) const {
    const std::vector<Load> all = reactions(bodies, forces);
    for (std::size_t c = 0; c < closures_.size(); ++c) {
        const std::size_t first = closures_[c].first, second = closures_[c].second;
        const Vector at = point_of(closures_[c], second, bodies);
        if (second != ground) {
            loads[second].add(all[c].force, at, bodies[second].centre);
            loads[second].torque += all[c].torque;
        }
        if (first != ground) {
            loads[first].add(-all[c].force, at, bodies[first].centre);
            loads[first].torque -= all[c].torque;
        }
    }
}

}  // namespace beadwave::mechanism
