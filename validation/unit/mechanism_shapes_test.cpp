#include "largest.hpp"
#include "mechanism/contact_point.hpp"
#include "random_shapes.hpp"
#include "relative.hpp"
#include "sampled_shapes.hpp"

#include <numbers>

namespace beadwave::validation::mechanism_shapes_test {
namespace {

using namespace mechanism;
namespace shapes = mechanism::shapes;
using shapes::Shape;
using validation::RandomShapes;

double overlap_of(const std::vector<std::shared_ptr<const shapes::Place>>& places,
                  const BodyState& first, const BodyState& second) {
    Largest largest;
    for (const auto& place : places) {
        const auto found = place->nearest(shapes::Pose(first), shapes::Pose(second));
        largest.enter(found.overlap);
    }
    return largest;
}

bool can_touch(const Shape& first, const Shape& second) {
    try {
        shapes::check(first, second);
    } catch (const ArgumentError&) {
        return false;
    }
    return true;
}

constexpr std::size_t kinds = std::variant_size_v<Shape>, arc = 1;

/// Moves the second body towards the first until the overlap is `wanted`.
void bring_together(const std::vector<std::shared_ptr<const shapes::Place>>& places,
                    const BodyState& first, BodyState& second, double wanted) {
    const Vector way = unit_vector(second.centre - first.centre);
    double near = 0.0, far = 10.0;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = 0.5 * (near + far);
        second.centre = first.centre + middle * way;
        (overlap_of(places, first, second) > wanted ? near : far) = middle;
    }
}

TEST_CASE("the overlap of any two convex shapes is that of their sampled outlines") {
    RandomShapes random(1);
    int compared = 0;
    for (std::size_t a = 0; a < kinds; ++a) {
        for (std::size_t b = 0; b < kinds; ++b) {
            for (const double wanted : {-0.3, -1e-3, 1e-4, 0.015}) {
                if (a == arc || b == arc) continue;
                CAPTURE(a);
                CAPTURE(b);
                CAPTURE(wanted);
                const Shape first = random.shape(a), second = random.shape(b);
                if (!can_touch(first, second)) continue;
                const auto places = shapes::places_of(first, second);
                BodyState one = random.pose(1.0), two = random.pose(3.0);
                bring_together(places, one, two, wanted);
                const auto placed = [](const Shape& shape, const BodyState& body) {
                    return [outline = validation::outline_function(shape), body](double s) {
                        return body.at(outline(s));
                    };
                };
                CHECK_ABSOLUTE(overlap_of(places, one, two),
                               validation::sampled_overlap(placed(first, one), placed(second, two)),
                               1e-9);
                ++compared;
            }
        }
    }
    CHECK(compared >= 90);
}

TEST_CASE("ten thousand random pairs touch exactly where their sampled outlines do") {
    RandomShapes random(2);
    int touching = 0, apart = 0, close = 0, crossing = 0, wrong = 0;
    for (int pair = 0; pair < 10'000;) {
        const auto kind = [&] { return static_cast<std::size_t>(random.number(0.0, kinds)); };
        const Shape first = random.shape(kind()), second = random.shape(kind());
        if (!can_touch(first, second)) continue;
        ++pair;
        const bool socket = first.index() == arc || second.index() == arc;
        const BodyState one = random.pose(1.0), two = random.pose(socket ? 6.0 : 1.8);
        const double overlap = overlap_of(shapes::places_of(first, second), one, two);
        const auto inside = [&](const Shape& a, const BodyState& of_a, const Shape& b,
                                const BodyState& of_b) {
            const auto contains = validation::contains_function(b);
            for (const Vector& p : validation::sampled(validation::outline_function(a), 500)) {
                const Vector at = rotated(of_a.at(p) - of_b.centre, -of_b.angle);
                if (contains(at)) return true;
            }
            return false;
        };
        const bool touches = inside(first, one, second, two) || inside(second, two, first, one);
        // Straight sides that cross overlap by more than the radii of the corners: no contact can.
        const auto core = [](const Shape& shape, const BodyState& body) {
            std::vector<Vector> line = validation::core_line(shape);
            for (Vector& p : line)
                p = body.at(p);
            return line;
        };
        const bool crosses = validation::lines_cross(core(first, one), core(second, two));
        if (crosses || std::abs(overlap) < 1e-3) {
            ++(crosses ? crossing : close);
            continue;
        }
        (touches ? touching : apart) += 1;
        if (touches == (overlap > 0.0)) continue;
        ++wrong;
        MESSAGE(first.index() << " on " << second.index() << ": overlap " << overlap
                              << ", sampled outlines touch: " << touches);
    }
    CHECK(wrong == 0);
    CHECK(touching > 1500);
    CHECK(apart > 1500);
    CHECK(close < 100);
    CHECK(crossing < 1500);
    MESSAGE(touching << " touch, " << apart << " are apart, " << close << " closer than 1e-3, "
                     << crossing << " cross");
}

/// A body that moves with constant accelerations, at this time.
BodyState moved_on(const BodyState& body, double time) {
    BodyState at = body;
    at.centre = body.centre + time * body.velocity + (0.5 * time * time) * body.acceleration;
    at.velocity = body.velocity + time * body.acceleration;
    at.angle += time * body.angular_velocity + 0.5 * time * time * body.angular_acceleration;
    at.angular_velocity += time * body.angular_acceleration;
    return at;
}

TEST_CASE("approach speed and acceleration of shapes are the derivatives of their overlap") {
    RandomShapes random(3);
    int compared = 0;
    for (std::size_t a = 0; a < kinds; ++a) {
        for (std::size_t b = 0; b < kinds; ++b) {
            CAPTURE(a);
            CAPTURE(b);
            const Shape first = random.shape(a), second = random.shape(b);
            if (!can_touch(first, second)) continue;
            Mechanism made;
            made.bodies = {{.name = "one"}, {.name = "two"}};
            made.contacts = {{.name = "pair", .bodies = {0, 1}, .geometry = Shapes{first, second}}};
            std::vector<BodyState> bodies{random.pose(1.0), random.pose(3.0)};
            if (a != arc && b != arc) {
                bring_together(shapes::places_of(first, second), bodies[0], bodies[1], 1e-3);
            }
            for (BodyState& body : bodies) {
                body.velocity = random.point(1.0);
                body.acceleration = random.point(1.0);
                body.angular_velocity = random.number(-1.0, 1.0);
                body.angular_acceleration = random.number(-1.0, 1.0);
            }
            constexpr double step = 1e-4;
            for (const ContactPoint& point : contact_points_of(made)) {
                const auto at = [&](double time) {
                    return point.kinematics({moved_on(bodies[0], time), moved_on(bodies[1], time)});
                };
                const double before = at(-step).overlap, now = at(0.0).overlap,
                             after = at(step).overlap;
                // Where a corner begins to touch another part, the overlap has a bend.
                if (std::abs(at(-step).approach_speed - at(step).approach_speed) > 100.0 * step)
                    continue;
                const double speed = at(0.0).approach_speed;
                // Points that belong to another place for now show their gap.
                if (std::abs((after - before) / (2.0 * step) + speed) < 1e-6) continue;
                CHECK_ABSOLUTE((after - before) / (2.0 * step), speed, 1e-6);
                CHECK_ABSOLUTE((after - 2.0 * now + before) / (step * step),
                               point.approach_acceleration(bodies), 2e-4);
                ++compared;
            }
        }
    }
    CHECK(compared >= 60);
}

TEST_CASE("the radii of curvature at a contact are those of the outlines") {
    // An ellipse on its flat side, on its end, and a hollow.
    const auto radii = [](const Shape& first, const Shape& second, const Vector& shift) {
        BodyState one, two;
        two.centre = shift;
        return shapes::places_of(first, second)
            .at(0)
            ->nearest(shapes::Pose(one), shapes::Pose(two))
            .radii;
    };
    const shapes::Ellipse ellipse{.centre = {}, .semi_axes = {2.0, 1.0}};
    const shapes::Segment floor{.from = {-5.0, 0.0}, .to = {5.0, 0.0}};
    auto found = radii(ellipse, floor, {0.0, -1.0});
    CHECK_RELATIVE(found[0], 4.0, 1e-12);
    CHECK(std::isinf(found[1]));
    found = radii(ellipse, shapes::Circle{.centre = {}, .radius = 0.3}, {2.3, 0.0});
    CHECK_RELATIVE(found[0], 0.5, 1e-12);
    CHECK_RELATIVE(found[1], 0.3, 1e-12);
    const shapes::Arc bowl{.centre = {},
                           .radius = 5.0,
                           .from_angle = 2.0,
                           .to_angle = 8.0,
                           .side = shapes::Arc::Side::inside};
    found = radii(bowl, ellipse, {3.0, 0.0});
    CHECK_RELATIVE(found[0], -5.0, 1e-12);
    CHECK_RELATIVE(found[1], 0.5, 1e-9);
    // A sharp end counts as round as what it touches; next to a straight side, as its corners.
    const shapes::Polygon square{{{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}, 0.25};
    const auto places = shapes::places_of(square, floor);
    const auto of_end =
        places.back()->stiffness_radii({std::numeric_limits<double>::infinity(), 0.0});
    CHECK(of_end[1] == 0.25);
    CHECK(places.back()->stiffness_radii({0.25, 0.0})[1] == 0.25);
}

TEST_CASE("a convex arc touches as its circle does, between its ends only") {
    RandomShapes random(4);
    int within = 0, beyond = 0;
    for (const std::size_t kind : {0, 2, 3, 4, 5}) {
        for (int pose = 0; pose < 60; ++pose) {
            const Shape other = random.shape(kind);
            const double from = random.number(-4.0, 4.0), width = random.number(0.5, 5.0);
            const Shape round = shapes::Circle{{0.1, 0.2}, 0.7};
            const Shape part = shapes::Arc{{0.1, 0.2}, 0.7, from, from + width};
            BodyState one = random.pose(1.0), two = random.pose(3.0);
            bring_together(shapes::places_of(round, other), one, two, 1e-3);
            const shapes::Pose a(one), b(two);
            const auto whole = shapes::places_of(round, other).at(0)->nearest(a, b);
            const auto found = shapes::places_of(part, other).at(0)->nearest(a, b);
            // The direction of the contact in the frame of the arc, counted from its first end.
            const Vector outward = rotated(-whole.normal, -one.angle);
            const double angle = std::remainder(
                std::atan2(outward[1], outward[0]) - from - 0.5 * width, 2.0 * std::numbers::pi);
            const bool touches = std::abs(angle) < 0.5 * width;
            (touches ? within : beyond) += 1;
            CHECK_ABSOLUTE(found.overlap, touches ? whole.overlap : -std::abs(whole.overlap),
                           1e-15);
            // In the other order.
            const auto reversed = shapes::places_of(other, part).at(0)->nearest(b, a);
            CHECK_ABSOLUTE(reversed.overlap, found.overlap, 1e-15);
        }
    }
    CHECK(within > 50);
    CHECK(beyond > 50);
}

TEST_CASE("a closed curve through points of an ellipse is the ellipse, to fourth order") {
    double last = 0.0;
    for (const int points : {40, 80, 160}) {
        std::vector<Vector> given;
        for (int k = 0; k < points; ++k) {
            const double t = 2.0 * std::numbers::pi * (k + 0.2 * std::sin(k)) / points;
            given.push_back({2.0 * std::cos(t), std::sin(t)});
        }
        const auto curve = shapes::make_spline(given);
        Largest worst;
        for (const auto& sample : curve->samples()) {
            worst.enter(std::abs(std::hypot(sample.position[0] / 2.0, sample.position[1]) - 1.0));
        }
        if (last > 0.0) CHECK(worst < last / 10.0);
        last = worst;
    }
    CHECK(last < 1e-6);
}

TEST_CASE("shapes that cannot be are refused with one sentence") {
    const auto message = [](auto&&... shape) -> std::string {
        try {
            shapes::check(shape...);
        } catch (const ArgumentError& error) {
            return error.what();
        }
        return "";
    };
    const Shape circle = shapes::Circle{{}, 0.2}, floor = shapes::Segment{{-1.0, 0.0}, {1.0, 0.0}};
    const Shape bowl = shapes::Arc{{}, 0.1, 0.0, 3.0, shapes::Arc::Side::inside};
    CHECK(message(Shape(shapes::Circle{{}, -1.0})) == "radius is -1; give a number above 0, in m");
    CHECK(message(Shape(shapes::Arc{{}, 1.0, 1.0, 0.5})) ==
          "to_angle must be above from_angle, by 2 pi at most; it is -0.5 rad above it");
    CHECK(message(Shape(shapes::Segment{{1.0, 1.0}, {1.0, 1.0}})) ==
          "from and to are the same point");
    CHECK(message(Shape(shapes::Polygon{{{0.0, 0.0}, {1.0, 0.0}}, 0.1})) ==
          "a polygon needs three corners or more, not 2");
    CHECK(message(Shape(shapes::Polygon{{{0., 0.}, {1., 0.}, {0.2, 0.2}, {0., 1.}}, 0.01})) ==
          "the polygon is not convex at corner 2; use several convex ones");
    CHECK(message(Shape(shapes::Polygon{{{0., 0.}, {1., 0.}, {1., 1.}, {0., 1.}}, 0.6})) ==
          "corner_radius is 0.6 m; the arcs of corners 0 and 1 leave nothing of the side between "
          "them");
    CHECK(message(Shape(shapes::ClosedCurve{{{0., 0.}, {1., 0.}, {0., 1.}, {0., 0.}}})) ==
          "the last point repeats the first; leave it out");
    CHECK(message(Shape(shapes::ClosedCurve{{{0., 0.}, {1., 1.}, {1., 0.}, {0., 1.}}})) ==
          "the curve crosses itself, or its points are not in order");
    CHECK(message(floor, floor) ==
          "two segments without end_radius cannot touch; give one of them an end_radius");
    CHECK(message(floor, bowl) ==
          "a segment without end_radius cannot touch an arc from inside; give it an end_radius");
    CHECK(message(bowl, circle) ==
          "the other shape does not fit into the arc: its largest radius of curvature, 0.2 m, must "
          "be smaller than 0.1 m");
    CHECK(message(bowl, bowl) == "two arcs that are touched from inside cannot touch each other");
    // A cam with hollows: a roller fits, a flat follower does not.
    shapes::ClosedCurve cam;
    for (int k = 0; k < 600; ++k) {
        const double t = 2.0 * std::numbers::pi * k / 600.0, r = 1.0 + 0.2 * std::cos(3.0 * t);
        cam.points.push_back({r * std::cos(t), r * std::sin(t)});
    }
    CHECK(message(Shape(cam), circle).empty());
    CHECK(message(Shape(cam), floor).starts_with("the closed curve has a hollow of radius 0.64 m"));
    CHECK(message(Shape(cam), Shape(shapes::Circle{{}, 2.0}))
              .starts_with("the other shape does not fit into a hollow of the closed curve"));
}

}  // namespace
}  // namespace beadwave::validation::mechanism_shapes_test
