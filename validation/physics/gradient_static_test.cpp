// Gradients through static equilibrium, beside differences of runs of other scenarios.

#include "gradient_beads.hpp"
#include "gradients/inputs.hpp"
#include "jobs/read_job.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "subjects/gradients/gradients.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::validation::gradient_static_test {
namespace {

using gradient_beads::beads;
using gradient_beads::gradient_of;
using gradient_beads::laws;
using gradients::MotionNumbers;

std::vector<std::string> with(std::vector<std::string> settings, const std::string& key,
                              double value) {
    settings.push_back(fmt::format("{}={:.17g}", key, value));
    return settings;
}

double sum(const std::vector<double>& numbers, std::size_t first = 0) {
    double sum = 0.0;
    for (std::size_t i = first; i < numbers.size(); ++i)
        sum += numbers[i];
    return sum;
}

}  // namespace

TEST_CASE("gradients through static equilibrium are those of scenarios that are solved anew") {
    // Central differences of 1e-5 of a number err by 1e-10 of the value and a little curvature.
    const Folder folder;
    for (const bool hangs : {false, true}) {
        std::string text = beads +
                           "[boundary]\nright = \"wall\"\n[precompression]\nforce = 20.0\n" +
                           "[[resonator]]\nbeads = [2, 4]\nmass = 1e-3\nstiffness = 3e5\n";
        if (hangs) text += "[gravity]\nacceleration = 300.0\n";
        write_file(folder / "chain.toml", text);
        for (const std::vector<std::string>& law : laws) {
            CAPTURE(law.front());
            CAPTURE(hangs);
            const auto by_key = [&](const std::string& key, double own) {
                const double h = 1e-5 * own;
                return (gradient_of(folder, "mass", with(law, key, own + h)).value -
                        gradient_of(folder, "mass", with(law, key, own - h)).value) /
                       (2.0 * h);
            };
            const gradients::Gradient all = gradient_of(
                folder, "precompression,mass,radius,youngs_modulus,resonator.mass,gap", law);
            const auto scaled = [&](double slope, double number) {
                return slope * number / all.value;
            };
            CHECK_ABSOLUTE(scaled(all.by_input[0][0], 20.0),
                           scaled(by_key("precompression.force", 20.0), 20.0), 1e-7);
            const double mass = 4e-3;
            const std::vector<std::string> heavy = with(law, "segment.1.mass", mass);
            const gradients::Gradient by_mass = gradient_of(folder, "mass", heavy);
            const auto value_of = [&](double m) {
                return gradient_of(folder, "mass", with(law, "segment.1.mass", m)).value;
            };
            const double h = 1e-5 * mass;
            CHECK_ABSOLUTE(scaled(sum(by_mass.by_input[0], 1), mass),
                           scaled((value_of(mass + h) - value_of(mass - h)) / (2.0 * h), mass),
                           1e-7);
            // The wall is of the same steel, whose modulus is no input.
            CHECK_ABSOLUTE(scaled(sum(all.by_input[4]), 1e-3),
                           scaled(by_key("resonator.0.mass", 1e-3), 1e-3), 1e-7);
            for (std::size_t c = 1; c <= 8; ++c)
                CHECK(all.by_input[5][c] == 0.0);
        }
    }
}

TEST_CASE("the gap of a contact that may carry a load and has none is an input") {
    // The chain hangs on its right wall, and bead 0 strikes the left one, which carries nothing.
    const Folder folder;
    std::string text = beads;
    text.replace(text.find("velocity = 0.7"), 14, "velocity = -0.7");
    write_file(folder / "chain.toml",
               text +
                   "[boundary]\nleft = { kind = \"wall\", gap = 1e-7 }\nright = \"wall\"\n"
                   "[gravity]\nacceleration = 300.0\n");
    const gradients::Gradient found = gradient_of(folder, "gap", laws.front(), true);
    REQUIRE(found.check);
    CHECK(found.check->largest_deviation < 1e-6);
    CHECK(found.by_input[0][0] != 0.0);
    for (std::size_t c = 1; c <= 8; ++c)
        CHECK(found.by_input[0][c] == 0.0);
}

namespace {

/// Sets these inputs of a chain in this order and backwards.
std::array<MotionNumbers, 2> both_ways(const gradients::ReadyChain& ready,
                                       const std::vector<gradients::Input>& inputs,
                                       const std::vector<std::vector<double>>& values,
                                       std::vector<std::size_t> order) {
    gradients::Inputs forwards(ready), backwards(ready);
    for (const std::size_t k : order)
        forwards.set(inputs[k], values[k]);
    std::ranges::reverse(order);
    for (const std::size_t k : order)
        backwards.set(inputs[k], values[k]);
    return {forwards.numbers(), backwards.numbers()};
}

}  // namespace

TEST_CASE("several inputs of a squeezed chain are those of its scenario in any order") {
    const Folder folder;
    for (const bool hangs : {false, true}) {
        CAPTURE(hangs);
        const auto write = [&](double force, double mass, double inside) {
            std::string text = beads;
            text.insert(text.find("[time]"), fmt::format("mass = {}\n", mass));
            text += fmt::format(
                "[precompression]\nforce = {}\n[[resonator]]\nbeads = [2, 7]\nmass = "
                "{}\nstiffness = 3e5\n",
                force, inside);
            if (hangs) text += "[boundary]\nright = \"wall\"\n[gravity]\nacceleration = 300.0\n";
            write_file(folder / "chain.toml", text);
            return (folder / "chain.toml").string();
        };
        const auto anew = jobs::read_job(write(26.0, 4.5e-3, 1.2e-3), laws.front());
        const std::string name = write(20.0, 4e-3, 1e-3);
        const auto job = jobs::read_job(name, laws.front());
        const MotionNumbers wanted = gradients::Inputs(tasks::ready_chain(*anew, name)).numbers();
        const gradients::ReadyChain ready = tasks::ready_chain(*job, name);
        std::vector<double> mass(8, 4.5e-3);
        mass[0] = ready.chain.mass[0];
        const std::vector<std::vector<double>> values{
            {26.0}, mass, std::vector<double>(6, 1.2e-3), MotionNumbers(ready.chain).load};
        const auto inputs =
            gradients::read_inputs("precompression,mass,resonator.mass,load", ready, "inputs");
        const auto two = both_ways(ready, inputs, values, {0, 1});
        CHECK(two[0].load == two[1].load);
        CHECK(two[0].gap == two[1].gap);
        const auto found = both_ways(ready, inputs, values, {0, 1, 2, 3});
        CHECK(found[0].load == found[1].load);
        CHECK(found[0].gap == found[1].gap);
        // Loads of the scenario are the forces of contacts within rounding of their overlaps.
        for (std::size_t i = 0; i < 8; ++i) {
            CHECK_ABSOLUTE(found[0].load[i], wanted.load[i], 26.0 * 1e-13);
            if (i > 0) CHECK_RELATIVE(found[0].gap[i], wanted.gap[i], 1e-13);
        }
    }
}

}  // namespace beadwave::validation::gradient_static_test
