// Conservation of momentum, angular momentum and energy, and bitwise reproducibility.

#include "largest.hpp"
#include "normal_numbers.hpp"
#include "packing_system/packing_balance.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"

#include <array>
#include <string>

namespace beadwave::validation::packing_conservation_test {

using packing::Vec3;

namespace {

double random_number(std::uint64_t number) {  // nearly always in (-1, 1)
    return 0.5 * normal_number(7, number);
}

/// Rotating spheres that fly at each other. Every one of them collides.
packing::Packing cloud(std::size_t count, double speed, const std::string& law,
                       const laws::Friction& friction) {
    packing::Packing p = steel_packing(law);
    p.friction = friction;
    std::vector<double> radii;
    for (std::size_t i = 0; i < count; ++i)
        radii.push_back(steel_radius * (1.0 + 0.1 * normal_number(11, i)));
    const double edge = std::cbrt(static_cast<double>(count) / 0.18 * 4.2) * steel_radius;
    const auto centres = packing::random_loose(radii, {-0.5 * edge, -0.5 * edge, -0.5 * edge},
                                               {0.5 * edge, 0.5 * edge, 0.5 * edge}, 3, 5);
    for (std::size_t i = 0; i < count; ++i) {
        p.add(radii[i], steel_mass(radii[i]), centres[i]);
        const Vec3 noise{random_number(6 * i), random_number(6 * i + 1), random_number(6 * i + 2)};
        p.velocity[i] = speed * (-1.0 / edge * centres[i] + 0.5 * noise);
        p.angular_velocity[i] =
            (2.0 * speed / steel_radius) *
            Vec3{random_number(6 * i + 3), random_number(6 * i + 4), random_number(6 * i + 5)};
    }
    return p;
}

/// A few spheres that a moving wall squeezes against a wall at rest and throws about.
packing::Packing squeezed(const std::string& law, const laws::Friction& friction,
                          const laws::Rolling& rolling = {}) {
    packing::Packing p = steel_packing(law);
    p.friction = friction;
    p.rolling = rolling;
    add_crystal(p, {.lattice = packing::Lattice::bcc,
                    .cells = {1, 1, 2},
                    .origin = {0, 0, steel_radius},
                    .radius = steel_radius});
    for (std::size_t i = 0; i < p.particles(); ++i) {
        p.velocity[i] = {random_number(3 * i), random_number(3 * i + 1),
                         -1.0 + random_number(3 * i + 2)};
        p.angular_velocity[i] =
            (1.0 / steel_radius) *
            Vec3{random_number(i + 50), random_number(i + 60), random_number(i + 70)};
    }
    p.walls.push_back({});
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, 0.02}, .normal = {0, 0, -1}},
                       .velocity = {0.3, 0, -0.5}});
    p.gravity = {0, 0, -9.81};
    return p;
}

const laws::Friction linear_friction{
    .law = laws::FrictionLaw::linear, .coefficient = 0.3, .stiffness = 5e6, .damping = 1.0};

}  // namespace

TEST_CASE("a cloud of a thousand spheres with friction keeps momentum and angular momentum") {
    for (const auto law : {laws::FrictionLaw::mindlin, laws::FrictionLaw::linear}) {
        laws::Friction friction = linear_friction;
        friction.law = law;
        if (law != laws::FrictionLaw::linear) friction.damping = 0.0;
        packing::Packing p = cloud(1000, 2.0, "tsuji", friction);
        p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01, .damping_ratio = 0.1};
        const auto engine = packing::make_plain_packing_engine(p, 2e-7);
        const packing::PackingTotals before = engine->totals();
        engine->advance(4000);
        const packing::PackingTotals after = engine->totals();
        double momentum = 0.0, angular = 0.0;
        for (std::size_t i = 0; i < p.particles(); ++i) {
            momentum += p.mass[i] * size_of(p.velocity[i]);
            angular += size_of(cross(p.position[i], p.mass[i] * p.velocity[i])) +
                       p.inertia[i] * size_of(p.angular_velocity[i]);
        }
        CHECK(engine->neighbour_list_builds() > 0);
        CHECK(after.dissipated_tangential > 0.05 * before.translational);
        CHECK(after.dissipated_rolling > 0.0);
        CHECK(after.dissipated_rolling < after.dissipated_tangential);
        CHECK_ABSOLUTE(size_of(after.momentum - before.momentum), 0.0, 1e-12 * momentum);
        CHECK_ABSOLUTE(size_of(after.angular_momentum - before.angular_momentum), 0.0,
                       1e-12 * angular);
        MESSAGE("momentum " << size_of(after.momentum - before.momentum) / momentum << ", angular "
                            << size_of(after.angular_momentum - before.angular_momentum) / angular
                            << ", list rebuilds " << engine->neighbour_list_builds()
                            << ", dissipated by normal law "
                            << after.dissipated_normal / before.translational << ", friction "
                            << after.dissipated_tangential / before.translational);
    }
}

TEST_CASE("the ledger balances for twelve laws and three tangential laws") {
    const std::array<std::string, 12> names = {
        "hertz",  "hooke",         "ma-liu", "thornton",      "stronge",   "walton-braun",
        "flores", "hunt-crossley", "tsuji",  "kuwabara-kono", "jankowski", "lankarani-nikravesh"};
    for (const std::string& name : names) {
        for (const auto law : {laws::FrictionLaw::linear, laws::FrictionLaw::mindlin,
                               laws::FrictionLaw::mindlin_displacement}) {
            laws::Friction friction = linear_friction;
            friction.law = law;
            if (law != laws::FrictionLaw::linear) friction.damping = 0.0;
            // While a contact slides, the work of its dashpot is computed to first order.
            const int finer = law == laws::FrictionLaw::linear ? 4 : 1;
            const auto engine =
                packing::make_plain_packing_engine(squeezed(name, friction), 2e-8 / finer);
            const packing::PackingTotals before = engine->totals();
            engine->advance(30000 * finer);
            const packing::PackingTotals after = engine->totals();
            const double scale =
                before.translational + before.rotational + std::abs(after.external_work);
            INFO(name, " ", static_cast<int>(law));
            CHECK_ABSOLUTE(energy_of(after), energy_of(before), 1e-6 * scale);
            CHECK(after.dissipated_normal >= -1e-6 * scale);
            CHECK(after.dissipated_tangential > 1e-3 * scale);
        }
    }
}

TEST_CASE("the ledger's entries balance with their signs, and parts add up to their totals") {
    for (const bool slides : {false, true}) {
        const laws::Friction friction = slides ? linear_friction : laws::Friction{};
        const packing::Packing p =
            squeezed("tsuji", friction,
                     {.coefficient = 0.02, .twisting_coefficient = 0.01, .damping_ratio = 0.1});
        const auto engine = packing::make_packing_engine(p, 2e-8, 1);
        const packing::PackingTotals start = engine->totals();
        engine->advance(30000);
        const recording::Ledger ledger =
            observers::balance(start, engine->totals(), start.translational);
        double sum = 0.0;
        for (const auto& entry : recording::entries_of(recording::SystemKind::packing))
            sum += entry.side * entry.of(ledger);
        CHECK_ABSOLUTE(sum, 0.0, 1e-13 * ledger.scale);
        CHECK_ABSOLUTE(ledger.energy_error, 0.0, 1e-4 * ledger.scale);
        CHECK_RELATIVE(ledger.relative_energy_error * ledger.scale, ledger.energy_error, 1e-12);
        CHECK(ledger.kinetic == ledger.translational + ledger.rotational);
        CHECK_ABSOLUTE(
            ledger.dissipated,
            ledger.normal_dissipation + ledger.friction_dissipation + ledger.rolling_dissipation,
            1e-13 * ledger.scale);
        CHECK((ledger.friction_dissipation > 0.0) == slides);
        CHECK(ledger.rolling_dissipation > 0.0);
    }
}

TEST_CASE("the energy error falls with the square of the time step") {
    // Sticking friction, which is smooth: the contacts never slide.
    std::array<double, 3> error{};
    for (int k = 0; k < 3; ++k) {
        const laws::Friction friction{.law = laws::FrictionLaw::mindlin_displacement,
                                      .coefficient = 1e9};
        packing::Packing p = squeezed("hertz", friction);
        const double dt = 4e-7 / (1 << k);
        const auto engine = packing::make_plain_packing_engine(p, dt);
        const double before = energy_of(engine->totals());
        engine->advance(1500LL << k);
        error[static_cast<std::size_t>(k)] = std::abs(energy_of(engine->totals()) - before);
    }
    MESSAGE("errors " << error[0] << " " << error[1] << " " << error[2]);
    CHECK(std::log2(error[0] / error[1]) > 1.9);
    CHECK(std::log2(error[1] / error[2]) > 1.9);
}

TEST_CASE("rebuilding the neighbour list at every step changes almost nothing") {
    for (const std::string name : {"hertz", "ma-liu"}) {
        packing::Packing p =
            squeezed(name, {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3});
        p.skin = 5e-3;
        const auto never = packing::make_plain_packing_engine(p, 1e-7);
        const auto always = packing::make_plain_packing_engine(p, 1e-7);
        for (int step = 0; step < 3000; ++step) {
            never->advance(1);
            always->advance(1);
            always->rebuild_list();
        }
        CHECK(never->neighbour_list_builds() == 0);
        Largest worst, largest;
        for (std::size_t i = 0; i < p.particles(); ++i) {
            worst.enter(size_of(never->velocity()[i] - always->velocity()[i]));
            largest.enter(size_of(never->velocity()[i]));
        }
        // Not bitwise: the change of the distance is computed from another reference.
        CHECK_ABSOLUTE(worst, 0.0, 1e-12 * largest);
        MESSAGE("relative difference " << worst / largest);
    }
}

TEST_CASE("a packing restored from its state continues bitwise identically") {
    packing::Packing p =
        squeezed("ma-liu", {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3},
                 {.coefficient = 0.01, .twisting_coefficient = 0.01, .damping_ratio = 0.1});
    p.skin = 0.1 * steel_radius;
    const auto whole = packing::make_plain_packing_engine(p, 2e-7);
    whole->advance(1700);
    SavedPacking columns = saved(*whole);
    CHECK(whole->neighbour_list_builds() > 0);
    const auto again = packing::make_plain_packing_engine(p, 2e-7);
    restore(*again, 1700, columns);
    CHECK(again->totals().dissipated_tangential == whole->totals().dissipated_tangential);
    whole->advance(2000);
    again->advance(2000);
    CHECK(again->displacement() == whole->displacement());
    CHECK(again->velocity() == whole->velocity());
    CHECK(again->angular_velocity() == whole->angular_velocity());
    CHECK(again->totals().dissipated_tangential == whole->totals().dissipated_tangential);
    CHECK(again->totals().dissipated_rolling == whole->totals().dissipated_rolling);
    CHECK(again->totals().dissipated_normal == whole->totals().dissipated_normal);
    CHECK(again->totals().external_work == whole->totals().external_work);
    columns["gap"].pop_back();
    CHECK_THROWS_AS(restore(*again, 1700, columns), std::invalid_argument);
}

}  // namespace beadwave::validation::packing_conservation_test
