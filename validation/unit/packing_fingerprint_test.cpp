// The hash that identifies a packing.

#include "packing/state/fingerprint.hpp"
#include "packings.hpp"

namespace beadwave::validation::packing_fingerprint_test {

TEST_CASE("the fingerprint of a packing changes with every quantity that affects its run") {
    packing::Packing p = steel_packing("hertz");
    p.add(steel_radius, steel_mass(steel_radius), {});
    p.add(steel_radius, steel_mass(steel_radius), {3.0 * steel_radius, 0, 0});
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, -1.0}}});
    const std::uint64_t fingerprint = packing::fingerprint(p);
    CHECK(packing::fingerprint(packing::Packing(p)) == fingerprint);
    const auto changes = [&](auto change) {
        packing::Packing other = p;
        change(other);
        CHECK(packing::fingerprint(other) != fingerprint);
    };
    changes([](auto& o) { o.radius[1] *= 1.0 + 1e-15; });
    changes([](auto& o) { o.mass[0] *= 2.0; });
    changes([](auto& o) { o.velocity[0].y = 1e-300; });
    changes([](auto& o) { std::swap(o.position[0], o.position[1]); });
    changes([](auto& o) { o.fixed = {false, true}; });
    changes([](auto& o) { o.angular_velocity[1].z = 1e-300; });
    changes([](auto& o) { o.species_list[0].elasticity.youngs_modulus *= 2.0; });
    changes([](auto& o) { o.walls[0].velocity.z = 1.0; });
    changes([](auto& o) { o.box.periodic[1] = true; });
    changes([](auto& o) { o.box.strain = packing::Straining{}; });
    using Change = void (*)(packing::Straining&);
    for (const Change change :
         {Change([](auto& s) { s.rate.y = 1e-300; }), Change([](auto& s) { s.shear_rate.z = 1.0; }),
          Change([](auto& s) { s.stress.x = 1.0; }),
          Change([](auto& s) { s.has_piston[2] = true; }), Change([](auto& s) { s.mass = 1.0; }),
          Change([](auto& s) { s.damping = 1.0; })}) {
        packing::Packing still = p, other = p;
        still.box.strain = other.box.strain = packing::Straining{};
        change(*other.box.strain);
        CHECK(packing::fingerprint(other) != packing::fingerprint(still));
    }
    // Every number of loads and drives: sign, cycles, rows.
    using stepping::Drive, stepping::ForceSignal;
    const auto constant = [](double force) { return ForceSignal::constant(force); };
    const auto loaded = [&](const ForceSignal& along) {
        packing::Packing other = p;
        other.elements.forces.push_back({along, constant(0.0), constant(0.0)});
        other.elements.loads.push_back({0, 0});
        return packing::fingerprint(other);
    };
    CHECK(loaded(constant(2.0)) == loaded(constant(2.0)));
    CHECK(loaded(constant(2.0)) != loaded(constant(-2.0)));
    CHECK(loaded(constant(2.0)) != loaded(constant(3.0)));
    CHECK(loaded(ForceSignal::sine(1e3, 2.0, 1.0)) != loaded(ForceSignal::sine(1e3, 2.0, 2.0)));
    const auto moved = [&](double velocity) {
        packing::Packing other = p;
        other.elements.motions.push_back({.along = {Drive::steady(velocity), {}, {}}});
        other.elements.driven.push_back({0, 0});
        return packing::fingerprint(other);
    };
    CHECK(moved(0.1) == moved(0.1));
    CHECK(moved(0.1) != moved(-0.1));
    const auto turned = [&](double about_x, double about_z) {
        packing::Packing other = p;
        other.elements.motions.push_back(
            {.along = {Drive::steady(0.1), {}, {}},
             .turning =
                 std::array{Drive::steady(about_x), Drive::steady(0.0), Drive::steady(about_z)}});
        other.elements.driven.push_back({0, 0});
        return packing::fingerprint(other);
    };
    CHECK(turned(2.0, 3.0) == turned(2.0, 3.0));
    CHECK(turned(2.0, 3.0) != turned(3.0, 2.0));
    CHECK(turned(0.0, 0.0) != moved(0.1));
    changes([](auto& o) { o.gravity.z = -9.81; });
    changes([](auto& o) { o.law.name = "flores"; });
    changes([](auto& o) { o.friction.coefficient = 0.2; });
    changes([](auto& o) { o.rolling.twisting_coefficient = 0.1; });
    changes([](auto& o) { o.skin = 1e-4; });
}

}  // namespace beadwave::validation::packing_fingerprint_test
