// Derivatives of chains whose beads carry something, by dual numbers, against differences of fourth
// order between runs of the tiled engine.

#include "derivatives.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "element_chains.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "tangent/tangent_engine.hpp"

#include <string>
#include <vector>

namespace beadwave::validation::derivatives_elements_test {

namespace {

/// Eight beads under 20 N, one of which moves slowly, so that no contact opens.
constexpr const char* pressed_beads = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
yield_stress = 900e6
[[segment]]
beads = 1
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
velocity = 0.02
[[segment]]
beads = 7
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
[precompression]
force = 20.0
[law]
name = "hertz"
[time]
end = 6e-5
step = 1.5e-7
[sensors]
beads = [0, 1, 2, 4, 6]
interval = 1.5e-6
)";

constexpr const char* foundations = R"(
[[foundation]]
beads = [1, 5]
stiffness = 3e6
cubic = 2e19
damping = 3.0
[[foundation]]
beads = [4, 7]
damping = 2.0
)";

constexpr const char* resonators = R"(
[[resonator]]
mass = 0.2e-3
stiffness = 2e6
cubic = -1e18
damping = 1.5
)";

constexpr const char* more_resonators = R"(
[[resonator]]
beads = [2, 5]
mass = 0.1e-3
stiffness = 5e6
)";

constexpr const char* loads = R"(
[[load]]
bead = 3
frequency = 4e4
amplitude = 2.0
[[load]]
bead = 5
frequency = 6e4
amplitude = 1.0
cycles = 1.5
[[load]]
bead = 2
force = 0.7
[[drive]]
bead = 6
frequency = 3e4
amplitude = 2e-8
)";

constexpr const char* bonds = R"(
[[bond]]
contacts = [2, 5]
stiffness = 4e6
damping = 2.0
)";

constexpr const char* pairs = R"(
[[pair_force]]
force = 3.0
distance = 5e-3
exponent = 3.3
neighbours = 4
range = 22e-3
equilibrium = true
[[pair_force]]
beads = [1, 6]
moments = [0.4, 0.3]
orientation = "side-by-side"
neighbours = 2
)";

/// The chain with something on its beads.
struct Carrying {
    Folder folder;
    VariedScenario chain;

    explicit Carrying(const std::string& text, std::vector<std::string> settings = {})
        : chain{.file = folder / "chain.toml", .settings = std::move(settings)} {
        write_file(chain.file, pressed_beads + text);
    }

    /// Rounding of the differences is 1e-15 of a force over 1e-4 of a value; that of the
    /// derivatives of the chain's own numbers 1e-11.
    void check(double tolerance = 3e-9) const {
        const fit::Response response = chain.derivatives();
        CHECK(response.by == "dual numbers");
        CHECK(response.forces == chain.forces());  // to the bit
        for (std::size_t k = 0; k < chain.varied.size(); ++k) {
            CAPTURE(chain.varied[k].key);
            CHECK_ABSOLUTE(chain.extrapolated_error(response, k), 0.0, tolerance);
        }
    }
    void vary_bodies() {
        chain.vary("segment.0.velocity", 0.02);
        chain.vary("segment.1.mass", 0.45e-3);
        chain.vary("material.steel.youngs_modulus", 193e9);
    }
    void vary_springs(const std::string& key, double stiffness, double cubic, double damping) {
        chain.vary(key + ".stiffness", stiffness);
        chain.vary(key + ".cubic", cubic);
        chain.vary(key + ".damping", damping);
    }
};

}  // namespace

TEST_CASE("springs to the ground: derivatives equal extrapolated differences") {
    Carrying one(foundations);
    one.vary_bodies();
    one.vary_springs("foundation.0", 3e6, 2e19, 3.0);
    one.chain.vary("foundation.1.damping", 2.0);
    one.check();
}

TEST_CASE("masses inside beads: derivatives equal extrapolated differences") {
    std::string text = resonators;
    std::vector<std::string> law;
    SUBCASE("one per bead") {}
    SUBCASE("two in some beads") {
        text += more_resonators;
    }
    SUBCASE("under a law that dissipates") {
        law = {"law.name=\"tsuji\"", "law.restitution=0.8"};
    }
    Carrying one(text, law);
    one.vary_bodies();
    if (!law.empty()) one.chain.vary("law.restitution", 0.8);
    one.chain.vary("resonator.0.mass", 0.2e-3);
    one.vary_springs("resonator.0", 2e6, -1e18, 1.5);
    one.check();
}

TEST_CASE("loads over time and driven beads: derivatives equal extrapolated differences") {
    Carrying one(loads);
    one.vary_bodies();
    one.chain.vary("load.0.frequency", 4e4);
    one.chain.vary("load.0.amplitude", 2.0);
    one.chain.vary("load.1.amplitude", 1.0);
    one.chain.vary("load.2.force", 0.7);
    one.chain.vary("drive.0.frequency", 3e4);
    one.chain.vary("drive.0.amplitude", 2e-8);
    one.check();
}

TEST_CASE("bonds: derivatives equal extrapolated differences") {
    Carrying one(bonds);
    one.vary_bodies();
    one.chain.vary("bond.0.stiffness", 4e6);
    one.chain.vary("bond.0.damping", 2.0);
    one.check();
}

TEST_CASE("forces without contact: derivatives equal extrapolated differences") {
    Carrying one(pairs);
    one.vary_bodies();
    one.chain.vary("precompression.force", 20.0);
    one.chain.vary("segment.1.radius", 2.38e-3);
    one.chain.vary("pair_force.0.force", 3.0);
    one.chain.vary("pair_force.0.distance", 5e-3);
    one.chain.vary("pair_force.0.exponent", 3.3);
    one.chain.vary("pair_force.0.range", 22e-3);
    one.chain.vary("pair_force.1.moments.1", 0.3);
    one.check(1e-7);
}

TEST_CASE("sixteen neighbours and a whole exponent: derivatives equal extrapolated differences") {
    Carrying one(R"(
[[pair_force]]
force = 0.5
distance = 5e-3
exponent = 4.0
neighbours = 16
equilibrium = true
)",
                 {"segment.1.beads=24"});
    one.chain.vary("pair_force.0.exponent", 4.0);
    one.chain.vary("pair_force.0.force", 0.5);
    one.check(1e-7);
}

TEST_CASE("absorbing ends: derivatives equal extrapolated differences") {
    Carrying one("", {"segment.1.beads=14", "boundary.right={kind=\"absorbing\", tail=6}"});
    one.vary_bodies();
    one.chain.vary("precompression.force", 20.0);
    one.check();
    SUBCASE("with drag of its own") {
        one.chain.settings.back() = "boundary.right={kind=\"absorbing\", tail=6, damping=12.0}";
        one.chain.varied.clear();
        one.chain.vary("boundary.right.damping", 12.0);
        one.check();
    }
}

TEST_CASE("a chain with everything on it: derivatives equal extrapolated differences") {
    Carrying one(
        std::string(foundations) + resonators + more_resonators + loads + bonds + pairs,
        {"segment.1.beads=20", "law.name=\"hunt-crossley\"", "law.restitution=0.8",
         "law.impact_speed=0.1", "boundary.right={kind=\"absorbing\", tail=6, damping=12.0}"});
    one.vary_bodies();
    one.chain.vary("law.restitution", 0.8);
    one.vary_springs("foundation.0", 3e6, 2e19, 3.0);
    one.chain.vary("resonator.0.mass", 0.2e-3);
    one.vary_springs("resonator.0", 2e6, -1e18, 1.5);
    one.chain.vary("resonator.1.stiffness", 5e6);
    one.chain.vary("load.0.frequency", 4e4);
    one.chain.vary("load.1.amplitude", 1.0);
    one.chain.vary("drive.0.amplitude", 2e-8);
    one.chain.vary("bond.0.stiffness", 4e6);
    one.chain.vary("bond.0.damping", 2.0);
    one.chain.vary("pair_force.0.exponent", 3.3);
    one.chain.vary("pair_force.1.moments.0", 0.4);
    one.check(1e-7);
}

TEST_CASE("numbers that are zero have derivatives, too") {
    Carrying one(R"(
[[foundation]]
stiffness = 3e6
[[resonator]]
mass = 0.2e-3
stiffness = 2e6
)");
    const auto from_zero = [&](const std::string& key, double high) {
        one.chain.varied.push_back({key, 0.0, 0.0, high});
    };
    from_zero("foundation.0.damping", 3.0);
    from_zero("resonator.0.damping", 3.0);
    one.chain.varied.push_back({"foundation.0.cubic", 0.0, -1e19, 1e19});
    const fit::Response response = one.chain.derivatives();
    CHECK(response.forces == one.chain.forces());
    const std::vector<double> base = one.chain.forces();
    for (std::size_t k = 0; k < one.chain.varied.size(); ++k) {
        CAPTURE(one.chain.varied[k].key);
        // One-sided, of second order: no damping is below zero.
        const double h = 1e-4 * one.chain.varied[k].high;
        const std::vector<double> near = one.chain.forces(k, h), far = one.chain.forces(k, 2.0 * h);
        Largest scale, largest;
        for (std::size_t i = 0; i < base.size(); ++i) {
            const double slope = (4.0 * near[i] - far[i] - 3.0 * base[i]) / (2.0 * h);
            scale.enter(std::abs(slope));
            largest.enter(std::abs(slope - response.derivatives[i * one.chain.varied.size() + k]));
        }
        CHECK(scale > 0.0);
        // The third derivative times h^2: the run is 6e-5 s and damping 3 N s/m decays in 1e-4 s.
        CHECK_ABSOLUTE(largest / scale, 0.0, 1e-6);
    }
}

TEST_CASE("beads that a wave has not reached wait, with what they carry") {
    const Folder folder;
    VariedScenario chain{.file = folder / "chain.toml",
                         .settings = {"segment.1.beads=80", "time.end=3e-4",
                                      "sensors.beads=[1, 9, 16, 20]", "sensors.interval=3e-6"}};
    write_file(chain.file, std::string(six_beads) + foundations + bonds + R"(
[[resonator]]
beads = [2, 60]
mass = 0.2e-3
stiffness = 2e6
)");
    chain.vary("segment.0.velocity", 1.77);
    chain.vary("foundation.0.damping", 3.0);
    chain.vary("resonator.0.stiffness", 2e6);
    const fit::Response response = chain.derivatives();
    CHECK(response.forces == chain.forces());
    Largest last;
    for (std::size_t i = 3; i < response.forces.size(); i += 4)
        last.enter(response.forces[i]);
    CHECK(last > 1e-4);  // what is left of it has arrived at bead 20
    // Contacts open, so that differences cross kinks.
    for (std::size_t k = 0; k < chain.varied.size(); ++k)
        CHECK_ABSOLUTE(chain.smallest_error(response, k), 0.0, 1e-6);
}

TEST_CASE("with something on its beads every instruction set steps like the tiled engine") {
    const auto sets = simd::instruction_sets();
    for (const char* law : {"hertz", "tsuji", "ma-liu"}) {
        for (const bool single : {true, false}) {
            CAPTURE(law);
            CAPTURE(single);
            chain::Elements carried;
            for (std::size_t i = 3; i < 20; ++i)
                carried.resonators.push_back(
                    {i, 0.2e-3, {.stiffness = 2e6, .cubic = -1e17, .damping = 1.0}});
            if (!single) {
                carried.resonators.push_back({5, 0.1e-3, {.stiffness = 2e6}});
                carried.foundations.push_back({7, {.stiffness = 1e6, .damping = 2.0}});
                carried.bonds.push_back({.contact = 4, .stiffness = 1e6, .damping = 3.0});
                carried.bonds.push_back({.contact = 5, .stiffness = 1e6, .tension_only = true});
                carried.loads.push_back({9, stepping::ForceSignal::sine(4e4, 3.0, 1.3)});
                carried.loads.push_back(
                    {9, stepping::ForceSignal::table({0.0, 1e-5, 3e-5}, {0.0, 2.0, -1.0})});
                carried.driven.push_back({15, stepping::Drive::sine(3e4, 2e-8)});
                carried.pair_forces.push_back({.first = 2,
                                               .last = 30,
                                               .law = laws::PairLaw(5e-3, 3.5, 17e-3),
                                               .force = 2.0,
                                               .neighbours = 3});
            }
            chain::Chain chain = compressed(carried, 3, 0.3, law);
            if (!single) chain.velocity[15] = carried.driven[0].motion.velocity(0.0);
            dynamics::ChainNumbers faster(chain), heavier(chain), stiffer(chain);
            for (dynamics::ChainNumbers* change : {&faster, &heavier, &stiffer})
                change->clear();
            faster.velocity[8] = 1.0;
            heavier.elements.slots[0].mass[6] = 1.0;
            stiffer.elements.slots[0].spring.stiffness[8] = 1.0;
            const std::vector<dynamics::ChainNumbers> changes{faster, heavier, stiffer};
            std::vector<double> first(changes.size()), derivatives(changes.size());
            for (std::size_t s = 0; s < sets.size(); ++s) {
                CAPTURE(sets[s].name);
                dynamics::TangentEngine engine(chain, 1e-7, changes, sets[s]);
                const auto tiled = dynamics::make_tiled_engine(chain, 1e-7, 1, {}, sets[s]);
                dynamics::SensorTrace trace{.beads = {6}, .force = {}, .velocity = {}};
                constexpr std::int64_t steps = 300;
                engine.advance(steps);
                tiled->advance(steps, trace);
                double force = 0.0;
                engine.read(6, force, derivatives);
                CHECK(force == trace.force.back());
                if (s == 0) first = derivatives;
                for (std::size_t k = 0; k < changes.size(); ++k)
                    CHECK_RELATIVE(derivatives[k], first[k], 1e-9);
            }
        }
    }
}

}  // namespace beadwave::validation::derivatives_elements_test
