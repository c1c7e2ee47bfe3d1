// Gradients by what beads carry and by drives and forces over time, beside dual numbers forwards
// and differences of runs.

#include "beadwave/input_error.hpp"
#include "gradient_beads.hpp"
#include "gradients/adjoint_run.hpp"
#include "gradients/inputs.hpp"
#include "jobs/read_job.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "running/chain_system.hpp"
#include "subjects/chain/chain_reader.hpp"
#include "subjects/gradients/gradients.hpp"
#include "tangent/tangent_engine.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::validation::gradient_inputs_test {
namespace {

using gradient_beads::beads;
using gradient_beads::gradient_of;
using gradient_beads::laws;
using gradients::Channel;
using gradients::MotionNumbers;

const std::string carried = R"(
[[foundation]]
beads = [2, 5]
stiffness = 2e5
cubic = 1e14
damping = 1.5
[[resonator]]
beads = [0, 6]
mass = 1e-3
stiffness = 3e5
damping = 2.0
[[load]]
bead = 4
frequency = 9e3
amplitude = 20.0
[[bond]]
contacts = [3, 5]
stiffness = 1e6
damping = 3.0
[[pair_force]]
force = 2.0
distance = 12e-3
exponent = 4
neighbours = 3
)";

const std::string moved = R"(
[boundary]
left = { kind = "driven", frequency = 6e3, amplitude = 3e-6 }
right = "fixed"
[[drive]]
bead = 6
file = "motion.csv"
[[load]]
bead = 2
file = "load.csv"
)";

void write_signals(const Folder& folder) {
    std::string motion = "time_s,displacement_m\n", load = "time_s,force_N\n";
    for (int k = 0; k < 14; ++k) {
        motion += fmt::format("{:.17g},{:.17g}\n", k * 1e-5, 2e-6 * (std::sin(0.9 * k) + 0.1 * k));
        load += fmt::format("{:.17g},{:.17g}\n", k * 1e-5, 9.0 * std::sin(0.7 * k) + 0.3 * k);
    }
    write_file(folder / "motion.csv", motion);
    write_file(folder / "load.csv", load);
}

/// Random numbers in [-1, 1), the same each time.
struct Dice {
    std::uint64_t state = 7;
    double operator()() {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state >> 11) * 0x1p-52 - 1.0;
    }
};

/// Changes some numbers of what beads carry, and returns the derivative along the change.
double change_carried(const chain::Chain& chain, const MotionNumbers& bars, Dice& dice,
                      dynamics::ChainNumbers& change) {
    double sum = 0.0;
    const auto alter = [&](double& number, double own, double bar) {
        number = own * dice();
        sum += number * bar;
    };
    dynamics::ElementColumns& to = change.elements;
    for (std::size_t k = 0; k < chain.elements.foundations.size(); ++k) {
        const auto& [bead, spring] = chain.elements.foundations[k];
        const chain::Spring& bar = bars.elements.foundations[k].spring;
        alter(to.ground.stiffness[bead], spring.stiffness, bar.stiffness);
        alter(to.ground.cubic[bead], spring.cubic, bar.cubic);
        alter(to.ground.damping[bead], spring.damping, bar.damping);
    }
    for (std::size_t k = 0; k < chain.elements.resonators.size(); ++k) {
        const chain::Resonator& own = chain.elements.resonators[k];
        const chain::Resonator& bar = bars.elements.resonators[k];
        dynamics::ElementColumns::Slot& slot = to.slots.front();
        alter(slot.mass[own.bead], own.mass, bar.mass);
        alter(slot.spring.stiffness[own.bead], own.spring.stiffness, bar.spring.stiffness);
        alter(slot.spring.damping[own.bead], own.spring.damping, bar.spring.damping);
    }
    for (std::size_t k = 0; k < chain.elements.bonds.size(); ++k) {
        const chain::Bond &own = chain.elements.bonds[k], &bar = bars.elements.bonds[k];
        alter(to.bond_stiffness[own.contact], own.stiffness, bar.stiffness);
        alter(to.bond_damping[own.contact], own.damping, bar.damping);
        alter(to.bond_stretch[own.contact], 1e-7, bar.stretch);
    }
    double force = 0.0;
    alter(force, 1.0, bars.elements.pair_forces.front().force);
    for (std::size_t n = 1; n <= to.pairs.size(); ++n) {
        for (std::size_t i = 0; i + n < chain.beads(); ++i)
            to.pairs[n - 1].strength[i] = force;
    }
    std::vector<double> spacing(chain.beads() + 1, 0.0);
    for (std::size_t c = 1; c < chain.beads(); ++c)
        alter(spacing[c], 1e-3, bars.spacing[c]);
    for (std::size_t n = 1; n <= to.spacing.size(); ++n) {
        for (std::size_t i = 0; i + n < chain.beads(); ++i) {
            double& changed = to.spacing[n - 1][i];
            for (std::size_t c = i + 1; c <= i + n; ++c)
                changed += spacing[c];
        }
    }
    return sum;
}

}  // namespace

TEST_CASE("what beads carry has the derivatives of dual numbers forwards") {
    const Folder folder;
    // Beads that just touch have a stiffness like a root, which makes more of rounding.
    std::string apart = beads;
    apart.insert(apart.find("[time]"), "gap = 1.1e-7\n");
    write_file(folder / "chain.toml", apart + carried);
    for (const std::vector<std::string>& law : laws) {
        CAPTURE(law.front());
        const chain::Scenario scenario = io::read_scenario(folder / "chain.toml", law).scenario;
        const chain::Chain chain = running::build_chain(scenario);
        const double dt = *scenario.time.step;
        constexpr std::int64_t steps = 400;
        std::vector<Channel> channels;
        for (std::size_t bead = 0; bead < chain.beads(); ++bead)
            channels.push_back({Channel::Kind::sensor_force, bead});
        gradients::AdjointRun run(chain, MotionNumbers(chain), dt, steps, channels, {});
        run.forward(true);
        Dice dice;
        gradients::Readings seeds(channels.size(), std::vector<double>(steps + 1));
        for (std::vector<double>& column : seeds)
            std::ranges::generate(column, dice);
        const MotionNumbers bars = run.reverse(seeds);
        std::vector<dynamics::ChainNumbers> change(1, dynamics::ChainNumbers(chain));
        change.front().clear();
        const double reversed = change_carried(chain, bars, dice, change.front());
        dynamics::TangentEngine tangent(chain, dt, change);
        double forwards = 0.0, size = 0.0, largest = 0.0, error = 0.0;
        for (std::int64_t s = 0; s <= steps; ++s) {
            if (s > 0) tangent.advance(1);
            for (std::size_t k = 0; k < channels.size(); ++k) {
                double force = 0.0;
                std::array<double, 1> along{};
                tangent.read(k, force, along);
                const auto at = static_cast<std::size_t>(s);
                largest = std::max(largest, std::fabs(force));
                error = std::max(error, std::fabs(force - run.readings()[k][at]));
                forwards += seeds[k][at] * along[0];
                size += std::fabs(seeds[k][at] * along[0]);
            }
        }
        CHECK_ABSOLUTE(error / largest, 0.0, 1e-10);
        CAPTURE((reversed - forwards) / size);
        CHECK_ABSOLUTE(reversed / size, forwards / size, 1e-10);
    }
}

TEST_CASE("drives, forces over time and precompression have the derivatives of differences") {
    const Folder folder;
    write_signals(folder);
    const auto check = [&](const std::string& text, const std::string& inputs) {
        write_file(folder / "chain.toml", text);
        for (const std::vector<std::string>& law : laws) {
            CAPTURE(law.front());
            CAPTURE(inputs);
            const gradients::Gradient found =
                gradient_of(folder, "mass,radius,youngs_modulus,load," + inputs, law, true);
            REQUIRE(found.check);
            CHECK(found.check->numbers > 30);
            CHECK(found.check->largest_deviation < 1e-6);
        }
    };
    std::string still = beads;
    still.replace(still.find("velocity = 0.7"), 14, "velocity = 0.0");
    check(still + moved + "[precompression]\nforce = 25.0\n",
          "drive.amplitude,drive.frequency,drive.samples,load.samples,precompression");
    // Differences by gaps about 0 have errors like a root of their length.
    std::string apart = beads;
    apart.insert(apart.find("[time]"), "gap = 1.1e-7\n");
    check(apart + carried,
          "gap,velocity,load.amplitude,load.frequency,pair_force.force,bond.stretch");
    std::string absorbing = beads + "[boundary]\nright = { kind = \"absorbing\", tail = 4 }\n";
    check(absorbing + "[precompression]\nforce = 25.0\n", "velocity,foundation.damping");
}

TEST_CASE("numbers of what beads carry are refused out of their range") {
    const Folder folder;
    // The spring of bead 7 has no damping, whose derivative is checked by differences about
    // 0.
    write_file(folder / "chain.toml",
               beads + carried + "[[foundation]]\nbeads = [7, 7]\nstiffness = 1e5\n");
    const auto found = gradient_of(folder, "foundation.damping", laws.front(), true);
    REQUIRE(found.check);
    CHECK(found.check->largest_deviation < 1e-6);
    const std::string name = (folder / "chain.toml").string();
    const auto job = jobs::read_job(name, laws.front());
    const gradients::ReadyChain ready = tasks::ready_chain(*job, name);
    gradients::Inputs all(ready);
    const auto refusal = [&](const std::string& input, double number) {
        const auto inputs = gradients::read_inputs(input, ready, "inputs");
        std::vector<double> values(all.count(inputs[0]), 1.0);
        REQUIRE_FALSE(values.empty());
        values.back() = number;
        try {
            all.set(inputs[0], values);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const std::string input : {"resonator.mass", "load.frequency"}) {
        for (const double number : {-1.0, 0.0, std::nan("")})
            CHECK(refusal(input, number).ends_with("expected a finite number above 0"));
        CHECK(refusal(input, 2.0).empty());
    }
    for (const std::string input : {"foundation.damping", "resonator.damping", "bond.damping"}) {
        for (const double number : {-1.0, std::nan("")})
            CHECK(refusal(input, number).ends_with("expected a finite number from 0"));
        CHECK(refusal(input, 0.0).empty());
    }
    CHECK(refusal("load.amplitude", -1.0).empty());
}

TEST_CASE("inputs without a derivative are refused in one sentence") {
    const Folder folder;
    write_signals(folder);
    const auto message = [&](const std::string& text, const std::string& inputs,
                             const std::vector<std::string>& settings = laws.front()) {
        write_file(folder / "chain.toml", text);
        try {
            gradient_of(folder, inputs, settings);
        } catch (const std::exception& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message(beads, "precompression").find("there is no input \"precompression\"") !=
          std::string::npos);
    std::string derived = beads;
    derived += "[law]\nname = \"hunt-crossley\"\nrestitution = 0.8\nimpact_speed = \"initial\"\n";
    CHECK(message(derived, "velocity,impact_speed", {})
              .find("law.impact_speed follows from the velocities") != std::string::npos);
    CHECK(message(derived, "velocity,restitution", {}).empty());
    CHECK(message(beads + "[[bond]]\ncontacts = [2, 3]\nstiffness = 1e6\nstrength = 20.0\n", "mass")
              .find("its bonds break, with a jump of the force") != std::string::npos);
    write_file(folder / "motion.csv",
               "time_s,displacement_m\n0,0\n1e-5,0\n2e-5,1e-7\n3e-5,4e-7\n4e-5,7e-7\n5e-5,9e-7\n");
    CHECK(
        message(beads + moved, "drive.samples").find("the motion rests between 0 s and 1e-05 s") !=
        std::string::npos);
    const std::string balanced =
        beads +
        "[boundary]\nleft = \"fixed\"\nright = \"fixed\"\n[[pair_force]]\nforce = 2.0\n"
        "distance = 12e-3\nexponent = 4\nequilibrium = true\n";
    std::string still = balanced;
    still.replace(still.find("velocity = 0.7"), 14, "velocity = 0.0");
    CHECK(message(still, "mass").find("starts where its pair forces balance") != std::string::npos);
    const std::string inside =
        beads + "[[resonator]]\nbeads = [3, 3]\nmass = 1e-3\nstiffness = 3e5\n";
    const std::string start = "[initial]\nvelocity = [0.7, 0, 0, 0, 0, 0, 0, 0";
    CHECK(message(inside + start + "]\n", "mass").empty());
    CHECK(message(inside + start + ", 0.2]\n", "mass")
              .starts_with("initial: masses inside beads start with numbers of their own"));
}

}  // namespace beadwave::validation::gradient_inputs_test
