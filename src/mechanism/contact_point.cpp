#include "mechanism/contact_point.hpp"

#include <algorithm>

namespace beadwave::mechanism {
namespace {

Vector offset_in(const Mechanism& mechanism, std::size_t body, const Vector& point) {
    return body == ground ? point : point - mechanism.bodies[body].centre;
}

class PointBuilder {
  public:
    PointBuilder(const Mechanism& mechanism, std::size_t contact, std::vector<ContactPoint>& points)
        : mechanism_(mechanism), contact_(contact), points_(points) {}

    void operator()(const Journal& journal) {
        ContactPoint point = make(ContactPoint::Kind::journal, journal.point,
                                  journal.bearing_centre.value_or(journal.point));
        point.contact_distance = journal.clearance;
        point.radius = journal.bearing_radius;
        points_.push_back(point);
    }

    void operator()(const Prismatic& guide) {
        const Vector along = unit_vector(guide.axis), left = left_of(along);
        for (std::size_t corner = 0; corner < 4; ++corner) {
            const double side = corner < 2 ? 1.0 : -1.0, end = corner % 2 == 0 ? 1.0 : -1.0;
            const Vector middle = guide.point + 0.5 * end * guide.length * along;
            ContactPoint point =
                make(ContactPoint::Kind::point_line, middle + 0.5 * side * guide.height * left,
                     guide.point + side * (0.5 * guide.height + guide.clearance) * left);
            point.normal = -side * left;
            point.corner = corner;
            points_.push_back(point);
        }
    }

    void operator()(const PointLine& tip) {
        ContactPoint point = make(ContactPoint::Kind::point_line, tip.point, tip.line_point);
        point.normal = unit_vector(tip.normal);
        points_.push_back(point);
    }

    void operator()(const SphereSphere& balls) {
        ContactPoint point =
            make(ContactPoint::Kind::sphere_sphere, balls.centres[0], balls.centres[1]);
        point.contact_distance = balls.radii[0] + balls.radii[1];
        point.radius = balls.radii[0];
        points_.push_back(point);
    }

  private:
    ContactPoint make(ContactPoint::Kind kind, const Vector& first, const Vector& second) const {
        const auto bodies = mechanism_.contacts[contact_].bodies;
        return {.kind = kind,
                .contact = contact_,
                .bodies = bodies,
                .anchors = {offset_in(mechanism_, bodies[0], first),
                            offset_in(mechanism_, bodies[1], second)}};
    }

    const Mechanism& mechanism_;
    std::size_t contact_;
    std::vector<ContactPoint>& points_;
};

}  // namespace

ContactKinematics ContactPoint::kinematics(const std::vector<BodyState>& bodies_now) const {
    const BodyState& a = state_of(bodies_now, bodies[0]);
    const BodyState& b = state_of(bodies_now, bodies[1]);
    const Vector first = a.at(anchors[0]), second = b.at(anchors[1]);
    const Vector between = first - second;
    ContactKinematics now{};
    if (kind == Kind::point_line) {
        now.normal = rotated(normal, b.angle);
        now.overlap = -dot(between, now.normal);
        now.position = first;
    } else {
        // A pin at the centre of the bearing has no direction. It touches nothing: any direction is
        // right.
        const double distance = length(between);
        const Vector outward = distance > 0.0 ? (1.0 / distance) * between : Vector{1.0, 0.0};
        if (kind == Kind::journal) {
            now.normal = -outward;
            now.overlap = distance - contact_distance;
            now.position = second + (radius + 0.5 * std::max(now.overlap, 0.0)) * outward;
            now.journal_displacement = between;
        } else {
            now.normal = outward;
            now.overlap = contact_distance - distance;
            now.position = first - (radius - 0.5 * std::max(now.overlap, 0.0)) * outward;
        }
    }
    now.overlap -= tolerance;
    const Vector relative = a.velocity_at(now.position) - b.velocity_at(now.position);
    now.approach_speed = -dot(relative, now.normal);
    now.slip_speed = dot(relative, left_of(now.normal));
    return now;
}

double ContactPoint::approach_acceleration(const std::vector<BodyState>& bodies_now) const {
    const BodyState& a = state_of(bodies_now, bodies[0]);
    const BodyState& b = state_of(bodies_now, bodies[1]);
    const Vector first = a.at(anchors[0]), second = b.at(anchors[1]);
    const Vector between = first - second;
    const Vector relative = a.velocity_at(first) - b.velocity_at(second);
    const Vector rate = a.acceleration_at(first) - b.acceleration_at(second);
    if (kind == Kind::point_line) {  // the normal turns with the second body
        const Vector outward = rotated(normal, b.angle), aside = left_of(outward);
        return -dot(rate, outward) - 2.0 * b.angular_velocity * dot(relative, aside) -
               b.angular_acceleration * dot(between, aside) +
               b.angular_velocity * b.angular_velocity * dot(between, outward);
    }
    const double distance = length(between);
    const double along = dot(between, relative) / distance;
    const double distance_rate =
        (dot(relative, relative) - along * along + dot(between, rate)) / distance;
    return kind == Kind::journal ? distance_rate : -distance_rate;
}

std::vector<ContactPoint> contact_points_of(const Mechanism& mechanism) {
    std::vector<ContactPoint> points;
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i)
        std::visit(PointBuilder(mechanism, i, points), mechanism.contacts[i].geometry);
    const double size = size_of(mechanism, points);
    for (ContactPoint& point : points)
        point.tolerance = 1e-14 * size;
    return points;
}

double size_of(const Mechanism& mechanism, const std::vector<ContactPoint>& points) {
    std::vector<Vector> places;
    for (const Body& body : mechanism.bodies)
        places.push_back(body.centre);
    for (const Joint& joint : mechanism.joints) {
        if (joint.kind == JointKind::revolute) places.push_back(joint.point);
    }
    for (const ContactPoint& point : points) {
        for (const std::size_t k : {0, 1}) {
            const std::size_t body = point.bodies[k];
            places.push_back(body == ground ? point.anchors[k]
                                            : mechanism.bodies[body].centre + point.anchors[k]);
        }
    }
    double largest = 0.0;
    for (const Vector& a : places) {
        for (const Vector& b : places)
            largest = std::max(largest, length(a - b));
    }
    return largest > 0.0 ? largest : 1.0;
}

}  // namespace beadwave::mechanism
