// Steps in vectors and their reverse (gradients/rows) beside the steps one by one, and sweeps with
// few states and on two threads beside those with many on one.

#include "gradients/adjoint_run.hpp"
#include "gradients/stored_states.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "running/chain_system.hpp"
#include "subjects/chain/chain_reader.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::validation::gradient_rows_test {
namespace {

using gradients::AdjointRun;
using gradients::Channel;
using gradients::MotionNumbers;
using gradients::Readings;

/// A chain struck at the left, and also at the right where all of it moves.
std::string chain_of(std::size_t beads, bool all_move, bool squeezed) {
    std::string text = fmt::format(R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7800
yield_stress = 900e6
[[segment]]
beads = 1
radius = 4e-3
material = "steel"
velocity = 2.0
[[segment]]
beads = {}
radius = 5e-3
material = "steel"
[[segment]]
beads = 1
radius = 6e-3
material = "steel"
velocity = {}
[time]
end = 1e-3
step = 5e-7
)",
                                   beads - 2, all_move ? -1.0 : 0.0);
    if (squeezed) text += "[precompression]\nforce = 30.0\n";
    return text;
}

std::vector<Channel> channels_of(std::size_t beads) {
    using Kind = Channel::Kind;
    std::vector<Channel> channels{{Kind::contact_force, 0}, {Kind::contact_force, 8}};
    for (const std::size_t bead : {std::size_t{1}, std::size_t{7}, std::size_t{15}, std::size_t{16},
                                   beads / 2, beads - 2, beads - 1}) {
        channels.push_back({Kind::sensor_force, bead});
        channels.push_back({Kind::velocity, bead});
    }
    return channels;
}

Readings seeds_of(std::size_t channels, std::int64_t steps) {
    Readings seeds;
    for (std::size_t k = 0; k < channels; ++k) {
        std::vector<double>& column = seeds.emplace_back();
        for (std::int64_t s = 0; s <= steps; ++s)
            column.push_back(
                std::sin(0.3 * static_cast<double>(s + 7 * static_cast<int>(k)) + 1.0));
    }
    return seeds;
}

void check_near(const std::vector<double>& found, const std::vector<double>& wanted,
                double largest = 0.0) {
    REQUIRE(found.size() == wanted.size());
    double error = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        REQUIRE(std::isfinite(found[i]));
        REQUIRE(std::isfinite(wanted[i]));
        largest = std::max(largest, std::fabs(wanted[i]));
        error = std::max(error, std::fabs(found[i] - wanted[i]));
    }
    CHECK(error <= 1e-10 * largest);
}

bool same(const MotionNumbers& a, const MotionNumbers& b) {
    return a.mass == b.mass && a.gap == b.gap && a.velocity == b.velocity && a.load == b.load &&
           a.law == b.law;
}

struct Case {
    std::string law;
    std::size_t beads;
    bool all_move, squeezed;
    std::int64_t steps;
};

}  // namespace

TEST_CASE("steps in vectors have the derivatives of steps one by one") {
    // 1e-10 of the largest of each kind: their forces differ by roundings. An energy without weight
    // makes a run take its steps one by one.
    const Folder folder;
    const std::string hertz = "name = \"hertz\"\n",
                      ma_liu = "name = \"ma-liu\"\npsi = 2.84\nxi = 13\n",
                      stronge = "name = \"stronge\"\n",
                      walton_braun = "name = \"walton-braun\"\nrestitution = 0.7\n",
                      power = "name = \"power-law\"\nstiffness = 5e9\nexponent = 1.4\n";
    const std::vector<Case> cases{
        {hertz, 1101, true, false, 70},       {hertz, 300, false, false, 500},
        {hertz, 40, false, true, 300},        {ma_liu, 1101, true, true, 70},
        {ma_liu, 300, false, false, 500},     {stronge, 90, true, false, 400},
        {walton_braun, 90, true, false, 400}, {power, 90, false, false, 400}};
    for (const Case& each : cases) {
        CAPTURE(each.law);
        CAPTURE(each.beads);
        write_file(folder / "chain.toml",
                   chain_of(each.beads, each.all_move, each.squeezed) + "[law]\n" + each.law);
        const chain::Chain chain =
            running::build_chain(io::read_scenario(folder / "chain.toml", {}).scenario);
        const std::vector<Channel> channels = channels_of(each.beads);
        const Readings seeds = seeds_of(channels.size(), each.steps);
        const auto run_of = [&](const std::vector<gradients::EnergyWindow>& energies,
                                gradients::SweepCost cost) {
            return AdjointRun(chain, MotionNumbers(chain), 5e-7, each.steps, channels, energies, {},
                              cost);
        };
        AdjointRun fast = run_of({}, {});
        fast.forward(true);
        const MotionNumbers found = fast.reverse(seeds);
        AdjointRun plain = run_of({{0, 0, {1, 1}, 0.0}}, {});
        plain.forward(true);
        const MotionNumbers wanted = plain.reverse(seeds);
        for (std::size_t k = 0; k < channels.size(); ++k)
            check_near(fast.readings()[k], plain.readings()[k], 1.0);  // m/s or N
        check_near(found.mass, wanted.mass);
        check_near(found.gap, wanted.gap);
        check_near(found.velocity, wanted.velocity);
        check_near(found.load, wanted.load);
        for (std::size_t k = 0; k < found.law.size(); ++k)
            check_near(found.law[k], wanted.law[k]);
        // Again, with few states, and on two threads: the same bits.
        CHECK(same(fast.reverse(seeds), found));
        for (const gradients::SweepCost cost : {gradients::SweepCost{7, 1}, {24, 1}, {0, 2}}) {
            AdjointRun other = run_of({}, cost);
            other.forward(true);
            CHECK(other.readings() == fast.readings());
            CHECK(same(other.reverse(seeds), found));
            if (cost.most_states > 0) CHECK(other.states() <= cost.most_states);
        }
        AdjointRun few = run_of({{0, 0, {1, 1}, 0.0}}, {9, 1});
        few.forward(true);
        CHECK(same(few.reverse(seeds), wanted));
        CHECK(few.states() <= 9);
    }
}

TEST_CASE("few states are stored where the fewest steps are computed again") {
    // The sweep of AdjointRun, counted; the optimum by trying all places of the second state.
    std::vector<std::vector<double>> best(13, std::vector<double>(41, 0.0));
    for (std::size_t places = 1; places <= 12; ++places) {
        for (std::size_t pieces = 1; pieces <= 40; ++pieces) {
            const auto n = static_cast<double>(pieces);
            double least = 0.5 * n * (n - 1.0);  // all from the first state
            for (std::size_t on = 1; places > 1 && on < pieces; ++on)
                least = std::min(least, static_cast<double>(on) + best[places - 1][pieces - on] +
                                            best[places][on]);
            best[places][pieces] = least;
            CHECK(gradients::pieces_computed(static_cast<std::int64_t>(pieces), places) ==
                  least + n);
            const std::int64_t on =
                gradients::next_stored(static_cast<std::int64_t>(pieces), places);
            if (on == 0) {
                CHECK((places == 1 || pieces == 1));
            } else {
                CHECK(static_cast<double>(on) +
                          best[places - 1][pieces - static_cast<std::size_t>(on)] +
                          best[places][static_cast<std::size_t>(on)] ==
                      least);
            }
        }
    }
    for (const int steps : {1, 2, 15, 16, 17, 1000, 100000}) {
        for (const int number : {2, 3, 17, 33, 40, 200}) {
            const auto most = static_cast<std::size_t>(number);
            for (const int multiple : {1, 16}) {
                const auto kept = gradients::stored_states(steps, most, multiple);
                CHECK(kept.places + static_cast<std::size_t>(kept.piece) <= most);
                CHECK(kept.piece >= 1);
                CHECK(kept.places >= 1);
            }
        }
    }
}

}  // namespace beadwave::validation::gradient_rows_test
