#include "mechanism/contact_point.hpp"

#include <algorithm>
#include <limits>

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
        add_shapes(shapes::Circle{balls.centres[0], balls.radii[0]},
                   shapes::Circle{balls.centres[1], balls.radii[1]});
        points_.back().reaches = {};  // the size of the mechanism counts their centres
    }

    void operator()(const Shapes& pair) { add_shapes(pair.first, pair.second); }

  private:
    void add_shapes(const shapes::Shape& first, const shapes::Shape& second) {
        const auto& bodies = mechanism_.contacts[contact_].bodies;
        const auto own = [&](const shapes::Shape& shape, std::size_t body) {
            return body == ground ? shape : shapes::moved(shape, -mechanism_.bodies[body].centre);
        };
        const shapes::Extent a = shapes::extent_of(first), b = shapes::extent_of(second);
        std::size_t number = 0;
        for (const auto& place : shapes::places_of(own(first, bodies[0]), own(second, bodies[1]))) {
            ContactPoint point = make(ContactPoint::Kind::shapes, a.centre, b.centre);
            point.place = place;
            point.reaches = {a.reach, b.reach};
            point.corner = number++;
            points_.push_back(point);
        }
    }

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
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const BodyState& a = state_of(bodies_now, bodies[0]);
    const BodyState& b = state_of(bodies_now, bodies[1]);
    ContactKinematics now{};
    if (kind == Kind::shapes) {
        const shapes::Nearest found = place->nearest(shapes::Pose(a), shapes::Pose(b));
        now.normal = found.normal;
        now.overlap = found.overlap;
        now.first = found.first;
        now.position = found.first + 0.5 * std::max(found.overlap, 0.0) * found.normal;
        now.curvature_radii = found.radii;
    } else {
        const Vector first = a.at(anchors[0]), second = b.at(anchors[1]);
        const Vector between = first - second;
        if (kind == Kind::point_line) {
            now.normal = rotated(normal, b.angle);
            now.overlap = -dot(between, now.normal);
            now.position = now.first = first;
            now.curvature_radii = {0.0, infinity};
        } else if (worn != nullptr && length(between) > 0.0) {
            const WornProfile::Touch touch = worn->nearest(rotated(between, -b.angle));
            const Vector outward =
                rotated(Vector{std::cos(touch.angle), std::sin(touch.angle)}, b.angle);
            const double pin = radius - contact_distance;
            now.normal = -outward;
            now.overlap = touch.reach - contact_distance;
            now.position = first + (pin - 0.5 * std::max(now.overlap, 0.0)) * outward;
            now.journal_displacement = between;
            now.first = first + pin * outward;
            now.curvature_radii = {pin, -radius};
        } else {
            // A pin at the centre of the bearing has no direction. It touches nothing: any
            // direction is right.
            const double distance = length(between);
            const Vector outward = distance > 0.0 ? (1.0 / distance) * between : Vector{1.0, 0.0};
            now.normal = -outward;
            now.overlap = distance - contact_distance;
            now.position = second + (radius + 0.5 * std::max(now.overlap, 0.0)) * outward;
            now.journal_displacement = between;
            now.first = first + (radius - contact_distance) * outward;
            now.curvature_radii = {radius - contact_distance, -radius};
        }
    }
    now.overlap -= tolerance;
    const Vector relative = a.velocity_at(now.position) - b.velocity_at(now.position);
    now.approach_speed = -dot(relative, now.normal);
    now.slip_speed = dot(relative, left_of(now.normal));
    return now;
}

/// Near the contact the outlines are circles with their centres of curvature, which are fixed in
/// the bodies: the gap is the distance of the centres minus both radii. The formula is arranged so
/// that the second radius may be infinite.
double ContactPoint::approach_acceleration(const std::vector<BodyState>& bodies_now) const {
    const ContactKinematics now = kinematics(bodies_now);
    const bool swapped = std::abs(now.curvature_radii[0]) > std::abs(now.curvature_radii[1]);
    const BodyState& a = state_of(bodies_now, bodies[swapped ? 1 : 0]);
    const BodyState& b = state_of(bodies_now, bodies[swapped ? 0 : 1]);
    const double radius_a = now.curvature_radii[swapped ? 1 : 0];
    const double radius_b = now.curvature_radii[swapped ? 0 : 1];
    const double gap = -(now.overlap + tolerance);
    const Vector second = now.first - gap * now.normal;
    const Vector outward = swapped ? -now.normal : now.normal, aside = left_of(outward);
    const Vector& at_a = swapped ? second : now.first;
    const Vector& at_b = swapped ? now.first : second;
    const Vector relative = a.velocity_at(at_a) - b.velocity_at(at_b);
    const Vector rate = a.acceleration_at(at_a) - b.acceleration_at(at_b);
    // How fast the centre of curvature of the first passes, seen from the second.
    const double passing = dot(relative, aside) +
                           (a.angular_velocity - b.angular_velocity) * radius_a -
                           b.angular_velocity * gap;
    const double gap_acceleration =
        dot(rate, outward) - a.angular_velocity * a.angular_velocity * radius_a +
        passing * passing / (radius_a + radius_b + gap) + 2.0 * passing * b.angular_velocity +
        b.angular_velocity * b.angular_velocity * (radius_a + gap);
    return -gap_acceleration;
}

double ContactPoint::slip_acceleration(const std::vector<BodyState>& bodies_now) const {
    const ContactKinematics now = kinematics(bodies_now);
    return dot(state_of(bodies_now, bodies[0]).acceleration_at(now.position) -
                   state_of(bodies_now, bodies[1]).acceleration_at(now.position),
               left_of(now.normal));
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
            const Vector anchor = body == ground ? point.anchors[k]
                                                 : mechanism.bodies[body].centre + point.anchors[k];
            places.push_back(anchor);
            if (point.reaches[k] == 0.0) continue;
            places.push_back(anchor + Vector{point.reaches[k], 0.0});
            places.push_back(anchor - Vector{point.reaches[k], 0.0});
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
