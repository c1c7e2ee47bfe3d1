// Tangential dashpots, two coefficients of friction and Stribeck's curve in all engines, beside
// what else packings have.

#include "meshes.hpp"
#include "mixed_packings.hpp"
#include "normal_numbers.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing/state/fingerprint.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "resumed_packings.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "shared_packings.hpp"
#include "tumbling.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::tangential_dashpot_engines_test {

using laws::FrictionLaw;
using packing::Vec3;
using stepping::ForceSignal;

namespace {

std::vector<laws::Friction> frictions() {
    return {{.law = FrictionLaw::mindlin, .coefficient = 0.3, .damping = 1.0},
            {.law = FrictionLaw::mindlin, .coefficient = 0.3, .damping_factor = 1.0},
            {.law = FrictionLaw::mindlin_displacement,
             .coefficient = 0.3,
             .normal_damping_factor = 0.7},
            {.law = FrictionLaw::mindlin_displacement,
             .coefficient = 0.3,
             .damping_ratio = 0.3,
             .static_coefficient = 0.5},
            {.law = FrictionLaw::linear,
             .coefficient = 0.3,
             .stiffness = 5e6,
             .damping = 1.0,
             .static_coefficient = 0.5},
            {.law = FrictionLaw::mindlin,
             .coefficient = 0.3,
             .damping_ratio = 0.1,
             .static_coefficient = 0.5,
             .stribeck_speed = 0.05,
             .viscous_coefficient = 0.1},
            {.law = FrictionLaw::linear,
             .coefficient = 0.3,
             .stiffness = 5e6,
             .static_coefficient = 0.5,
             .stribeck_speed = 0.05,
             .stribeck_exponent = 0.7}};
}

packing::Packing tumble(const laws::Friction& friction, bool rolls, std::int64_t layers = 6) {
    packing::Packing p = tumbling("tsuji", friction,
                                  {.lattice = packing::Lattice::bcc,
                                   .cells = {5, 4, layers},
                                   .origin = {0, 0, steel_radius},
                                   .radius = steel_radius});
    if (rolls)
        p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01, .damping_ratio = 0.2};
    p.skin = 2e-5;
    return p;
}

/// The largest difference of two engines: velocities, forces of contacts, energies, limits.
double difference(const packing::PackingEngine& a, const packing::PackingEngine& b) {
    Largest worst;
    worst.enter(largest_difference(a.velocity(), b.velocity()));
    worst.enter(largest_difference(a.angular_velocity(), b.angular_velocity()));
    const packing::PackingTotals s = a.totals(), t = b.totals();
    const double scale = t.translational + t.rotational;
    worst.enter(std::abs(s.stored_tangential - t.stored_tangential) / scale);
    worst.enter(std::abs(s.dissipated_tangential - t.dissipated_tangential) / scale);
    worst.enter(std::abs(s.dissipated_normal - t.dissipated_normal) / scale);
    const auto one = a.contacts(), two = b.contacts();
    REQUIRE(one.size() == two.size());
    std::vector<Vec3> f, g;
    for (std::size_t k = 0; k < one.size(); ++k) {
        f.push_back(one[k].tangential_force);
        g.push_back(two[k].tangential_force);
    }
    if (!f.empty()) worst.enter(largest_difference(f, g));
    const packing::StabilityLimits m = a.stability_limits(1.0), n = b.stability_limits(1.0);
    worst.enter(std::abs(m.frequency / n.frequency - 1.0));
    worst.enter(std::abs(m.damping / n.damping - 1.0));
    return worst;
}

/// Soft spheres thrown into a tray of triangles, one of them under a load that varies.
packing::Packing in_tray(const laws::Friction& friction) {
    packing::Packing p = soft_rough_crystal("tsuji");
    p.friction = friction;
    p.friction.stiffness *= 1e-3;
    if (p.friction.damping > 0.0) p.friction.damping = 0.05;
    const double d = 2.0 * steel_radius;
    for (std::size_t i = 0; i < p.particles(); ++i) {
        p.position[i].z += 0.1 * d;
        p.velocity[i] = 0.1 * Vec3{normal_number(5, 3 * i), normal_number(5, 3 * i + 1), -5.0};
    }
    p.walls.push_back({.shape = mesh_of(plate({-2.0 * d, -2.0 * d, -0.55 * d}, {8.0 * d, 0, 0},
                                              {0, 7.0 * d, 0}, 5))});
    p.elements.forces = {
        {ForceSignal::sine(300.0, 0.05), ForceSignal::constant(0.01), ForceSignal::constant(0.0)}};
    p.elements.loads = {{7, 0}, {20, 0}};
    return p;
}

/// A periodic crystal that is sheared and pressed.
packing::Packing in_straining_box(const laws::Friction& friction) {
    const packing::Crystal fcc{.lattice = packing::Lattice::fcc,
                               .cells = {3, 3, 3},
                               .radius = steel_radius,
                               .overlap = 1e-6};
    packing::Packing p = steel_packing("tsuji");
    p.friction = friction;
    add_crystal(p, fcc);
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = 0.05 * Vec3{normal_number(9, 3 * i), normal_number(9, 3 * i + 1),
                                    normal_number(9, 3 * i + 2)};
    p.box = {.lower = {-1e-3, -1e-3, -1e-3},
             .upper = packing::period(fcc) + Vec3{-1e-3, -1e-3, -1e-3},
             .periodic = {true, true, true}};
    p.box.strain = packing::Straining{.rate = {-2.0, 1.0, 0.0}, .shear_rate = {5.0, 0.0, 3.0}};
    return p;
}

}  // namespace

TEST_CASE("tangential dashpots: the fast engine gives the results of the plain one") {
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        for (const bool rolls : {false, true}) {
            for (const laws::Friction& friction : frictions()) {
                const packing::Packing p = tumble(friction, rolls);
                const auto plain = packing::make_plain_packing_engine(p, 2e-7);
                const auto fast = packing::make_packing_engine(p, 2e-7, 1, set);
                plain->advance(120);
                fast->advance(120);
                INFO(set.name, " ", rolls, " ", friction.damping, " ", friction.damping_factor);
                const double found = difference(*fast, *plain);
                MESSAGE("set ", std::string(set.name), " ", found);
                CHECK(plain->totals().dissipated_tangential > 0.0);
                CHECK(found < 1e-12);
            }
        }
    }
}

TEST_CASE("tangential dashpots: pairs that are all different, and mixed precision") {
    for (const laws::Friction& friction : frictions()) {
        packing::Packing p = tumble(friction, false);
        for (const bool differ : {false, true}) {
            for (std::size_t i = 0; differ && i < p.particles(); ++i) {
                const double ratio = 1.0 + 1e-4 * normal_number(4, i);
                p.radius[i] *= ratio;
                p.mass[i] *= ratio * ratio * ratio;
                p.inertia[i] *= std::pow(ratio, 5);
            }
            const auto plain = packing::make_plain_packing_engine(p, 2e-7);
            plain->advance(200);
            const auto fast = packing::make_packing_engine(p, 2e-7, 1);
            fast->advance(200);
            const auto mixed = packing::make_packing_engine(in_mixed_precision(p), 2e-7, 1);
            mixed->advance(200);
            INFO(differ, " ", friction.damping, " ", friction.damping_factor);
            CHECK(difference(*fast, *plain) < 1e-12);
            const double velocity = largest_difference(mixed->velocity(), plain->velocity());
            const packing::PackingTotals a = mixed->totals(), b = plain->totals();
            const double scale = b.translational + b.rotational;
            MESSAGE("mixed ", velocity, " ",
                    (a.dissipated_tangential - b.dissipated_tangential) / scale);
            CHECK(velocity > 0.0);
            CHECK(velocity < 5e-6);
            CHECK_ABSOLUTE(a.dissipated_tangential, b.dissipated_tangential, 5e-6 * scale);
            CHECK_ABSOLUTE(a.stored_tangential, b.stored_tangential, 5e-6 * scale);
        }
    }
}

TEST_CASE("tangential dashpots: threads, a resumed run and ranks change no bit" *
          doctest::skip(sanitised)) {
    for (const laws::Friction& friction : frictions()) {
        INFO(friction.damping, " ", friction.damping_factor);
        check_resumed_bits(tumble(friction, true), 2e-7, {40, 71}, 120);
        if (friction.damping > 0.0 || friction.normal_damping_factor > 0.0) continue;
        // Two blocks, one for each rank.
        packing::Packing p = tumble(friction, false, 30);
        if (friction.damping_factor > 0.0) p = in_mixed_precision(p);
        sharing::check_same({p, 2e-7, {1, 29, 20}, {5, 0, 102}}, {2});
    }
}

TEST_CASE("tangential dashpots beside a mesh, a varying load and a straining box") {
    for (const laws::Friction& friction : frictions()) {
        for (const bool box : {false, true}) {
            const packing::Packing p = box ? in_straining_box(friction) : in_tray(friction);
            double error[2];
            for (const int fine : {0, 1}) {
                const double dt = (box ? 2e-7 : 4e-6) / (1 + fine);
                const auto plain = packing::make_plain_packing_engine(p, dt);
                const auto fast = packing::make_packing_engine(p, dt, 1);
                const double start = energy_of(plain->totals());
                plain->advance(500 * (1 + fine));
                fast->advance(500 * (1 + fine));
                const packing::PackingTotals t = plain->totals();
                const double scale = t.translational + t.stored_normal + t.dissipated_normal;
                error[fine] = std::abs(energy_of(t) - start) / scale;
                INFO(box, " ", friction.damping, " ", friction.damping_factor);
                CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, 1e-7);
                CHECK_ABSOLUTE(energy_of(fast->totals()), energy_of(t), 1e-8 * scale);
                CHECK(t.dissipated_tangential > 1e-4 * scale);
            }
            MESSAGE("box ", box, " ", static_cast<int>(friction.law), ": ", error[0], " ",
                    error[1]);
            CHECK(error[0] < 2e-3);
            CHECK(error[1] < 0.75 * error[0] + 1e-6);
        }
    }
}

TEST_CASE("tangential dashpots: what cannot be is refused in one sentence") {
    const auto refused = [](const laws::Friction& friction, const std::string& law,
                            const std::string& words) {
        packing::Packing p = steel_packing(law);
        p.friction = friction;
        p.add(steel_radius, steel_mass(steel_radius), {});
        INFO(packing::validate(p));
        CHECK(packing::validate(p).find(words) != std::string::npos);
    };
    const laws::Friction mindlin{.law = FrictionLaw::mindlin, .coefficient = 0.3};
    laws::Friction f = mindlin;
    f.damping = f.damping_ratio = 0.1;
    refused(f, "hertz", "has both damping and damping_ratio; expected one of them");
    f = mindlin;
    f.damping_factor = 1.0;
    refused(f, "hertz", "takes the restitution of the normal law");
    f = mindlin;
    f.normal_damping_factor = 1.0;
    refused(f, "flores", "the law is \"flores\"");
    f.normal_damping_factor = -1.0;
    refused(f, "tsuji", "normal_damping_factor is -1; expected a number, 0 or larger");
    f = {.law = FrictionLaw::linear, .coefficient = 0.3, .stiffness = 1e5, .damping_ratio = 0.1};
    refused(f, "tsuji", "damping_ratio is for \"mindlin\"");
    f = mindlin;
    f.damping = 0.1;
    packing::Packing p = steel_packing();
    p.friction = f;
    p.add(steel_radius, steel_mass(steel_radius), {});
    p.place = packing::Place::twin;
    CHECK(packing::validate(p).find("devices do not have a dashpot beside Mindlin's spring") !=
          std::string::npos);
    p.friction.static_coefficient = 0.4;
    p.friction.stribeck_speed = 0.1;
    CHECK(packing::validate(p).find(
              "devices do not have a coefficient of friction that depends on the slip speed") !=
          std::string::npos);
}

TEST_CASE("pairs of materials have dashpots of their own") {
    packing::Packing p = tumble({.law = FrictionLaw::mindlin, .coefficient = 0.3}, false);
    const auto without = packing::fingerprint(p);
    p.species_list.push_back(p.species_list[0]);
    for (std::size_t i = 0; i < p.particles(); i += 2)
        p.species[i] = 1;
    const packing::Packing plain_mindlin = p;
    p.pairs.push_back({.species = {0, 1}, .law = p.law, .friction = p.friction, .rolling = {}});
    p.pairs[0].friction.damping_ratio = 0.4;
    CHECK(packing::fingerprint(p) != without);
    const auto plain = packing::make_plain_packing_engine(p, 2e-7),
               none = packing::make_plain_packing_engine(plain_mindlin, 2e-7);
    const auto fast = packing::make_packing_engine(p, 2e-7, 1);
    plain->advance(200);
    fast->advance(200);
    none->advance(200);
    CHECK(difference(*fast, *plain) < 1e-12);
    CHECK(largest_difference(none->velocity(), plain->velocity()) > 1e-4);
}

}  // namespace beadwave::validation::tangential_dashpot_engines_test
