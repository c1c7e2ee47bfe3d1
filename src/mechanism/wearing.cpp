// The part of Dynamics for the wear of its contact points.
#include "mechanism/dynamics.hpp"
#include "mechanism/worn_bearing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>

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

std::vector<double> Dynamics::worn_depths(const RubbingPoint& of, Worn surface,
                                          std::vector<double> rubbed) const {
    const Contact& contact = mechanism.contacts[contact_states[of.point].point.contact];
    if (rubbed.empty()) return rubbed;
    const laws::Wear law = surface == worn_pin ? contact.wear->pin_law() : contact.wear->law;
    const double area = worn_area(contact, rubbed.size(), surface);
    for (double& depth : rubbed)
        depth = law.volume(depth) / area;
    return rubbed;
}

bool Dynamics::update_worn_bearings() {
    if (mechanism.wear_update_depth == 0.0) return false;
    bool changed = false;
    for (const RubbingPoint& each : rubbings_) {
        std::vector<double> depth =
            worn_depths(each, worn_bearing, each.rubbing.rubbed(worn_bearing));
        std::shared_ptr<const WornProfile>& worn = contact_states[each.point].point.worn;
        double more = 0.0;
        for (std::size_t k = 0; k < depth.size(); ++k)
            more = std::max(more, depth[k] - (worn != nullptr ? worn->depth()[k] : 0.0));
        if (more < mechanism.wear_update_depth) continue;
        worn = std::make_shared<const WornProfile>(std::move(depth));
        changed = true;
        ++wear_updates_;
    }
    return changed;
}

double Dynamics::longest_worn_step() const {
    double longest = std::numeric_limits<double>::infinity();
    if (mechanism.wear_update_depth == 0.0) return longest;
    for (const RubbingPoint& each : rubbings_) {
        const RubbingMoment& now = each.rubbing.begun();
        const double power = now.force * std::abs(now.slip);
        const std::size_t bins = each.rubbing.bins(worn_bearing);
        if (bins == 0 || !(power > 0.0)) continue;
        const ContactPoint& point = contact_states[each.point].point;
        const Contact& contact = mechanism.contacts[point.contact];
        // While one part has all of the wear.
        const double step = mechanism.wear_update_depth * worn_area(contact, bins) /
                            contact.wear->law.volume(power);
        const BodyState& a = state_of(multibody.bodies(), point.bodies[0]);
        const BodyState& b = state_of(multibody.bodies(), point.bodies[1]);
        const Vector from = a.at(point.anchors[0]) - b.at(point.anchors[1]);
        const Vector moving =
            a.velocity_at(a.at(point.anchors[0])) - b.velocity_at(b.at(point.anchors[1]));
        const double turning = cross(from, moving) / dot(from, from) - b.angular_velocity;
        const double part = 2.0 * std::numbers::pi / static_cast<double>(bins);
        // Where the contact leaves a part before, the part grows by less.
        if (!(std::abs(turning) * step > part)) longest = std::min(longest, step);
    }
    return longest;
}

void Dynamics::serialize_worn(Archive& archive, const RubbingPoint& of) {
    std::shared_ptr<const WornProfile>& worn = contact_states[of.point].point.worn;
    bool is_worn = worn != nullptr;
    archive(is_worn);
    if (!is_worn) return worn.reset();
    std::vector<double> depth =
        worn != nullptr ? worn->depth() : std::vector<double>(of.rubbing.bins(worn_bearing));
    for (double& each : depth) {
        archive(each);
        if (!(each >= 0.0)) throw std::length_error("the saved state is damaged");
    }
    if (depth.empty()) throw std::length_error("the saved state is damaged");
    worn = std::make_shared<const WornProfile>(std::move(depth));
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
        const auto depths = [&](Worn surface) {
            return worn_depths(rubbings_[k], surface, rubbing.bins_at(surface, now));
        };
        of.worn_depth = depths(worn_bearing);
        if (!contact.wear->pin_hardness) continue;
        of.pin_worn = contact.wear->pin_law().volume(rubbing.total_at(now));
        of.pin_depth = depths(worn_pin);
    }
}

}  // namespace beadwave::mechanism
