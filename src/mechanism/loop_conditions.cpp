#include "mechanism/loop_conditions.hpp"

#include "mechanism/redundant_loops.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::mechanism {

using simbody::Branch;
using simbody::Closure;
using simbody::Mobility;

LoopConditions::LoopConditions(std::vector<Branch> branches, std::vector<Closure> closures,
                               const simbody::Tree& tree)
    : branches_(std::move(branches)),
      closures_(std::move(closures)),
      centres_(branches_.size()),
      coordinates_(tree.coordinates()) {
    for (const Branch& branch : branches_)
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
            const bool turns = closure.mobility == Mobility::revolute;
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
    return state_of(bodies, body).at(closure.point - centre(body));
}

Vector LoopConditions::joint_point(const Branch& branch,
                                   const std::vector<BodyState>& bodies) const {
    if (branch.mobility == Mobility::revolute)
        return state_of(bodies, branch.parent).at(branch.point - centre(branch.parent));
    return bodies[branch.body].centre;
}

std::vector<double> LoopConditions::errors(const std::vector<BodyState>& bodies) const {
    std::vector<double> all;
    for (const Closure& closure : closures_) {
        const BodyState& first = state_of(bodies, closure.first);
        const BodyState& second = state_of(bodies, closure.second);
        if (closure.mobility == Mobility::revolute) {
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

LoopConditions::Motion LoopConditions::motion(const Branch& branch, std::size_t which,
                                              const Vector& position,
                                              const std::vector<BodyState>& bodies) const {
    if (branch.mobility == Mobility::slider)
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
        const bool turns = closure.mobility == Mobility::revolute;
        const Vector on_first = turns ? point_of(closure, closure.first, bodies) : first.centre;
        const Vector on_second = turns ? point_of(closure, closure.second, bodies) : second.centre;
        const Vector open = on_second - on_first;
        const Vector across = rotated(left_of(closure.axis), first.angle);
        for (std::size_t b = 0; b < branches_.size(); ++b) {
            const Branch& branch = branches_[b];
            if (branch.motor && !motors) continue;
            const std::size_t count = branch.mobility == Mobility::planar ? 3 : 1;
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

void LoopConditions::share_reactions(const std::vector<BodyState>& bodies, std::size_t rank,
                                     std::vector<Load>& of_branches,
                                     std::vector<Load>& of_closures) const {
    std::vector<double> forces;
    for (std::size_t c = 0; c < closures_.size(); ++c) {
        const double turned = state_of(bodies, closures_[c].first).angle;
        const Load& now = of_closures[c];
        if (closures_[c].mobility == Mobility::revolute) {
            const Vector parts = rotated(now.force, -turned);
            forces.insert(forces.end(), {parts[0], parts[1]});
        } else {
            forces.push_back(dot(rotated(left_of(closures_[c].axis), turned), now.force));
            forces.push_back(now.torque / length_);
        }
    }
    // Forces on the conditions that move no coordinate are left out.
    const std::vector<double> smallest = in_column_space(jacobian(bodies, false), rank, forces);
    std::vector<Load> on_bodies(branches_.size());
    for (std::size_t c = 0; c < closures_.size(); ++c) {
        const Closure& closure = closures_[c];
        const double turned = state_of(bodies, closure.first).angle;
        const double one = smallest[2 * c] - forces[2 * c];
        const double two = smallest[2 * c + 1] - forces[2 * c + 1];
        const bool turns = closure.mobility == Mobility::revolute;
        const Load added = turns
                               ? Load{rotated({one, two}, turned), 0.0}
                               : Load{one * rotated(left_of(closure.axis), turned), two * length_};
        of_closures[c].force = of_closures[c].force + added.force;
        of_closures[c].torque += added.torque;
        const Vector at = turns ? point_of(closure, closure.second, bodies)
                                : state_of(bodies, closure.second).centre;
        if (closure.second != ground) {
            on_bodies[closure.second].add(added.force, at, bodies[closure.second].centre);
            on_bodies[closure.second].torque += added.torque;
        }
        if (closure.first != ground) {
            on_bodies[closure.first].add(-added.force, at, bodies[closure.first].centre);
            on_bodies[closure.first].torque -= added.torque;
        }
    }
    // Nothing accelerates otherwise: each joint balances what was added to the bodies it carries.
    for (std::size_t b = 0; b < branches_.size(); ++b) {
        const Branch& branch = branches_[b];
        if (branch.mobility == Mobility::planar) continue;
        const Vector at = joint_point(branch, bodies);
        for (std::size_t body = 0; body < branches_.size(); ++body) {
            if (!carries_[b][body]) continue;
            of_branches[b].add(-on_bodies[body].force, bodies[body].centre, at);
            of_branches[b].torque -= on_bodies[body].torque;
        }
    }
}

}  // namespace beadwave::mechanism
