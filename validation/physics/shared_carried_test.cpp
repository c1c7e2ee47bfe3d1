// What particles carry, and particles that come and leave, in packings that several ranks share:
// equal to one process to the bit.

#include "all_carry.hpp"
#include "packing_engines.hpp"
#include "poured_packings.hpp"
#include "sanitised.hpp"
#include "shared_packings.hpp"
#include "splitmix.hpp"
#include "tumbling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace beadwave::validation::shared_carried_test {

using namespace beadwave::validation::sharing;
using stepping::Drive;
using stepping::ForceSignal;

namespace {

const std::vector<std::size_t> traced{5, 0, 102, 1500, 2900, 3400};

packing::Packing crystal(const std::string& law, const laws::Friction& friction) {
    packing::Packing p = tumbling(law, friction,
                                  {.lattice = packing::Lattice::bcc,
                                   .cells = {11, 9, 22},
                                   .origin = {0, 0, steel_radius},
                                   .radius = steel_radius});
    p.skin = 5e-5;
    return p;
}

/// A heap into which particles are poured, above two exits, periodic along x.
packing::Packing heap(bool turns) {
    constexpr double radius = 2e-3;
    packing::Packing p = soft_packing(turns ? "ma-liu" : "tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    if (!turns) p.rolling = {.coefficient = 0.05, .twisting_coefficient = 0.02};
    const double width = 30.0 * radius;
    p.box = {.lower = {0, 0, 0}, .upper = {width, width, width}, .periodic = {true, false, false}};
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, 0}, .normal = {0, 1, 0}}});
    p.walls.push_back({.shape = packing::Plane{.point = {0, width, 0}, .normal = {0, -1, 0}}});
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, 0}, .normal = {0, 0, 1}},
                       .angular_velocity = turns ? 3.0 : 0.0});
    std::uint64_t drawn = 0;
    const auto uniform = [&] { return std::ldexp(static_cast<double>(mixed(++drawn) >> 11), -53); };
    for (int k = 0; k < 13; ++k) {
        for (int j = 0; j < 14; ++j) {
            for (int i = 0; i < 14; ++i) {
                const auto at = [&](int n) { return (2.0 * n + 1.2 + 0.02 * uniform()) * radius; };
                p.add(radius * (0.98 + 0.03 * uniform()), steel_mass(radius),
                      {at(i), at(j), at(k) - 0.3 * radius});
                p.velocity.back() = {0.4 * (uniform() - 0.5), 0.4 * (uniform() - 0.5), -0.5};
            }
        }
    }
    add_pour(p, 700, radius,
             {{0.1 * width, 0.1 * width, 29.0 * radius}, {0.9 * width, 0.9 * width, 40.0 * radius}},
             1e5, {0.1, 0.0, -2.0});
    add_pour(p, 400, 0.8 * radius,
             {{0.0, 0.1 * width, 26.0 * radius}, {width, 0.9 * width, 36.0 * radius}}, 0.0,
             {0.0, -0.1, -1.0}, 7);
    p.exits.push_back({packing::Region{.lower = {0.2 * width, 0, 0},
                                       .upper = {0.6 * width, width, 2.4 * radius}}});
    p.exits.push_back({packing::Region{.lower = {0.7 * width, 0, 0},
                                       .upper = {0.8 * width, width, 9.0 * radius}}});
    p.skin = 0.15 * radius;
    return p;
}

}  // namespace

TEST_CASE(
    "foundations, resonators, loads and drives act alike on all ranks, also where the order of "
    "particles changes") {
    for (const bool rough : {true, false}) {
        if (sanitised && !rough) continue;
        CAPTURE(rough);
        packing::Packing p =
            crystal(rough ? "tsuji" : "hertz",
                    rough ? laws::Friction{.law = laws::FrictionLaw::mindlin, .coefficient = 0.3}
                          : laws::Friction{});
        let_all_carry(p);
        for (const packing::Precision precision : both_precisions) {
            p.precision = precision;
            const bool full = precision == packing::Precision::full;
            if (sanitised && !full) continue;
            const Numbers found =
                check_same({p, 2e-7, {40, 110, 150, 110}, traced, records_of(p)}, {rough == full ? 3
                                                                                   : rough       ? 2
                                                                                           : 4});
            CHECK(found.at("numbers").rbegin()[1] > 1);  // rebuilds
            CHECK(sum_of(found.at("drives")) > 0.0);
            CHECK(sum_of(found.at("masses inside")) > 0.0);
        }
    }
}

TEST_CASE("bonds between particles of several ranks pull and break alike on all of them") {
    for (const bool rough : {true, false}) {
        if (sanitised && !rough) continue;
        CAPTURE(rough);
        packing::Packing p =
            crystal(rough ? "ma-liu" : "hertz",
                    rough ? laws::Friction{.law = laws::FrictionLaw::mindlin, .coefficient = 0.3}
                          : laws::Friction{});
        p.box = {};
        // Bonded to the nearest particles, and some far away: these have no pair.
        for (std::size_t i = 0; i < p.particles(); ++i) {
            for (std::size_t j = i + 1; j < std::min(i + 600, p.particles()); ++j) {
                if (p.is_fixed(i) && p.is_fixed(j)) continue;
                const Vec3 branch = p.position[j] - p.position[i];
                const bool touches = dot(branch, branch) < 4.1 * steel_radius * steel_radius;
                if (!touches && !(i % 131 == 4 && j == i + 599)) continue;
                const double strength = 2e6 * static_cast<double>(1 + (i * j) % 17);
                p.elements.bonds.push_back({.first = i % 2 == 0 ? i : j,
                                            .second = i % 2 == 0 ? j : i,
                                            .radius_factor = 0.6,
                                            .youngs_modulus = 2e9,
                                            .stiffness_ratio = 2.5,
                                            .tensile_strength = strength,
                                            .shear_strength = 0.8 * strength});
            }
        }
        const std::size_t bonds = p.elements.bonds.size();
        REQUIRE(bonds > 5000);
        for (const packing::Precision precision : both_precisions) {
            p.precision = precision;
            const bool full = precision == packing::Precision::full;
            if (sanitised && !full) continue;
            const Numbers found = check_same({p, 1e-7, {40, 80, 60, 60}, traced}, {rough == full ? 3
                                                                                   : rough       ? 4
                                                                                           : 2});
            CHECK(found.at("numbers").rbegin()[1] > 0);  // rebuilds
            // All looks together name those that broke again.
            const std::vector<double>& broken = found.at("broken");
            std::set<double> steps, which;
            for (std::size_t k = 0; k < broken.size(); k += 3) {
                which.insert(broken[k]);
                steps.insert(broken[k + 1]);
            }
            CHECK(which.size() > 200);
            CHECK(which.size() < bonds);
            CHECK(steps.size() > 50);
        }
    }
}

TEST_CASE("particles come and leave alike on all ranks") {
    for (const std::size_t kind : {0, 1, 2, 3}) {
        if (sanitised && kind != 0) continue;
        CAPTURE(kind);
        const bool turns = kind < 2;
        packing::Packing p = heap(turns);
        p.precision = both_precisions[kind % 2];
        const Numbers found =
            check_same({p, 4e-6, {10, 240, 150, 220}, {5, 0, 102, 2600, 3000}, records_of(p)},
                       std::vector{std::array{3, 2, 4, 2}[kind]});
        const std::vector<double>& presence = found.at("population");
        const std::size_t numbers = 4 * p.particles();
        std::size_t waiting = 0, left = 0, left_later = 0;
        for (std::size_t k = presence.size() - numbers; k < presence.size(); k += 4) {
            waiting += presence[k] == 0.0 ? 1 : 0;
            left += presence[k] == 2.0 ? 1 : 0;
            left_later += presence[k + 2] > 20.0 ? 1 : 0;
        }
        CHECK(waiting > 100);
        CHECK(waiting < 900);
        CHECK(left > 300);
        CHECK(left_later > 50);
    }
}

TEST_CASE("particles come and leave alike on all ranks with what they carry") {
    packing::Packing p = heap(false);
    p.box = {};
    packing::Elements& all = p.elements;
    const std::size_t there = p.pours.front().first;
    for (std::size_t i = 0; i + 1 < there; i += 3) {
        if (i % 14 == 13) continue;  // the next one is in another row
        all.bonds.push_back({.first = i + i % 2,
                             .second = i + 1 - i % 2,
                             .radius_factor = 0.3,
                             .youngs_modulus = 1e6,
                             .stiffness_ratio = 2.5});
    }
    all.forces = {
        {ForceSignal::sine(2e3, 1e-3), ForceSignal::constant(0.0), ForceSignal::constant(-1e-3)}};
    all.motions = {{.along = {Drive::steady(0.1), std::nullopt, std::nullopt}}};
    for (std::size_t i = 0; i < p.particles(); ++i) {
        if (i % 4 == 0)
            all.foundations.push_back({i, {.stiffness = i < there ? 0.0 : 1.0, .damping = 5e-3}});
        if (i % 7 == 0)
            all.resonators.push_back({i, 0.3 * p.mass[i], {.stiffness = 100.0, .damping = 2e-3}});
        if (i % 5 == 0) all.loads.push_back({i, 0});
        if (i < there && i % 301 == 7) {
            p.angular_velocity[i] = {};
            p.drive(i, 0);
        }
    }
    for (const packing::Precision precision : both_precisions) {
        if (sanitised && precision == packing::Precision::full) continue;
        p.precision = precision;
        const Numbers found = check_same({p, 4e-6, {10, 240, 150, 220}, {5, 0, 102, 2600, 3000}},
                                         {precision == packing::Precision::full ? 2 : 3});
        const std::vector<double>& presence = found.at("population");
        std::size_t left = 0;
        for (std::size_t k = presence.size() - 4 * p.particles(); k < presence.size(); k += 4)
            left += presence[k] == 2.0 ? 1 : 0;
        CHECK(left > 300);
        CHECK(!found.contains("broken"));
    }
}

}  // namespace beadwave::validation::shared_carried_test
