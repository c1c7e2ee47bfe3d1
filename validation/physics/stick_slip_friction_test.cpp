// Two coefficients of friction: what a contact holds while it sticks, and what acts while it
// slides. Bodies that do not turn, because their moment of inertia is huge.

#include "normal_numbers.hpp"
#include "packings.hpp"
#include "relative.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

namespace beadwave::validation::stick_slip_friction_test {

using laws::FrictionLaw;
using packing::Vec3;
using stepping::ForceSignal;

namespace {

constexpr double radius = 2.5e-3, gravity = 9.81, sticks = 0.6, slides = 0.35;
const double mass = steel_mass(radius);
const double plane_modulus = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
const double shear_modulus = steel_modulus / (4.0 * (1.0 + steel_ratio) * (2.0 - steel_ratio));
const double overlap =
    std::pow(mass * gravity / (4.0 / 3.0 * plane_modulus * std::sqrt(radius)), 2.0 / 3.0);
/// Of the contact, and of the linear law here [N/m].
const double contact_stiffness = 8.0 * shear_modulus * std::sqrt(radius * overlap);

/// At rest on a floor, which moves along y.
packing::Packing block_on_floor(FrictionLaw law, double floor_speed) {
    packing::Packing p = steel_packing();
    p.friction = {.law = law, .coefficient = slides, .static_coefficient = sticks};
    const double critical = 2.0 * std::sqrt(contact_stiffness * mass);
    if (law == FrictionLaw::linear) {
        p.friction.stiffness = contact_stiffness;
        p.friction.damping = 0.3 * critical;
    } else {
        p.friction.damping_ratio = 0.3;
    }
    p.add(radius, mass, {0, 0, radius - overlap});
    p.inertia[0] = 1e12 * mass * radius * radius;
    p.gravity = {0, 0, -gravity};
    p.walls.push_back({.velocity = {0, floor_speed, 0}});
    return p;
}

constexpr FrictionLaw all_laws[] = {FrictionLaw::linear, FrictionLaw::mindlin,
                                    FrictionLaw::mindlin_displacement};

double time_step() {
    return 0.05 * std::sqrt(mass / contact_stiffness);
}

}  // namespace

TEST_CASE("a block on a moving floor sticks and slips in the cycle of the closed form") {
    // A spring k holds the block. It moves with the floor until k x = mu_s N, then slides as a free
    // oscillator about mu N / k until its velocity is that of the floor again. With
    // A = (mu_s - mu) N / k and tan p = A w / V the cycle takes 2 A / V + 2 (pi - p) / w, and the
    // largest and the smallest x are mu N / k +- sqrt(A^2 + V^2 / w^2).
    const double k = 1e-4 * contact_stiffness, w = std::sqrt(k / mass);
    const double load = mass * gravity, a = (sticks - slides) * load / k, speed = 0.8 * a * w;
    const double cycle = 2.0 * a / speed + 2.0 * (std::numbers::pi - std::atan(a * w / speed)) / w;
    const double amplitude = std::hypot(a, speed / w);
    for (const FrictionLaw law : all_laws) {
        packing::Packing p = block_on_floor(law, speed);
        p.elements.foundations.push_back({0, {.stiffness = k}});
        const auto engine = packing::make_packing_engine(p, time_step(), 1);
        // The times of the largest displacements, by the parabola through three steps.
        std::vector<double> times, largest, smallest;
        double before = 0.0, now = 0.0;
        while (times.size() < 5 && engine->step() < 2'000'000) {
            engine->advance(1);
            const double next = engine->displacement()[0].y;
            const double bend = next - 2.0 * now + before;
            const double at = -0.5 * (next - before) / bend;
            const double top = now + 0.25 * (next - before) * at;
            if (next <= now && now > before && top > slides * load / k) {
                times.push_back((static_cast<double>(engine->step() - 1) + at) *
                                engine->time_step());
                largest.push_back(top);
            }
            if (next > now && now <= before && !largest.empty() && now < slides * load / k)
                smallest.push_back(top);
            before = now;
            now = next;
        }
        REQUIRE(times.size() == 5);
        INFO(static_cast<int>(law));
        for (std::size_t c = 2; c < times.size(); ++c) {
            MESSAGE("law ", static_cast<int>(law), " ", (times[c] - times[c - 1]) / cycle - 1.0,
                    " ", (largest[c] - slides * load / k) / amplitude - 1.0);
            // The contact's spring is 1e4 times as stiff as the other one, and the dashpot takes
            // away some of the force while the contact begins to slide.
            CHECK_RELATIVE(times[c] - times[c - 1], cycle, 2e-3);
            CHECK_RELATIVE(largest[c] - slides * load / k, amplitude, 2e-3);
        }
        REQUIRE(!smallest.empty());
        CHECK_RELATIVE(slides * load / k - smallest.back(), amplitude, 2e-3);
        CHECK(engine->totals().dissipated_tangential > 0.0);
    }
}

TEST_CASE("a block under a rising force holds to the static limit, then slides with the other") {
    // F = r t. It begins to slide at t0 = mu_s N / r; then v = r (t^2 - t0^2) / (2 m) -
    // mu N (t - t0) / m.
    const double load = mass * gravity, begins = 0.02, rate = sticks * load / begins;
    for (const FrictionLaw law : all_laws) {
        packing::Packing p = block_on_floor(law, 0.0);
        p.elements.forces = {{ForceSignal::constant(0.0),
                              ForceSignal::table({0.0, 10.0}, {0.0, 10.0 * rate}),
                              ForceSignal::constant(0.0)}};
        p.elements.loads = {{0, 0}};
        const auto engine = packing::make_packing_engine(p, time_step(), 1);
        const auto run_to = [&](double time) {
            engine->advance(static_cast<std::int64_t>(time / engine->time_step()) - engine->step());
        };
        INFO(static_cast<int>(law));
        run_to(0.99 * begins);
        // It creeps with the spring: v = r / k.
        CHECK(engine->velocity()[0].y < 3.0 * rate / contact_stiffness);
        CHECK_RELATIVE(engine->displacement()[0].y, 0.99 * sticks * load / contact_stiffness, 1e-2);
        run_to(1.5 * begins);
        const double t = static_cast<double>(engine->step()) * engine->time_step();
        const double expected =
            rate * (t * t - begins * begins) / (2.0 * mass) - slides * load * (t - begins) / mass;
        MESSAGE("law ", static_cast<int>(law), " ", engine->velocity()[0].y / expected - 1.0);
        CHECK_RELATIVE(engine->velocity()[0].y, expected, 1e-3);
        const auto contacts = engine->contacts();
        REQUIRE(contacts.size() == 1);
        CHECK_RELATIVE(size_of(contacts[0].tangential_force), slides * load, 1e-6);
    }
}

TEST_CASE("a static coefficient equal to the other one changes no motion") {
    for (const FrictionLaw law : all_laws) {
        packing::Packing p = block_on_floor(law, 3e-3);
        p.friction.static_coefficient = slides;
        p.friction.damping_ratio = 0.0;
        packing::Packing one = p;
        one.friction.static_coefficient.reset();
        const auto a = packing::make_plain_packing_engine(p, time_step()),
                   b = packing::make_plain_packing_engine(one, time_step());
        a->advance(3000);
        b->advance(3000);
        INFO(static_cast<int>(law));
        CHECK(b->velocity()[0].y > 1e-3);
        CHECK_ABSOLUTE(largest_difference(a->velocity(), b->velocity()), 0.0, 1e-12);
        CHECK_ABSOLUTE(a->totals().dissipated_tangential, b->totals().dissipated_tangential,
                       1e-4 * b->totals().dissipated_tangential);
    }
}

/// mu(v) of Stribeck's curve with a viscous part, written out again.
double curve(const laws::Friction& f, double v) {
    return f.coefficient +
           (*f.static_coefficient - f.coefficient) *
               std::exp(-std::pow(v / f.stribeck_speed, f.stribeck_exponent)) +
           f.viscous_coefficient * v;
}

/// A block so heavy that it stays where it is, and so little gravity that it weighs the same.
packing::Packing held_block(const laws::Friction& friction, double floor_speed) {
    constexpr double heavier = 1e12;
    packing::Packing p = block_on_floor(friction.law, floor_speed);
    p.friction = friction;
    p.mass[0] *= heavier;
    p.gravity = {0, 0, -gravity / heavier};
    return p;
}

TEST_CASE("a block that slides evenly has the coefficient of Stribeck's curve, in both engines") {
    for (const FrictionLaw law : all_laws) {
        for (const double exponent : {0.6, 1.0, 2.0}) {
            for (const double speed : {2e-3, 1e-2, 7e-2}) {
                const packing::Packing p = held_block({.law = law,
                                                       .coefficient = slides,
                                                       .stiffness = contact_stiffness,
                                                       .static_coefficient = sticks,
                                                       .stribeck_speed = 1e-2,
                                                       .stribeck_exponent = exponent,
                                                       .viscous_coefficient = 0.3},
                                                      speed);
                const std::unique_ptr<packing::PackingEngine> engines[] = {
                    packing::make_packing_engine(p, time_step(), 1),
                    packing::make_plain_packing_engine(p, time_step())};
                for (const auto& engine : engines) {
                    const double way = 4.0 * sticks * mass * gravity / contact_stiffness;
                    engine->advance(static_cast<std::int64_t>(way / speed / time_step()) + 10);
                    const auto contacts = engine->contacts();
                    REQUIRE(contacts.size() == 1);
                    const double ratio =
                        size_of(contacts[0].tangential_force) / size_of(contacts[0].normal_force);
                    CHECK_RELATIVE(ratio, curve(p.friction, speed - engine->velocity()[0].y), 1e-9);
                }
            }
        }
    }
}

TEST_CASE("a block slips along Stribeck's curve as a plain integration says") {
    // m x'' = -k x + mu(V - x') N from k x = mu_s N and x' = V, until the velocity is V again.
    const double k = 1e-4 * contact_stiffness, load = mass * gravity;
    const double speed = 0.8 * (sticks - slides) * load / k * std::sqrt(k / mass);
    const laws::Friction curved{.coefficient = slides,
                                .static_coefficient = sticks,
                                .stribeck_speed = 2.0 * speed,
                                .viscous_coefficient = 0.5};
    const double expected = [&] {
        double x = sticks * load / k, v = speed;
        const double h = 1e-4 * std::sqrt(mass / k);
        const auto faster = [&](double at, double velocity) {
            return -k / mass * at + curve(curved, std::abs(speed - velocity)) * gravity;
        };
        v += 1e-12 * speed, x += 1e-9 * x;  // off the balance
        for (bool slower = false; !(slower && v >= speed);) {
            const double a1 = faster(x, v), a2 = faster(x + 0.5 * h * v, v + 0.5 * h * a1),
                         a3 = faster(x + 0.5 * h * (v + 0.5 * h * a1), v + 0.5 * h * a2),
                         a4 = faster(x + h * (v + 0.5 * h * a2), v + h * a3);
            x += h * (v + h / 6.0 * (a1 + a2 + a3));
            v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
            slower = slower || v < 0.0;
        }
        return x;
    }();
    for (const FrictionLaw law : all_laws) {
        packing::Packing p = block_on_floor(law, speed);
        p.friction.stribeck_speed = curved.stribeck_speed;
        p.friction.viscous_coefficient = curved.viscous_coefficient;
        p.elements.foundations.push_back({0, {.stiffness = k}});
        const auto engine = packing::make_packing_engine(p, time_step(), 1);
        double least = 1.0, before = 0.0;
        bool falls = false, turned = false;
        while (!turned && engine->step() < 2'000'000) {
            engine->advance(1);
            const double now = engine->displacement()[0].y, v = engine->velocity()[0].y;
            falls = falls || now < before;
            turned = falls && v >= 0.999 * speed;
            least = now;
            before = now;
        }
        REQUIRE(turned);
        MESSAGE("law ", static_cast<int>(law), " ", least / expected - 1.0);
        CHECK_RELATIVE(least, expected, 5e-3);
        CHECK(engine->totals().dissipated_tangential > 0.0);
    }
}

TEST_CASE("Stribeck's curve never gives energy back, in oblique impacts at random") {
    for (const FrictionLaw law : {FrictionLaw::linear, FrictionLaw::mindlin}) {
        for (std::uint64_t trial = 0; trial < 20; ++trial) {
            const auto number = [&](std::uint64_t k) { return normal_number(21, 8 * trial + k); };
            packing::Packing p = steel_packing("tsuji");
            const double slow = 0.5 * std::abs(number(0));
            p.friction = {.law = law,
                          .coefficient = slow,
                          .stiffness = 5e6,
                          .static_coefficient = slow + 0.3 * std::abs(number(1)),
                          .stribeck_speed = 1e-3 + std::abs(number(2)),
                          .stribeck_exponent = 0.5 + std::abs(number(3)),
                          .viscous_coefficient = 0.1 * std::abs(number(4))};
            p.add(radius, mass, {0, 0, 1.0001 * radius});
            p.velocity[0] = {number(5), number(6), -1.0};
            p.angular_velocity[0] = 400.0 * Vec3{number(7), number(6), number(0)};
            p.walls.push_back({});
            const auto engine = packing::make_packing_engine(p, 2e-8, 1);
            const double before = energy_of(engine->totals());
            engine->advance(5000);
            const packing::PackingTotals after = engine->totals();
            INFO(static_cast<int>(law), " ", trial);
            REQUIRE(engine->velocity()[0].z > 0.0);  // it bounced
            CHECK(after.dissipated_tangential > -1e-9 * before);
            CHECK_ABSOLUTE(energy_of(after), before, 1e-5 * before);
        }
    }
}

TEST_CASE("a static coefficient below the other one is refused") {
    packing::Packing p = block_on_floor(FrictionLaw::mindlin, 0.0);
    p.friction.static_coefficient = 0.5 * slides;
    CHECK(packing::validate(p).find(
              "friction: static_coefficient is 0.175; expected the coefficient, 0.35") == 0);
    p = block_on_floor(FrictionLaw::mindlin, 0.0);
    p.friction.static_coefficient.reset();
    p.friction.stribeck_speed = 0.1;
    CHECK(packing::validate(p).find("friction: stribeck_speed is that of a curve") == 0);
    p.friction.static_coefficient = sticks;
    p.friction.stribeck_exponent = 0.0;
    CHECK(packing::validate(p).find("friction: stribeck_exponent is 0; expected") == 0);
}

}  // namespace beadwave::validation::stick_slip_friction_test
