// Rigid contacts (contact dynamics) on few bodies, beside closed forms.

#include "packing_system/packing_measures.hpp"
#include "packing_texts.hpp"
#include "relative.hpp"
#include "rigid_packings.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace beadwave::validation::rigid_packing_test {

using packing::Packing;
using packing::Vec3;

namespace {

constexpr double radius = 0.01, g = standard_gravity;

/// Height and velocity of a point that falls from `height` at rest and bounces, at `time`.
struct Bouncing {
    double height, velocity;
};
Bouncing bouncing(double height, double e, double time) {
    const double first = std::sqrt(2.0 * height / g);
    if (time < first) return {height - 0.5 * g * time * time, -g * time};
    double left = time - first, up = e * g * first;
    while (left > 2.0 * up / g) {
        left -= 2.0 * up / g;
        up *= e;
    }
    return {up * left - 0.5 * g * left * left, up - g * left};
}

Packing dropped(double e, double height) {
    Packing p = rigid_packing(e, 0.0);
    p.gravity = {0.0, 0.0, -g};
    p.add(radius, 1.0, {0.0, 0.0, radius + height});
    add_plane(p, {}, {0.0, 0.0, 1.0});
    return p;
}

}  // namespace

TEST_CASE("a rigid ball bounces with its restitution, with an error of the first order") {
    constexpr double height = 0.1, end = 0.6, e = 0.8;
    const double fall = std::sqrt(2.0 * g * height);
    const Bouncing expected = bouncing(height, e, end);
    for (const double step : {1e-3, 1e-4, 1e-5}) {
        CAPTURE(step);
        const auto engine = packing::make_rigid_packing_engine(dropped(e, height), step);
        engine->advance(std::llround(end / step));
        // Each of the three impacts comes up to a step early or late: two speeds of falling for
        // each.
        CHECK_ABSOLUTE(height + engine->motion(0).displacement.z, expected.height,
                       6.0 * step * fall);
        CHECK_ABSOLUTE(engine->motion(0).velocity.z, expected.velocity, 6.0 * step * g);
        const packing::PackingTotals t = engine->totals();
        CHECK(std::abs(energy_of(t)) < 1e-13);  // from rest at 0 J of 1 J
        CHECK(t.dissipated_normal > 0.0);
        // It is where it touches within half a step of the fastest fall.
        CHECK(engine->rigid()->penetration.overlap <= 0.5 * step * fall);
    }
}

TEST_CASE("a rigid ball with e = 1 keeps its energy over a thousand bounces") {
    constexpr double height = 0.01, step = 1e-3;
    const auto engine = packing::make_rigid_packing_engine(dropped(1.0, height), step);
    double highest = 0.0;
    for (int k = 0; k < 1000; ++k) {
        engine->advance(90);
        const packing::PackingTotals t = engine->totals();
        highest = std::max(highest, std::abs(t.translational - t.external_work));
        REQUIRE(t.dissipated_normal == 0.0);
    }
    CHECK(highest < 1e-10 * g * height);
}

TEST_CASE("a rigid sphere slides, then rolls at five sevenths of its speed") {
    constexpr double speed = 1.0, mu = 0.3, step = 1e-3;
    Packing p = rigid_packing(0.0, mu);
    p.gravity = {0.0, 0.0, -g};
    p.add(radius, 1.0, {0.0, 0.0, radius});
    p.velocity[0].x = speed;
    add_plane(p, {}, {0.0, 0.0, 1.0});
    const auto engine = packing::make_rigid_packing_engine(p, step);
    const double rolls_at = 2.0 / 7.0 * speed / (mu * g);
    engine->advance(50);
    CHECK_RELATIVE(engine->motion(0).velocity.x, speed - mu * g * 50 * step, 1e-12);
    engine->advance(150);
    CHECK_RELATIVE(engine->motion(0).velocity.x, 5.0 / 7.0 * speed, 1e-12);
    CHECK_RELATIVE(engine->motion(0).angular_velocity.y, 5.0 / 7.0 * speed / radius, 1e-12);
    // Sliding ends within a step, which moves the place by less than the lost speed times it.
    const double place = speed * rolls_at - 0.5 * mu * g * rolls_at * rolls_at +
                         5.0 / 7.0 * speed * (200 * step - rolls_at);
    CHECK_ABSOLUTE(engine->motion(0).displacement.x, place, mu * g * step * step);
    CHECK_RELATIVE(engine->totals().dissipated_tangential, 0.5 * speed * speed * 2.0 / 7.0, 1e-12);
    CHECK(engine->totals().dissipated_normal == 0.0);
}

TEST_CASE("each sphere of a rigid column at rest carries the weight above it") {
    constexpr int count = 20;
    Packing p = rigid_packing(0.0, 0.5);
    p.gravity = {0.0, 0.0, -g};
    for (int i = 0; i < count; ++i)
        p.add(radius, 0.5, {0.0, 0.0, (2 * i + 1) * radius});
    add_plane(p, {}, {0.0, 0.0, 1.0});
    p.region = packing::Region{{-radius, -radius, 0.0}, {radius, radius, 2.0 * count * radius}};
    const auto engine = packing::make_rigid_packing_engine(p, 1e-3);
    engine->advance(20);
    CHECK_RELATIVE(force_on_wall(*engine, 0).z, -count * 0.5 * g, 1e-10);
    const auto contacts = engine->contacts();
    REQUIRE(contacts.size() == count);
    for (const packing::ContactState& c : contacts) {
        const double above = c.second == count ? count : count - 1 - static_cast<double>(c.first);
        CHECK_RELATIVE(std::abs(c.normal_force.z), above * 0.5 * g, 1e-10);
    }
    CHECK(engine->rigid()->penetration.depth < 1e-10);
    CHECK(engine->rigid()->unconverged == 0);
    // Love and Weber: sum of force times branch over the volume, half of the floor's is inside.
    double sum = 0.0;
    for (int k = 1; k < count; ++k)
        sum += (count - k) * 0.5 * g * 2.0 * radius;
    sum += count * 0.5 * g * radius;
    const observers::MeasuredState now(p, *engine);
    CHECK_RELATIVE(observers::contact_stress(now)[8],
                   -sum / (4.0 * radius * radius * 2.0 * count * radius), 1e-10);
}

TEST_CASE("Newton's cradle of rigid balls: at once if they touch, one after another if not") {
    const auto after = [](double gap) {
        Packing p = rigid_packing(1.0, 0.0);
        for (int i = 0; i < 3; ++i)
            p.add(radius, 1.0, {i * (2.0 * radius + gap) - (i == 0 ? 1e-3 : 0.0), 0.0, 0.0});
        p.velocity[0].x = 1.0;
        const auto engine = packing::make_rigid_packing_engine(p, 1e-5);
        engine->advance(1000);
        CHECK_RELATIVE(engine->totals().translational, 0.5, 1e-12);
        CHECK_RELATIVE(engine->totals().momentum.x, 1.0, 1e-12);
        std::vector<double> speeds;
        for (std::size_t i = 0; i < 3; ++i)
            speeds.push_back(engine->motion(i).velocity.x);
        return speeds;
    };
    // Newton's law at both contacts at once: v2 - v1 = 1, v3 - v2 = 0, and the momentum.
    const std::vector<double> touching = after(0.0), apart = after(1e-3);
    const double at_once[] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, in_turn[] = {0.0, 0.0, 1.0};
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK_ABSOLUTE(touching[i], at_once[i], 1e-11);
        CHECK_ABSOLUTE(apart[i], in_turn[i], 1e-11);
    }
}

TEST_CASE("a wall that moves takes a rigid sphere along, and the ledger has its work") {
    constexpr double speed = 0.2, mass = 0.5;
    const auto pushed = [&](double e) {
        Packing p = rigid_packing(e, 0.0);
        p.add(radius, mass, {0.0, 0.0, 0.0});
        add_plane(p, {-2.0 * radius, 0.0, 0.0}, {1.0, 0.0, 0.0}, {speed, 0.0, 0.0});
        auto engine = packing::make_rigid_packing_engine(p, 1e-4);
        engine->advance(2000);
        return engine;
    };
    const auto taken = pushed(0.0), thrown = pushed(0.5);
    CHECK_RELATIVE(taken->motion(0).velocity.x, speed, 1e-12);
    CHECK_RELATIVE(taken->totals().external_work, mass * speed * speed, 1e-12);
    CHECK_RELATIVE(taken->totals().dissipated_normal, 0.5 * mass * speed * speed, 1e-12);
    CHECK_RELATIVE(thrown->motion(0).velocity.x, 1.5 * speed, 1e-12);
    CHECK(std::abs(energy_of(thrown->totals())) < 1e-15);

    // A floor that vibrates gently carries the sphere: its force is m (g + a), to the first order.
    Packing p = rigid_packing(0.0, 0.0);
    p.gravity = {0.0, 0.0, -g};
    p.add(radius, mass, {0.0, 0.0, radius});
    add_plane(p, {}, {0.0, 0.0, 1.0});
    constexpr double frequency = 10.0, amplitude = 1e-3, step = 1e-4;
    const double omega = 2.0 * std::numbers::pi * frequency;
    p.walls[0].drive = stepping::Drive::sine(frequency, amplitude);
    const auto engine = packing::make_rigid_packing_engine(p, step);
    Largest worst;
    for (int k = 1; k <= 1000; ++k) {
        engine->advance(1);
        // The mean over the step is that in its middle.
        const double a = -amplitude * omega * omega * std::sin(omega * (k - 1.0) * step);
        if (k > 2) worst.enter(std::abs(-force_on_wall(*engine, 0).z - mass * (g + a)));
    }
    CHECK(worst < mass * amplitude * omega * omega * omega * step);
    CHECK(std::abs(energy_of(engine->totals())) < 1e-14);
}

TEST_CASE("rigid spheres collide across the edge of a periodic box") {
    Packing p = rigid_packing(0.5, 0.0);
    p.box = {.lower = {0, 0, 0}, .upper = {0.2, 0.2, 0.2}, .periodic = {true, false, false}};
    p.add(radius, 1.0, {0.03, 0.0, 0.0});
    p.add(radius, 3.0, {0.17, 0.0, 0.0});
    p.velocity[0].x = -1.0;
    const auto engine = packing::make_rigid_packing_engine(p, 1e-4);
    engine->advance(1000);
    // v1 - v2 = e, m1 v1 + m2 v2 = -m1.
    CHECK_ABSOLUTE(engine->motion(1).velocity.x, -1.5 / 4.0, 1e-12);
    CHECK_ABSOLUTE(engine->motion(0).velocity.x, -1.5 / 4.0 + 0.5, 1e-12);
    CHECK_RELATIVE(engine->totals().momentum.x, -1.0, 1e-14);
    CHECK(std::abs(energy_of(engine->totals()) - 0.5) < 1e-14);
}

TEST_CASE("spheres that have just come into the list of rigid pairs do not touch") {
    Packing p = rigid_packing(0.5, 0.0);
    p.add(radius, 1.0, {0.0, 0.0, 0.0});
    p.add(radius, 1.0, {0.1, 0.0, 0.0});
    p.velocity[0].x = 1.0;
    const auto engine = packing::make_rigid_packing_engine(p, 1e-4);
    for (int step = 1; step <= 790; ++step) {  // they meet after 800
        engine->advance(1);
        REQUIRE(engine->contacts().empty());
    }
    REQUIRE(engine->neighbour_list_builds() > 10);
    engine->advance(20);
    CHECK(engine->motion(1).velocity.x > 0.5);
}

TEST_CASE("a rigid impact that slides takes Coulomb's part of the tangential speed") {
    // A sphere against a wall, 60 degrees from the normal: with mu (1 + e) 7/2 v_n < v_t it slides
    // to the end, so e and mu alone give its velocity and rotation.
    constexpr double e = 0.6, mu = 0.1, v_n = 0.5, step = 1e-4;
    const double v_t = v_n * std::tan(std::numbers::pi / 3.0);
    REQUIRE(3.5 * mu * (1.0 + e) * v_n < v_t);
    Packing p = rigid_packing(e, mu);
    p.add(radius, 1.0, {0.0, 0.0, 1.5 * radius});
    p.velocity[0] = {v_t, 0.0, -v_n};
    add_plane(p, {}, {0.0, 0.0, 1.0});
    const auto engine = packing::make_rigid_packing_engine(p, step);
    engine->advance(1000);
    const packing::Motion m = engine->motion(0);
    // The arm is the height at the start of the step, which is R to within half a step.
    const double arm = 0.5 * step * v_n / radius;
    CHECK_RELATIVE(m.velocity.z, e * v_n, 1e-12);
    CHECK_RELATIVE(m.velocity.x, v_t - mu * (1.0 + e) * v_n, 1e-12);
    CHECK_RELATIVE(m.angular_velocity.y * radius, 2.5 * mu * (1.0 + e) * v_n, 1.01 * arm);
    CHECK(engine->totals().dissipated_tangential > 0.0);
}

TEST_CASE("springs come to the forces of rigid discs with the inverse of their stiffness") {
    // Two discs between walls, a third on them: statics gives all forces.
    constexpr double width = 4.6 * radius, mass = 0.1, weight = mass * g;
    const double sine = (0.5 * width - radius) / (2.0 * radius);
    const double cosine = std::sqrt(1.0 - sine * sine);
    Packing p = rigid_packing(0.0, 0.0, 1e-14);
    p.dimension = 2;
    p.gravity = {0.0, -g, 0.0};
    p.add(radius, mass, {radius, radius, 0.0});
    p.add(radius, mass, {width - radius, radius, 0.0});
    p.add(radius, mass, {0.5 * width, radius + 2.0 * radius * cosine, 0.0});
    add_plane(p, {}, {0.0, 1.0, 0.0});
    add_plane(p, {}, {1.0, 0.0, 0.0});
    add_plane(p, {width, 0.0, 0.0}, {-1.0, 0.0, 0.0});
    const auto rigid = packing::make_rigid_packing_engine(p, 1e-3);
    rigid->advance(5);
    const double side = 0.5 * weight * sine / cosine;
    CHECK_RELATIVE(-force_on_wall(*rigid, 0).y, 3.0 * weight, 1e-12);
    CHECK_RELATIVE(-force_on_wall(*rigid, 1).x, side, 1e-12);
    CHECK_RELATIVE(force_on_wall(*rigid, 2).x, side, 1e-12);
    double last = 0.0;
    for (const double stiffness : {1e4, 1e5, 1e6}) {
        Packing soft = p;
        soft.law = law_settings("kelvin-voigt", {{"stiffness", stiffness}, {"restitution", 0.1}});
        const double step = 0.1 * std::sqrt(mass / stiffness);
        const auto springs = packing::make_packing_engine(soft, step, 1);
        springs->advance(static_cast<std::int64_t>(0.5 / step));
        const double error = std::abs(-force_on_wall(*springs, 1).x / side - 1.0);
        if (last > 0.0) CHECK_RELATIVE(last / error, 10.0, 0.1);
        last = error;
    }
    CHECK(last < 1e-3);
}

TEST_CASE("a rigid run that is restored continues to the same bits") {
    Packing p = rigid_packing(0.3, 0.4, 1e-9);
    p.dimension = 2;
    p.gravity = {0.0, -g, 0.0};
    for (int i = 0; i < 12; ++i)
        p.add(radius * (1.0 + 0.02 * i), 1.0 + 0.1 * i,
              {0.023 * (i % 4) + 0.015 + 0.002 * (i / 4), 0.03 * (i / 4) + 0.015, 0.0});
    add_plane(p, {}, {0.0, 1.0, 0.0}, {0.01, 0.0, 0.0});
    add_plane(p, {}, {1.0, 0.0, 0.0});
    add_plane(p, {0.1, 0.0, 0.0}, {-1.0, 0.0, 0.0});
    const auto whole = packing::make_rigid_packing_engine(p, 2e-4);
    whole->advance(400);
    std::map<std::string, std::vector<double>> saved;
    for (const packing::PackingColumn& column : whole->state())
        saved[column.name].assign(column.values.begin(), column.values.end());
    whole->advance(300);
    const auto restored = packing::make_rigid_packing_engine(p, 2e-4);
    restored->restore(400, packing::SavedColumns([&](const std::string& name) {
                          return std::span<const double>(saved.at(name));
                      }));
    restored->advance(300);
    const auto expected = whole->state();
    std::vector<std::vector<double>> values;
    for (const packing::PackingColumn& column : expected)
        values.emplace_back(column.values.begin(), column.values.end());
    const auto got = restored->state();
    REQUIRE(got.size() == expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        CAPTURE(got[k].name);
        CHECK(std::vector<double>(got[k].values.begin(), got[k].values.end()) == values[k]);
    }
    CHECK(whole->neighbour_list_builds() > 1);
    CHECK(whole->totals().dissipated_normal > 0.0);
}

TEST_CASE("what rigid contacts do not have is refused by name") {
    const std::string head =
        "[material.steel]\nyoungs_modulus = 2e11\npoisson_ratio = 0.3\ndensity = 7800\n"
        "[[particles]]\nposition = [0, 0, 0.5]\nradius = 0.1\nmaterial = \"steel\"\n"
        "[law]\nname = \"rigid\"\n[time]\nend = 1e-3\nstep = 1e-4\n";
    CHECK(built(head).is_rigid());
    CHECK(built(head + "[friction]\nlaw = \"coulomb\"\ncoefficient = 0.3\n").friction.coefficient ==
          0.3);
    check_refused(head + "[friction]\nlaw = \"mindlin\"\ncoefficient = 0.3\n",
                  "rigid contacts have no tangential stiffness");
    for (const char* const curve : {"stribeck_speed = 0.1\nstatic_coefficient = 0.4\n",
                                    "viscous_coefficient = 0.1\n", "static_coefficient = 0.4\n"})
        check_refused(head + "[friction]\nlaw = \"coulomb\"\ncoefficient = 0.3\n" + curve,
                      "rigid contacts have one coefficient");
    check_refused(head + "[rolling]\ncoefficient = 0.1\n", "no resistance to rolling");
    check_refused(head + "[dissipation]\nper = [\"contact\"]\n[snapshots]\ninterval = 1e-3\n",
                  "leave it out with the law rigid");
    check_refused(head +
                      "[[wall]]\nshape = \"cylinder\"\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n"
                      "radius = 1.0\nmaterial = \"steel\"\n",
                  "expected planes around rigid contacts");
    check_refused(head +
                      "[box]\nlower = [-1, -1, -1]\nupper = [1, 1, 1]\n"
                      "periodic = [true, true, true]\nstrain_rate = [0.1, 0, 0]\n",
                  "expected a box that stays as it is around rigid contacts");
    check_refused(head + "[[load]]\nparticles = [0, 0]\nforce = [1.0, 0, 0]\n",
                  "cannot carry them yet");
    check_refused(head +
                      "[[pair]]\nmaterials = [\"steel\", \"steel\"]\n"
                      "law = { solver_tolerance = 1e-3 }\n",
                  "one solver finds the impulses of all contacts");
    check_refused("precision = \"mixed\"\n" + head, "in double precision");
    std::string smooth = head;
    smooth.replace(smooth.find("rigid"), 5, "hertz");
    check_refused(smooth + "[friction]\nlaw = \"coulomb\"\ncoefficient = 0.3\n",
                  "\"coulomb\" is that of rigid contacts");
}

}  // namespace beadwave::validation::rigid_packing_test
