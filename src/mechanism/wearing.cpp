// The part of Dynamics for the wear of its contact points.
#include "mechanism/dynamics.hpp"
#include "mechanism/worn_bearing.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {

void Dynamics::add_rubbing_rate(std::span<double> dydt, std::size_t point, double normal_force,
                                const ContactKinematics& kinematics) const {
    for (std::size_t k = 0; k < rubbings_.size(); ++k) {
        if (rubbings_[k].point == point)
            rubbing_rate(dydt, k) = std::max(normal_force, 0.0) * kinematics.slip_speed;
    }
}

std::array<double, 2> Dynamics::contact_angles(std::size_t point,
                                               const ContactKinematics& kinematics) const {
    const std::array<std::size_t, 2>& bodies = contact_states[point].point.bodies;
    const double angle = std::atan2(-kinematics.normal[1], -kinematics.normal[0]);
    return {angle - state_of(multibody.bodies(), bodies[1]).angle,
            angle - state_of(multibody.bodies(), bodies[0]).angle};
}

RubbingMoment Dynamics::rubbing_moment(std::size_t k, double time,
                                       const ContactKinematics& kinematics,
                                       std::span<const double> y) const {
    const std::size_t point = rubbings_[k].point;
    return {.time = time,
            .sum = y[slipped_ + springs_ + contact_states.size() + k],
            .force = std::max(force(contact_states[point], kinematics), 0.0),
            .slip = kinematics.slip_speed,
            .angle = contact_angles(point, kinematics)};
}

void Dynamics::begin_rubbing(double time, const std::vector<ContactKinematics>& kinematics,
                             std::span<const double> y) {
    for (std::size_t k = 0; k < rubbings_.size(); ++k)
        rubbings_[k].rubbing.begin(rubbing_moment(k, time, kinematics[rubbings_[k].point], y));
}

void Dynamics::end_rubbing(double time, const std::vector<ContactKinematics>& kinematics,
                           std::span<const double> y) {
    for (std::size_t k = 0; k < rubbings_.size(); ++k)
        rubbings_[k].rubbing.end(rubbing_moment(k, time, kinematics[rubbings_[k].point], y));
}

void Dynamics::commit_rubbing() {
    for (RubbingPoint& each : rubbings_)
        each.rubbing.commit();
}

void Dynamics::add_rubbing(std::size_t point, const ContactKinematics& kinematics, double rubbed) {
    for (RubbingPoint& each : rubbings_) {
        if (each.point == point) each.rubbing.add(rubbed, contact_angles(point, kinematics));
    }
}

void Dynamics::add_worn(double time, std::span<const double> y, Sample& sample) const {
    for (std::size_t k = 0; k < rubbings_.size(); ++k) {
        const std::size_t point = rubbings_[k].point;
        const Rubbing& rubbing = rubbings_[k].rubbing;
        const ContactPoint& place = contact_states[point].point;
        const Contact& contact = mechanism.contacts[place.contact];
        const RubbingMoment now = rubbing_moment(k, time, place.kinematics(multibody.bodies()), y);
        ContactSample& of = sample.contact_points[point];
        of.worn = contact.wear->law.volume(rubbing.total_at(now));
        const auto depths = [&](Worn surface, const laws::Wear& law) {
            std::vector<double> all = rubbing.bins_at(surface, now);
            for (double& depth : all)
                depth = law.volume(depth) / worn_area(contact, all.size(), surface);
            return all;
        };
        of.worn_depth = depths(worn_bearing, contact.wear->law);
        if (!contact.wear->pin_hardness) continue;
        of.pin_worn = contact.wear->pin_law().volume(rubbing.total_at(now));
        of.pin_depth = depths(worn_pin, contact.wear->pin_law());
    }
}

}  // namespace beadwave::mechanism
