#include "largest.hpp"
#include "mechanism/contact_point.hpp"
#include "mechanism/simulate.hpp"
#include "random_shapes.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <functional>
#include <numbers>

namespace beadwave::validation::mechanism_shapes_test {
namespace {

using namespace mechanism;
namespace shapes = mechanism::shapes;

constexpr double pi = std::numbers::pi, g = 9.81;

const laws::Elasticity steel{.youngs_modulus = 207e9, .poisson_ratio = 0.3};

Contact contact(std::array<std::size_t, 2> bodies, shapes::Shape first, shapes::Shape second,
                std::variant<laws::Settings, Impulse> law) {
    return {.name = "contact",
            .bodies = bodies,
            .geometry = Shapes{std::move(first), std::move(second)},
            .materials = Materials{{steel, steel}},
            .law = std::move(law)};
}

laws::Settings hertz() {
    return validation::law_settings("hertz");
}

TEST_CASE("a disc that slides in an arc swings as a pendulum does") {
    constexpr double r = 0.1, R = 0.6, arm = R - r, first_angle = 1.0;
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "disc",
                    .mass = 2.0,
                    .inertia = 0.01,
                    .centre = {arm * std::sin(first_angle), -arm * std::cos(first_angle)}}};
    const shapes::Arc bowl{.centre = {},
                           .radius = R,
                           .from_angle = -pi,
                           .to_angle = 0.0,
                           .side = shapes::Arc::Side::inside};
    made.contacts = {
        contact({0, ground}, shapes::Circle{made.bodies[0].centre, r}, bowl, Impulse{0.0})};
    made.accuracy = 1e-11;
    // From one side to the other: half of 4 sqrt(l/g) K(sin(angle/2)).
    made.end = 2.0 * std::sqrt(arm / g) * std::comp_ellint_1(std::sin(0.5 * first_angle));
    const Result result = simulate(made);
    REQUIRE(result.contact_points[0].impacts.size() == 1);
    CHECK(std::isnan(result.contact_points[0].impacts[0].end));  // it never leaves the bowl
    CHECK_ABSOLUTE(result.last.bodies[0].centre[0], -made.bodies[0].centre[0], 1e-8);
    CHECK_ABSOLUTE(result.last.bodies[0].centre[1], made.bodies[0].centre[1], 1e-8);
    // At the lowest point it weighs 3 - 2 cos(first angle) times its weight.
    made.end *= 0.5;
    CHECK_RELATIVE(simulate(made).last.contact_points[0].force,
                   2.0 * g * (3.0 - 2.0 * std::cos(first_angle)), 1e-8);
}

TEST_CASE("an ellipse on a smooth floor rocks with the energy of its height") {
    constexpr double a = 0.3, b = 0.2, mass = 1.5, inertia = 0.04, first_angle = 0.9;
    // Half its height when it is turned by this angle, and the derivative.
    const auto height = [](double angle) {
        return std::hypot(a * std::sin(angle), b * std::cos(angle));
    };
    const auto slope = [&](double angle) {
        return (a * a - b * b) * std::sin(angle) * std::cos(angle) / height(angle);
    };
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "ellipse",
                    .mass = mass,
                    .inertia = inertia,
                    .centre = {0.1, height(first_angle)}}};
    const shapes::Ellipse outline{made.bodies[0].centre, {a, b}, first_angle};
    const shapes::Segment floor{{-2.0, 0.0}, {2.0, 0.0}};
    made.contacts = {contact({0, ground}, outline, floor, Impulse{0.0})};
    made.accuracy = 1e-11;
    made.end = 2.0;
    made.interval = 0.01;
    int swings = 0;
    double last_angle = first_angle;
    const auto look = [&](const Sample& sample) {
        const BodyState& body = sample.bodies[0];
        const double angle = body.angle + first_angle;
        CHECK_ABSOLUTE(body.centre[0], 0.1, 1e-9);
        CHECK_ABSOLUTE(body.centre[1], height(angle), 1e-9);
        const double speed =
            std::sqrt(std::max(0.0, 2.0 * mass * g * (height(first_angle) - height(angle)) /
                                        (inertia + mass * slope(angle) * slope(angle))));
        CHECK_ABSOLUTE(std::abs(body.angular_velocity), speed, 1e-5);
        swings += last_angle * angle < 0.0;
        last_angle = angle;
    };
    const Result result = simulate(made, look);
    CHECK(swings >= 3);
    REQUIRE(result.contact_points[0].impacts.size() == 1);
    // The same on steel: the overlap is a few micrometres.
    made.contacts[0].law = hertz();
    made.end = 0.05;
    made.accuracy = 1e-8;
    made.interval = 0.0;
    const BodyState body = simulate(made).last.bodies[0];
    CHECK_ABSOLUTE(body.centre[1], height(body.angle + first_angle), 1e-4 * b);
}

/// A cam that turns about the origin, and a follower that slides up and down on it by its weight.
Mechanism cam_drive(const shapes::Shape& cam, const shapes::Shape& follower, double centre,
                    double speed) {
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "cam", .mass = 1.0, .inertia = 0.1, .centre = {0.0, 0.0}},
                   {.name = "follower", .mass = 0.4, .inertia = 0.1, .centre = {0.0, centre}}};
    made.joints = {{.kind = JointKind::revolute,
                    .bodies = {ground, 0},
                    .point = {0.0, 0.0},
                    .motor = Motor{.times = {0.0}, .speeds = {speed}}},
                   {.kind = JointKind::slider, .bodies = {ground, 1}, .axis = {0.0, 1.0}}};
    made.contacts = {contact({1, 0}, follower, cam, Impulse{0.0})};
    made.accuracy = 1e-11;
    made.end = 2.0 * pi / speed;
    made.interval = made.end / 100.0;
    return made;
}

/// Checks the lift and the contact force against `lift(angle of the cam)`, whose second derivative
/// is taken numerically. `upright`: cosine of the angle between the normal and the way of the
/// follower.
void check_cam(
    const Mechanism& made, double speed, const std::function<double(double)>& lift,
    double tolerance, const std::function<double(double)>& upright = [](double) { return 1.0; }) {
    const Result result = simulate(made, [&](const Sample& sample) {
        if (sample.time == 0.0) return;  // at the start nothing has closed
        const double angle = sample.bodies[0].angle;
        CHECK_ABSOLUTE(sample.bodies[1].centre[1], lift(angle), tolerance);
        constexpr double h = 1e-3;
        const double bend = (lift(angle + h) - 2.0 * lift(angle) + lift(angle - h)) / (h * h);
        CHECK_RELATIVE(sample.contact_points[0].force,
                       0.4 * (g + speed * speed * bend) / upright(angle), 1e-4);
    });
    CHECK(result.contact_points[0].impacts.size() == 1);
}

TEST_CASE("a flat follower on an elliptic cam lifts as far as the ellipse reaches") {
    constexpr double a = 0.05, b = 0.04, speed = 8.0;
    const auto lift = [](double angle) {
        return std::hypot(a * std::sin(angle), b * std::cos(angle));
    };
    const Mechanism made =
        cam_drive(shapes::Ellipse{{}, {a, b}}, shapes::Segment{{-0.1, lift(0.0)}, {0.1, lift(0.0)}},
                  lift(0.0), speed);
    check_cam(made, speed, lift, 1e-10);
}

TEST_CASE("a flat follower on a cam from points lifts as the cam was designed") {
    // The outline that lifts a flat follower by s(angle): its support function.
    constexpr double speed = 6.0;
    const auto lift = [](double angle) { return 0.04 + 0.004 * std::cos(2.0 * angle + 0.3); };
    const auto rate = [](double angle) { return -0.008 * std::sin(2.0 * angle + 0.3); };
    shapes::ClosedCurve cam;
    constexpr int points = 200;
    for (int k = 0; k < points; ++k) {
        // The normal that points up when the cam has turned by `angle`.
        const double angle = -2.0 * pi * k / points;
        const Vector up = rotated({0.0, 1.0}, -angle);
        cam.points.push_back(lift(angle) * up + (-rate(angle)) * left_of(up));
    }
    const Mechanism made =
        cam_drive(cam, shapes::Segment{{-0.1, lift(0.0)}, {0.1, lift(0.0)}}, lift(0.0), speed);
    check_cam(made, speed, lift, 1e-9);
}

TEST_CASE("a roller on an eccentric cam from points moves as a slider-crank does" *
          doctest::skip(sanitised)) {
    constexpr double R = 0.05, r = 0.015, e = 0.01, speed = 10.0;
    const auto lift = [](double angle) {
        return e * std::cos(angle) +
               std::sqrt((R + r) * (R + r) - e * e * std::sin(angle) * std::sin(angle));
    };
    shapes::ClosedCurve cam{.points = {}, .centre = {0.0, e}};
    constexpr int points = 150;
    for (int k = 0; k < points; ++k)
        cam.points.push_back(R * rotated({1.0, 0.0}, 2.0 * pi * k / points));
    const Mechanism made = cam_drive(cam, shapes::Circle{{0.0, lift(0.0)}, r}, lift(0.0), speed);
    check_cam(made, speed, lift, 1e-9, [](double angle) {
        const double aside = e * std::sin(angle) / (R + r);
        return std::sqrt(1.0 - aside * aside);
    });
}

TEST_CASE("a square that lands flat strikes with two corners at once and does not turn") {
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "square", .mass = 0.3, .inertia = 1e-4, .centre = {0.0, 0.03}}};
    const shapes::Polygon square{{{-0.02, 0.01}, {0.02, 0.01}, {0.02, 0.05}, {-0.02, 0.05}}, 0.002};
    made.contacts = {
        contact({0, ground}, square, shapes::Segment{{-1.0, 0.0}, {1.0, 0.0}}, hertz())};
    made.accuracy = 1e-11;
    made.end = 0.06;
    const Result result = simulate(made);
    REQUIRE(result.contact_points.size() == 6);  // four corners, two ends of the floor
    const double fall = std::sqrt(2.0 * 0.01 / g), speed = g * fall;
    for (const std::size_t corner : {0, 1}) {
        REQUIRE(result.contact_points[corner].impacts.size() == 1);
        CHECK_RELATIVE(result.contact_points[corner].impacts[0].start, fall, 1e-10);
        CHECK_RELATIVE(result.contact_points[corner].impacts[0].impact_speed, speed, 1e-10);
        // As in one dimension: two equal springs carry the mass.
        const double stiffness =
            2.0 * laws::sphere_contact(0.002, 1.0, steel, 1e300, 1e300, steel).stiffness;
        // The weight goes on falling by the overlap.
        const double overlap = laws::hertz_largest_overlap(stiffness, 0.3, speed);
        const double with_weight = std::sqrt(speed * speed + 2.0 * g * overlap);
        CHECK_RELATIVE(result.contact_points[corner].impacts[0].largest_overlap,
                       laws::hertz_largest_overlap(stiffness, 0.3, with_weight), 1e-5);
    }
    for (const std::size_t other : {2, 3, 4, 5})
        CHECK(result.contact_points[other].impacts.empty());
    CHECK_ABSOLUTE(result.last.bodies[0].angle, 0.0, 1e-9);
}

TEST_CASE("a block leaves a guide of finite length and then rests on the guide's end") {
    // It slides over the edge; when its centre has passed the end, it tips.
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "block",
                    .mass = 0.3,
                    .inertia = 1.5e-4,
                    .centre = {-0.05, 0.01},
                    .velocity = Vector{0.2, 0.0}}};
    const shapes::Polygon block{{{-0.08, 0.0}, {-0.02, 0.0}, {-0.02, 0.02}, {-0.08, 0.02}}, 0.001};
    laws::Settings flores = validation::law_settings("flores");
    flores.values["restitution"] = 0.3;
    flores.values["impact_speed"] = std::string("initial");
    made.contacts = {contact({0, ground}, block, shapes::Segment{{-1.0, 0.0}, {0.0, 0.0}}, flores)};
    made.contacts[0].materials = Stiffness{1e7};
    made.end = 0.35;
    made.accuracy = 1e-9;
    const Result result = simulate(made);
    const auto& points = result.contact_points;
    REQUIRE(points.size() == 6);
    CHECK(!points[1].impacts.empty());  // the leading corner, first on the guide
    CHECK(points[1].impacts.back().end < 0.2);
    REQUIRE(!points[5].impacts.empty());  // the end of the guide, below the block
    const double over_the_end = 0.05 / 0.2;
    CHECK(points[5].impacts.back().start < over_the_end + 0.02);
    CHECK(result.last.bodies[0].angle < -0.02);  // it tips forward
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-6);
}

TEST_CASE("a disc in an arc of a full turn is a journal in its bearing") {
    const auto run = [](auto geometry) {
        Mechanism made;
        made.gravity = {0.0, -g};
        made.bodies = {{.name = "pin",
                        .mass = 0.2,
                        .inertia = 1e-5,
                        .centre = {0.0, 0.0},
                        .velocity = Vector{0.3, 0.1}}};
        made.contacts = {contact({0, ground}, shapes::Circle{}, shapes::Circle{}, hertz())};
        made.contacts[0].geometry = geometry;
        made.accuracy = 1e-11;
        made.end = 0.02;
        return simulate(made);
    };
    const Result pair =
        run(Shapes{shapes::Circle{{0.0, 0.0}, 0.01},
                   shapes::Arc{{0.0, 0.0}, 0.0105, 0.0, 2.0 * pi, shapes::Arc::Side::inside}});
    const Result journal = run(
        Journal{.point = {}, .bearing_centre = {}, .bearing_radius = 0.0105, .clearance = 0.0005});
    const auto &a = pair.contact_points[0].impacts, &b = journal.contact_points[0].impacts;
    REQUIRE(a.size() == b.size());
    REQUIRE(a.size() > 4);
    for (std::size_t i = 0; i < a.size() && i < 4; ++i) {
        CHECK_RELATIVE(a[i].start, b[i].start, 1e-8);
        CHECK_RELATIVE(a[i].impact_speed, b[i].impact_speed, 1e-7);
        CHECK_RELATIVE(a[i].peak_force, b[i].peak_force, 1e-7);
    }
}

TEST_CASE("bodies in free flight touch where and when their paths say, however long a step may be" *
          doctest::skip(sanitised)) {
    validation::RandomShapes random(7);
    int hits = 0, misses = 0;
    for (int flight = 0; flight < 70; ++flight) {
        CAPTURE(flight);
        constexpr std::size_t kinds = std::variant_size_v<shapes::Shape>, arc = 1;
        const auto kind = [&] {
            const auto k = static_cast<std::size_t>(random.number(0.0, kinds));
            return k == arc ? 3 : k;
        };
        const shapes::Shape first = random.shape(kind()), second = random.shape(kind());
        Mechanism made;
        made.bodies = {{.name = "one", .mass = 1.0, .inertia = 1.0, .centre = {0.0, 0.0}},
                       {.name = "two", .mass = 1.0, .inertia = 1.0, .centre = random.point(4.0)}};
        for (Body& body : made.bodies) {
            body.velocity = random.point(1.0);
            body.angular_velocity = random.number(-2.0, 2.0);
        }
        // Towards each other, more or less.
        *made.bodies[0].velocity =
            *made.bodies[0].velocity + 0.7 * unit_vector(made.bodies[1].centre);
        made.contacts = {
            contact({0, 1}, first, shapes::moved(second, made.bodies[1].centre), hertz())};
        made.end = 6.0;
        try {
            check(made);
        } catch (const PartError&) {
            continue;  // two segments without a radius
        }
        // Where the paths without a force lead: samples at a thousandth of the time.
        const std::vector<ContactPoint> points = contact_points_of(made);
        double first_touch = made.end;
        Largest largest;
        for (int k = 0; k <= 6000; ++k) {
            std::vector<BodyState> at(2);
            for (const std::size_t i : {0, 1}) {
                at[i].centre = made.bodies[i].centre + (1e-3 * k) * *made.bodies[i].velocity;
                at[i].angle = 1e-3 * k * *made.bodies[i].angular_velocity;
            }
            for (const ContactPoint& point : points) {
                const double overlap = point.kinematics(at).overlap;
                largest.enter(overlap);
                if (overlap > 0.0) first_touch = std::min(first_touch, 1e-3 * k);
            }
            if (largest > 0.0) break;
        }
        if (first_touch == 0.0 || std::abs(largest) < 1e-5) continue;
        made.end = largest > 0.0 ? first_touch + 1e-4 : made.end;
        double start = 1e9;
        for (const ContactImpacts& point : simulate(made).contact_points) {
            if (!point.impacts.empty()) start = std::min(start, point.impacts[0].start);
        }
        if (largest > 0.0) {
            CHECK(start <= first_touch);
            CHECK(start >= first_touch - 1.001e-3);
            ++hits;
        } else {
            CHECK(start == 1e9);
            ++misses;
        }
    }
    CHECK(hits > 18);
    CHECK(misses > 14);
}

TEST_CASE("energy is conserved over three hundred elastic contacts of an ellipse and a polygon" *
          doctest::skip(sanitised)) {
    Mechanism made;
    made.bodies = {{.name = "ellipse",
                    .mass = 0.3,
                    .inertia = 2e-4,
                    .centre = {-0.06, 0.0},
                    .velocity = Vector{1.0, 0.7},
                    .angular_velocity = 15.0},
                   {.name = "polygon",
                    .mass = 0.2,
                    .inertia = 1e-4,
                    .centre = {0.06, 0.01},
                    .velocity = Vector{-0.9, 0.4},
                    .angular_velocity = -20.0}};
    const shapes::Ellipse ellipse{{-0.06, 0.0}, {0.04, 0.025}, 0.3};
    const shapes::Polygon polygon{{{0.03, -0.01}, {0.08, -0.02}, {0.1, 0.02}, {0.05, 0.04}}, 0.003};
    const shapes::Arc ring{{0.0, 0.0}, 0.15, 0.0, 2.0 * pi, shapes::Arc::Side::inside};
    made.contacts = {contact({0, 1}, ellipse, polygon, hertz()),
                     contact({0, ground}, ellipse, ring, hertz()),
                     contact({1, ground}, polygon, ring, hertz())};
    for (Contact& each : made.contacts)
        each.materials = Stiffness{1e8};
    made.accuracy = 1e-11;
    made.end = 20.0;
    const Result result = simulate(made);
    std::size_t impacts = 0;
    for (const ContactImpacts& point : result.contact_points)
        impacts += point.impacts.size();
    CHECK(impacts >= 300);
    CHECK(result.largest_relative_energy_error < 1e-8);
    const Ledger& end = result.last.ledger;
    CHECK_RELATIVE(end.kinetic + end.stored, end.initial, 1e-8);
    MESSAGE(impacts << " impacts, largest relative energy error "
                    << result.largest_relative_energy_error);
}

}  // namespace
}  // namespace beadwave::validation::mechanism_shapes_test
