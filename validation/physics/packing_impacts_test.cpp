// The impacts of a packing: speeds, duration, largest force and loss of single ones beside closed
// forms and integrations; the sum of all beside the ledger; lists that are rebuilt; saved
// states.

#include "impacts.hpp"
#include "largest.hpp"
#include "packing/contacts/impact.hpp"
#include "packing/packing_engine.hpp"
#include "packings.hpp"
#include "poured_packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "splitmix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::packing_impacts_test {

using packing::DissipationParts;
using packing::Impact;

namespace {

std::int64_t steps_in(double time, double dt) {
    return static_cast<std::int64_t>(std::lround(time / dt));
}

/// What an impact must be.
struct PlainImpact {
    double start, end, impact_speed, separation_speed, peak_force, largest_overlap;
};

void check_times_and_speeds(const Impact& impact, const PlainImpact& plain, double tolerance) {
    CHECK_ABSOLUTE(impact.start, plain.start, tolerance * (plain.end - plain.start));
    CHECK_RELATIVE(impact.end - impact.start, plain.end - plain.start, tolerance);
    CHECK_RELATIVE(impact.impact_speed, plain.impact_speed, tolerance);
    CHECK_RELATIVE(impact.separation_speed, plain.separation_speed, tolerance);
    CHECK_RELATIVE(impact.peak_force, plain.peak_force, tolerance);
    CHECK_RELATIVE(impact.largest_overlap, plain.largest_overlap, tolerance);
    CHECK(impact.peak_time >= impact.start);
    CHECK(impact.peak_time <= impact.end);
}

/// One degree of freedom, the height of a sphere above a wall whose height is wall(t) and speed
/// wall_speed(t) [m, m/s], by Runge and Kutta's method. `force(overlap, approach)` pushes it up
/// [N].
struct Bounce {
    double mass, gravity, step;

    template <class Force, class Wall, class WallSpeed>
    std::vector<PlainImpact> run(double height, double speed, double end, Force force, Wall wall,
                                 WallSpeed wall_speed) const {
        std::vector<PlainImpact> all;
        double t = 0.0;
        bool closed = false;
        const auto push = [&](double at, double z, double v) {
            const double overlap = wall(at) - z;
            return overlap > 0.0 ? force(overlap, wall_speed(at) - v) : 0.0;
        };
        using Two = std::array<double, 2>;
        const auto slope = [&](double at, double z, double v) {
            return Two{v, push(at, z, v) / mass - gravity};
        };
        const auto stepped = [&](double h) {
            const Two a = slope(t, height, speed),
                      b = slope(t + 0.5 * h, height + 0.5 * h * a[0], speed + 0.5 * h * a[1]),
                      c = slope(t + 0.5 * h, height + 0.5 * h * b[0], speed + 0.5 * h * b[1]),
                      d = slope(t + h, height + h * c[0], speed + h * c[1]);
            return Two{height + h / 6.0 * (a[0] + 2.0 * b[0] + 2.0 * c[0] + d[0]),
                       speed + h / 6.0 * (a[1] + 2.0 * b[1] + 2.0 * c[1] + d[1])};
        };
        while (t < end) {
            double h = step;
            Two next = stepped(h);
            const bool crosses = (wall(t + h) - next[0] > 0.0) != closed;
            if (crosses) {  // half an interval at a time, to the change
                double low = 0.0, high = h;
                for (int k = 0; k < 60; ++k) {
                    h = 0.5 * (low + high);
                    next = stepped(h);
                    ((wall(t + h) - next[0] > 0.0) == closed ? low : high) = h;
                }
                h = high;
                next = stepped(h);
            }
            t += h;
            height = next[0];
            speed = next[1];
            const double approach = wall_speed(t) - speed;
            if (crosses && !closed) all.push_back({t, 0.0, approach, 0.0, 0.0, 0.0});
            if (crosses && closed) {
                all.back().end = t;
                all.back().separation_speed = -approach;
            }
            closed = closed != crosses;
            if (closed) {
                PlainImpact& now = all.back();
                now.peak_force = std::max(now.peak_force, push(t, height, speed));
                now.largest_overlap = std::max(now.largest_overlap, wall(t) - height);
            }
        }
        if (closed) all.pop_back();
        return all;
    }
};

double nowhere(double) {
    return 0.0;
}

/// All impacts so far and those to come; their sum with the open contacts is that of all contacts.
struct AllImpacts {
    std::vector<Impact> rows;

    void take(packing::PackingEngine& engine) {
        for (const Impact& impact : engine.take_impacts())
            rows.push_back(impact);
    }
    DissipationParts sum() const {
        DissipationParts all;
        for (const Impact& impact : rows)
            all.add(impact.dissipated);
        return all;
    }
    /// Both sides are sums over thousands of steps: rounding of them is the tolerance.
    void check_sum(const packing::PackingEngine& engine, double scale) const {
        DissipationParts all = sum();
        all.add(engine.open_impacts().dissipated);
        const packing::PackingTotals t = engine.totals();
        CHECK_ABSOLUTE(all.normal, t.dissipated_normal, 1e-12 * scale);
        CHECK_ABSOLUTE(all.sliding, t.dissipated_tangential - t.dissipated_rolling, 1e-12 * scale);
        CHECK_ABSOLUTE(all.rolling + all.twisting, t.dissipated_rolling, 1e-12 * scale);
    }
};

bool same(const Impact& a, const Impact& b) {
    const auto equal = [](double x, double y) {
        return x == y || (std::isnan(x) && std::isnan(y));
    };
    bool all = a.first == b.first && a.second == b.second;
    for (const auto member : Impact::times_and_speeds)
        all = all && equal(a.*member, b.*member);
    for (const auto part : DissipationParts::all)
        all = all && a.dissipated.*part == b.dissipated.*part;
    return all;
}

struct DrawImpacts {
    std::uint64_t drawn = 0;
    double operator()(double from, double to) {
        return from + (to - from) * std::ldexp(static_cast<double>(mixed(++drawn) >> 11), -53);
    }
};

/// Soft spheres that fly about in a box, with friction, rolling and twisting resistance.
packing::Packing gas(const std::string& law, std::size_t count, bool walls) {
    packing::Packing p = steel_packing(law);
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    p.species_list[0].elasticity.yield_stress = 1e6;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.rolling.coefficient = 0.1;
    p.rolling.twisting_coefficient = walls ? 0.0 : 0.2;
    p.rolling.damping_ratio = 0.1;
    DrawImpacts draw;
    const double side = 3.0 * steel_radius * std::cbrt(static_cast<double>(count));
    std::vector<double> radii;
    for (std::size_t i = 0; i < count; ++i)
        radii.push_back(steel_radius * draw(0.8, 1.2));
    const auto centres = packing::random_loose(radii, {}, {side, side, side}, 3, 5);
    for (std::size_t i = 0; i < count; ++i) {
        p.add(radii[i], steel_mass(radii[i]), centres[i]);
        p.velocity.back() = {draw(-2, 2), draw(-2, 2), draw(-2, 2)};
        p.angular_velocity.back() = {draw(-300, 300), draw(-300, 300), draw(-300, 300)};
    }
    p.skin = 0.2 * steel_radius;
    p.box.upper = {side, side, side};
    p.box.periodic = {true, true, !walls};
    if (!walls) return p;
    // A floor that shakes and a lid of triangles that slides.
    p.gravity = {0, 0, -9.81};
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, -0.05 * side}, .normal = {0, 0, 1}},
                       .drive = stepping::Drive::sine(200.0, 1e-4)});
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, 1.05 * side}, .normal = {0, 0, -1}},
                       .velocity = {0.3, 0.0, 0.0}});
    return p;
}

}  // namespace

TEST_CASE("a ball on a spring and a dashpot bounces as the damped oscillator under gravity") {
    // From the touch the overlap is x'' = g - (k x + c x') / m, x = 0, x' = v: an exponential times
    // a sine about the overlap at rest, m g / k. It ends at the next zero of x.
    constexpr double mass = 1e-3, g = 10.0, duration = 1e-2, damping_ratio = 0.07, radius = 1e-2,
                     fall = 5e-4, dt = 2e-8;
    constexpr double rate = std::numbers::pi / duration;
    constexpr double stiffness = mass * rate * rate, damping = 2.0 * damping_ratio * mass * rate;
    packing::Packing p = steel_packing("kelvin-voigt");
    p.law = spring_and_dashpot(stiffness, damping, "gap");
    p.gravity = {0, 0, -g};
    p.add(radius, mass, {0, 0, radius + fall});
    p.walls.push_back({});
    const auto engine = watching(p, dt);
    engine->advance(steps_in(0.052, dt));
    const std::vector<Impact> impacts = engine->take_impacts();
    REQUIRE(impacts.size() == 2);
    CHECK(engine->open_impacts().count == 0);
    double start = std::sqrt(2.0 * fall / g), speed = g * start;
    for (const Impact& impact : impacts) {
        CAPTURE(start);
        CHECK(impact.first == 0);
        CHECK(impact.second == 1);
        const double decay = damping_ratio * rate;
        const double damped = rate * std::sqrt(1.0 - damping_ratio * damping_ratio);
        const double rest = mass * g / stiffness;
        const double sine = (speed - decay * rest) / damped;
        const auto overlap = [&](double t) {
            return rest + std::exp(-decay * t) *
                              (-rest * std::cos(damped * t) + sine * std::sin(damped * t));
        };
        const auto approach = [&](double t) {
            return std::exp(-decay * t) * ((decay * rest + damped * sine) * std::cos(damped * t) +
                                           (damped * rest - decay * sine) * std::sin(damped * t));
        };
        double low = 0.5 * duration, high = 1.9 * duration;
        REQUIRE(overlap(low) > 0.0);
        REQUIRE(overlap(high) < 0.0);
        for (int k = 0; k < 60; ++k) {
            const double middle = 0.5 * (low + high);
            (overlap(middle) > 0.0 ? low : high) = middle;
        }
        PlainImpact plain{start, start + low, speed, -approach(low), 0.0, 0.0};
        for (int k = 0; k < 100000; ++k) {
            const double t = low * k / 1e5;
            plain.peak_force =
                std::max(plain.peak_force, stiffness * overlap(t) + damping * approach(t));
            plain.largest_overlap = std::max(plain.largest_overlap, overlap(t));
        }
        // A dashpot makes the step of first order at opening: damping / mass times half a step is
        // 5e-7 of the speed, of which the first bounce hands its part on to the second.
        check_times_and_speeds(impact, plain, 2e-6);
        const double e = plain.separation_speed / speed;
        CHECK_RELATIVE(impact.restitution(), e, 2e-6);
        // The height is the same at both ends, so gravity does no work.
        CHECK_RELATIVE(impact.dissipated.normal, 0.5 * mass * speed * speed * (1.0 - e * e), 1e-5);
        CHECK(impact.dissipated.sliding == 0.0);
        CHECK_ABSOLUTE(impact.impact_slip_speed, 0.0, 1e-12);
        CHECK_ABSOLUTE(impact.separation_slip_speed, 0.0, 1e-12);
        start += low + 2.0 * plain.separation_speed / g;
        speed = plain.separation_speed;
    }
}

TEST_CASE("a bounce with hysteresis, and one on a wall that shakes, are as integrated plainly") {
    constexpr double radius = 5e-3, modulus = 1e7, restitution = 0.6, speed = 0.5, g = 9.81;
    const double mass = steel_mass(radius);
    SUBCASE("F = K d^1.5 (1 + 3/4 (1 - e^2) d' / v0)") {
        constexpr double dt = 2e-8;
        packing::Packing p = steel_packing("lankarani-nikravesh");
        p.species_list[0].elasticity.youngs_modulus = modulus;
        p.law = law_settings("lankarani-nikravesh",
                             {{"restitution", restitution}, {"impact_speed", speed}});
        p.gravity = {0, 0, -g};
        p.add(radius, mass, {0, 0, 1.01 * radius});
        p.velocity[0] = {0, 0, -speed};
        p.walls.push_back({});
        const auto engine = watching(p, dt);
        engine->advance(steps_in(4e-3, dt));
        const std::vector<Impact> impacts = engine->take_impacts();
        const double k =
            4.0 / 3.0 * std::sqrt(radius) * modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
        const double chi = 0.75 * (1.0 - restitution * restitution);
        const Bounce bounce{mass, g, 1e-6};
        const auto plain = bounce.run(
            0.01 * radius, -speed, 4e-3,
            [&](double d, double v) { return k * std::pow(d, 1.5) * (1.0 + chi * v / speed); },
            nowhere, nowhere);
        REQUIRE(plain.size() == 1);
        REQUIRE(impacts.size() == 1);
        check_times_and_speeds(impacts[0], plain[0], 1e-6);
        CHECK_RELATIVE(
            impacts[0].dissipated.normal,
            0.5 * mass *
                (std::pow(plain[0].impact_speed, 2) - std::pow(plain[0].separation_speed, 2)),
            1e-5);
    }
    SUBCASE("several bounces on a floor that moves as a sine") {
        constexpr double dt = 2.5e-8, frequency = 150.0, amplitude = 2e-4, time = 0.02;
        const double stiffness = 2e4, damping = 0.4;
        packing::Packing p = steel_packing("kelvin-voigt");
        p.law = spring_and_dashpot(stiffness, damping, "gap");
        p.gravity = {0, 0, -400.0};
        p.add(radius, mass, {0, 0, 1.04 * radius});
        p.walls.push_back({.drive = stepping::Drive::sine(frequency, amplitude)});
        const auto engine = watching(p, dt);
        engine->advance(steps_in(time, dt));
        const std::vector<Impact> impacts = engine->take_impacts();
        const double turn = 2.0 * std::numbers::pi * frequency;
        const auto plain = Bounce{mass, 400.0, 1e-6}.run(
            0.04 * radius, 0.0, time,
            [&](double d, double v) { return stiffness * d + damping * v; },
            [&](double t) { return amplitude * std::sin(turn * t); },
            [&](double t) { return amplitude * turn * std::cos(turn * t); });
        REQUIRE(plain.size() >= 4);
        REQUIRE(impacts.size() == plain.size());
        // First order at opening as above, c dt / 2 m = 1e-6, by where in a step the sphere parts;
        // from bounce to bounce the floor multiplies it, by 100 at the fifth.
        for (std::size_t k = 0; k < plain.size(); ++k) {
            CAPTURE(k);
            check_times_and_speeds(impacts[k], plain[k], 5e-4);
        }
    }
}

TEST_CASE("two spheres that a straining box brings together through its boundary") {
    // They fly freely at the velocities that the box gives them at the start, the image of the
    // first at that of the first plus that of the edge: so they meet at a constant speed.
    constexpr double radius = 5e-3, edge = 0.04, rate = -30.0, own = 0.2, dt = 1e-8;
    constexpr double stiffness = 1e5, damping_ratio = 0.05;
    const double mass = steel_mass(radius), reduced = 0.5 * mass;
    const double undamped = std::sqrt(stiffness / reduced);
    packing::Packing p = steel_packing("kelvin-voigt");
    p.law = spring_and_dashpot(stiffness, 2.0 * damping_ratio * reduced * undamped, "gap");
    p.box.upper = {edge, edge, edge};
    p.box.periodic = {true, true, true};
    p.box.strain = packing::Straining{.rate = {rate, 0, 0}};
    const double first = 0.011, second = 0.03;
    p.add(radius, mass, {first, 0.02, 0.02});
    p.add(radius, mass, {second, 0.02, 0.02});
    p.velocity[1] = {own, 0, 0};
    const auto engine = watching(p, dt);
    const double speed = own + rate * (second - first - edge);
    const double start = (edge + first - second - 2.0 * radius) / speed;
    const double damped = undamped * std::sqrt(1.0 - damping_ratio * damping_ratio);
    const double duration = std::numbers::pi / damped;
    engine->advance(steps_in(start + 1.2 * duration, dt));
    const std::vector<Impact> impacts = engine->take_impacts();
    REQUIRE(impacts.size() == 1);
    CHECK(impacts[0].first == 0);
    CHECK(impacts[0].second == 1);
    const double e = std::exp(-damping_ratio * undamped * duration);
    CHECK_RELATIVE(impacts[0].impact_speed, speed, 1e-9);
    CHECK_RELATIVE(impacts[0].start, start, 1e-9);
    CHECK_RELATIVE(impacts[0].end - impacts[0].start, duration, 1e-4);
    CHECK_RELATIVE(impacts[0].restitution(), e, 1e-4);
    CHECK_RELATIVE(impacts[0].dissipated.normal, 0.5 * reduced * speed * speed * (1.0 - e * e),
                   1e-4);
}

TEST_CASE("impacts and open contacts dissipate together what the ledger has, over many lists") {
    for (const char* law : {"hertz", "tsuji", "walton-braun"}) {
        CAPTURE(law);
        const auto engine = watching(gas(law, 200, false), 1e-6);
        const double initial = energy_of(engine->totals());
        AllImpacts all;
        for (int part = 0; part < 4; ++part) {
            engine->advance(600);
            all.take(*engine);
            all.check_sum(*engine, initial);
        }
        CHECK(engine->neighbour_list_builds() > 3);
        CHECK(all.rows.size() > 100);
        const DissipationParts sum = all.sum();
        CHECK(sum.sliding > 1e-3 * initial);
        CHECK(sum.rolling > 1e-4 * initial);
        CHECK(sum.twisting > 1e-6 * initial);
        for (const Impact& impact : all.rows) {
            CHECK(impact.impact_speed > 0.0);
            CHECK(impact.end > impact.start);
            // Bodies may meet in the dent of an earlier impact, and push no more.
            CHECK((impact.peak_force > 0.0 || std::string(law) == "walton-braun"));
        }
    }
}

TEST_CASE("impacts beside walls that move go on from a saved packing to the same bits") {
    for (const char* law : {"tsuji", "thornton"}) {
        CAPTURE(law);
        const packing::Packing p = gas(law, 60, true);
        const auto whole = watching(p, 1e-6);
        double scale = energy_of(whole->totals());
        whole->advance(1700);
        REQUIRE(whole->open_impacts().count > 0);
        const SavedPacking middle = saved(*whole);  // with impacts that nobody has taken
        whole->advance(2500);
        const auto resumed = watching(p, 1e-6);
        restore(*resumed, 1700, middle);
        resumed->advance(2500);
        scale = std::max(scale, std::abs(whole->totals().external_work));
        CHECK(whole->open_impacts().count == resumed->open_impacts().count);
        AllImpacts a, b;
        a.take(*whole);
        b.take(*resumed);
        a.check_sum(*whole, scale);
        REQUIRE(a.rows.size() == b.rows.size());
        CHECK(a.rows.size() > 30);
        for (std::size_t k = 0; k < a.rows.size(); ++k)
            CHECK(same(a.rows[k], b.rows[k]));
        CHECK(std::ranges::any_of(a.rows, [&](const Impact& i) { return i.second == 60; }));
        CHECK(std::ranges::any_of(a.rows, [&](const Impact& i) { return i.second == 61; }));
        SavedPacking damaged = middle;
        damaged["contact_impacts"].pop_back();
        CHECK_THROWS_WITH(restore(*watching(p, 1e-6), 1700, damaged),
                          "contact_impacts: these are no impacts of contacts");
        damaged = middle;
        damaged["ended_impacts"][0] = 62.0;
        CHECK_THROWS_WITH(restore(*watching(p, 1e-6), 1700, damaged),
                          "contact_impacts: these are no impacts of contacts");
    }
}

TEST_CASE("contacts that were closed at the start or that an exit ends have no speeds there") {
    constexpr double radius = 2e-3;
    packing::Packing p = soft_packing("tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    const double half = add_leaky_floor(p, radius);
    // It lies in a neighbour from the start, and jumps off.
    const double height = std::sqrt(std::pow(3.0 * radius, 2)) - 1e-5;
    p.add(radius, steel_mass(radius), {4.0 * radius, 0, height});
    p.velocity.back() = {0, 0, 0.5};
    const std::size_t jumper = p.particles() - 1;
    p.fixed.resize(p.particles(), false);
    add_pour(p, 60, radius, {{-half, -half, 6.0 * radius}, {half, half, 14.0 * radius}}, 2000.0,
             {0.1, 0.0, -1.0});
    p.fixed.resize(p.particles(), false);
    p.exits.push_back({packing::Plane{.point = {0, 0, 1.5 * radius}}});
    p.skin = 0.3 * radius;
    const auto engine = watching(p, 1e-5);
    CHECK(engine->open_impacts().count == 1);
    AllImpacts all;
    double scale = 0.0;
    for (int part = 0; part < 6; ++part) {
        engine->advance(1000);
        all.take(*engine);
        const packing::PackingTotals t = engine->totals();
        scale = std::max({scale, t.translational, std::abs(t.inflow_energy)});
        all.check_sum(*engine, scale);
    }
    REQUIRE(!all.rows.empty());
    std::size_t at_start = 0, taken = 0;
    for (const Impact& impact : all.rows) {
        if (std::isnan(impact.impact_speed)) {
            ++at_start;
            CHECK(impact.start == 0.0);
            CHECK(std::isnan(impact.impact_slip_speed));
            CHECK(impact.second == jumper);
            CHECK(impact.separation_speed > 0.4);
        }
        if (std::isnan(impact.separation_speed)) {
            ++taken;
            CHECK(std::isnan(impact.separation_slip_speed));
            CHECK(impact.end > impact.start);
        }
    }
    CHECK(at_start == 1);
    CHECK(taken > 0);
    CHECK(engine->population().count(packing::Presence::left) > 3);
}

TEST_CASE("an engine that is not asked for impacts takes the same steps and has none") {
    const packing::Packing p = gas("tsuji", 40, true);
    const auto asked = watching(p, 1e-6);
    const auto silent =
        packing::make_plain_packing_engine(p, 1e-6, packing::ContactRecords::dissipation);
    asked->advance(1500);
    silent->advance(1500);
    CHECK(silent->take_impacts().empty());
    CHECK(silent->open_impacts().count == 0);
    CHECK(!asked->take_impacts().empty());
    CHECK(asked->take_impacts().empty());
    CHECK(largest_difference(silent->velocity(), asked->velocity()) == 0.0);
}

}  // namespace beadwave::validation::packing_impacts_test
