#include "mechanism/spot.hpp"

#include <algorithm>

namespace beadwave::mechanism {
namespace {

Vector offset_in(const Mechanism& mechanism, std::size_t body, const Vector& point) {
    return body == ground ? point : point - mechanism.bodies[body].centre;
}

class Maker {
  public:
    Maker(const Mechanism& mechanism, std::size_t contact, std::vector<Spot>& spots)
        : mechanism_(mechanism), contact_(contact), spots_(spots) {}

    void operator()(const Journal& journal) {
        Spot spot = make(Spot::Kind::journal, journal.point, journal.hole.value_or(journal.point));
        spot.reach = journal.clearance;
        spot.radius = journal.bearing_radius;
        spots_.push_back(spot);
    }

    void operator()(const Guide& guide) {
        const Vector along = direction(guide.axis), left = left_of(along);
        for (std::size_t corner = 0; corner < 4; ++corner) {
            const double side = corner < 2 ? 1.0 : -1.0, end = corner % 2 == 0 ? 1.0 : -1.0;
            const Vector middle = guide.point + 0.5 * end * guide.length * along;
            Spot spot = make(Spot::Kind::tip, middle + 0.5 * side * guide.height * left,
                             guide.point + side * (0.5 * guide.height + guide.clearance) * left);
            spot.normal = -side * left;
            spot.corner = corner;
            spots_.push_back(spot);
        }
    }

    void operator()(const Tip& tip) {
        Spot spot = make(Spot::Kind::tip, tip.point, tip.line_point);
        spot.normal = direction(tip.normal);
        spots_.push_back(spot);
    }

    void operator()(const Balls& balls) {
        Spot spot = make(Spot::Kind::balls, balls.centres[0], balls.centres[1]);
        spot.reach = balls.radii[0] + balls.radii[1];
        spot.radius = balls.radii[0];
        spots_.push_back(spot);
    }

  private:
    Spot make(Spot::Kind kind, const Vector& first, const Vector& second) const {
        const auto bodies = mechanism_.contacts[contact_].bodies;
        return {.kind = kind,
                .contact = contact_,
                .bodies = bodies,
                .points = {offset_in(mechanism_, bodies[0], first),
                           offset_in(mechanism_, bodies[1], second)}};
    }

    const Mechanism& mechanism_;
    std::size_t contact_;
    std::vector<Spot>& spots_;
};

}  // namespace

Nearness Spot::nearness(const std::vector<BodyMotion>& bodies_now) const {
    const BodyMotion& a = motion_of(bodies_now, bodies[0]);
    const BodyMotion& b = motion_of(bodies_now, bodies[1]);
    const Vector first = a.at(points[0]), second = b.at(points[1]);
    const Vector between = first - second;
    Nearness now{};
    if (kind == Kind::tip) {
        now.normal = turned(normal, b.angle);
        now.overlap = -dot(between, now.normal);
        now.place = first;
    } else {
        // A pin at the hole's centre has no direction; it touches nothing, so that any will do.
        const double distance = length(between);
        const Vector outward = distance > 0.0 ? (1.0 / distance) * between : Vector{1.0, 0.0};
        if (kind == Kind::journal) {
            now.normal = -outward;
            now.overlap = distance - reach;
            now.place = second + (radius + 0.5 * std::max(now.overlap, 0.0)) * outward;
            now.offset = between;
        } else {
            now.normal = outward;
            now.overlap = reach - distance;
            now.place = first - (radius - 0.5 * std::max(now.overlap, 0.0)) * outward;
        }
    }
    now.overlap -= slack;
    const Vector relative = a.velocity_at(now.place) - b.velocity_at(now.place);
    now.approach = -dot(relative, now.normal);
    now.slip = dot(relative, left_of(now.normal));
    return now;
}

double Spot::approach_rate(const std::vector<BodyMotion>& bodies_now) const {
    const BodyMotion& a = motion_of(bodies_now, bodies[0]);
    const BodyMotion& b = motion_of(bodies_now, bodies[1]);
    const Vector first = a.at(points[0]), second = b.at(points[1]);
    const Vector between = first - second;
    const Vector relative = a.velocity_at(first) - b.velocity_at(second);
    const Vector rate = a.acceleration_at(first) - b.acceleration_at(second);
    if (kind == Kind::tip) {  // the normal turns with the second body
        const Vector outward = turned(normal, b.angle), aside = left_of(outward);
        return -dot(rate, outward) - 2.0 * b.spin * dot(relative, aside) -
               b.spin_acceleration * dot(between, aside) + b.spin * b.spin * dot(between, outward);
    }
    const double distance = length(between);
    const double along = dot(between, relative) / distance;
    const double distance_rate =
        (dot(relative, relative) - along * along + dot(between, rate)) / distance;
    return kind == Kind::journal ? distance_rate : -distance_rate;
}

std::vector<Spot> spots_of(const Mechanism& mechanism) {
    std::vector<Spot> spots;
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i)
        std::visit(Maker(mechanism, i, spots), mechanism.contacts[i].geometry);
    const double size = size_of(mechanism, spots);
    for (Spot& spot : spots)
        spot.slack = 1e-14 * size;
    return spots;
}

double size_of(const Mechanism& mechanism, const std::vector<Spot>& spots) {
    std::vector<Vector> points;
    for (const Body& body : mechanism.bodies)
        points.push_back(body.centre);
    for (const Joint& joint : mechanism.joints) {
        if (joint.kind == JointKind::revolute) points.push_back(joint.point);
    }
    for (const Spot& spot : spots) {
        for (const std::size_t k : {0, 1}) {
            const std::size_t body = spot.bodies[k];
            points.push_back(body == ground ? spot.points[k]
                                            : mechanism.bodies[body].centre + spot.points[k]);
        }
    }
    double largest = 0.0;
    for (const Vector& a : points) {
        for (const Vector& b : points)
            largest = std::max(largest, length(a - b));
    }
    return largest > 0.0 ? largest : 1.0;
}

}  // namespace beadwave::mechanism
