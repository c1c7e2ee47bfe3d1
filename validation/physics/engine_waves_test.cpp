// Small waves in the fast engine have the frequencies of linear modes.

#include "crystals.hpp"
#include "largest.hpp"
#include "linear/packing_operator.hpp"
#include "modes/packing_modes.hpp"
#include "packings.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace beadwave::validation::engine_waves_test {

namespace {

using packing::Lattice;
using packing::Vec3;
constexpr double pi = std::numbers::pi;
constexpr double overlap = crystal_overlap;

/// The frequency of the engine's motion that starts along a mode's shape [Hz].
double engine_frequency(packing::Packing p, const modes::Modes& m, std::size_t mode,
                        double amplitude) {
    const std::size_t n = p.particles(), c = m.freedoms / n;
    const bool rotates = c > static_cast<std::size_t>(p.dimension);
    const double f = m.frequency[mode], speed = 2.0 * pi * f * amplitude;
    const auto shape = [&](std::size_t i, std::size_t k) {
        return m.shape[mode * m.freedoms + i * c + k].real();
    };
    for (std::size_t i = 0; i < n; ++i) {
        p.velocity[i] = speed * Vec3{shape(i, 0), shape(i, 1), 0.0};
        if (p.dimension == 3) p.velocity[i].z = speed * shape(i, 2);
        if (!rotates) continue;
        const double turn = speed / p.radius[i];
        p.angular_velocity[i] = p.dimension == 2
                                    ? Vec3{0, 0, turn * shape(i, 2)}
                                    : turn * Vec3{shape(i, 3), shape(i, 4), shape(i, 5)};
    }
    constexpr int per_period = 1000, periods = 4;
    const double dt = 1.0 / f / per_period;
    const auto engine = packing::make_packing_engine(p, dt, 1);
    packing::ParticleTrace trace;
    const std::vector<Vec3> start = p.velocity, start_turn = p.angular_velocity;
    const auto projection = [&] {
        double sum = 0.0;
        const std::vector<Vec3> v = engine->velocity(), w = engine->angular_velocity();
        for (std::size_t i = 0; i < n; ++i)
            sum += p.mass[i] * dot(start[i], v[i]) + p.inertia[i] * dot(start_turn[i], w[i]);
        return sum;
    };
    // The times where it crosses zero, a quarter of a period and then half periods apart.
    double before = projection(), last = 0.0, first = 0.0;
    int crossings = 0;
    for (int step = 1; step <= periods * per_period + per_period / 2; ++step) {
        engine->advance(1, trace);
        const double now = projection();
        if ((before > 0.0) != (now > 0.0)) {
            last = (step - 1 + before / (before - now)) * dt;
            if (crossings++ == 0) first = last;
        }
        before = now;
    }
    return 0.5 * (crossings - 1) / (last - first);
}

}  // namespace

TEST_CASE("a small wave in the fast engine has the mode's frequency, the better the smaller") {
    for (const Lattice lattice :
         {Lattice::square, Lattice::hexagonal, Lattice::simple_cubic, Lattice::fcc}) {
        CAPTURE(static_cast<int>(lattice));
        const bool planar = packing::is_planar(lattice);
        const packing::Packing p = crystal_of(lattice, {4, planar ? 4 : 3, planar ? 1 : 3}, true);
        const modes::Modes m = modes::solve(linear::linearise(p, "test"), "test");
        const std::size_t count = m.frequency.size();
        for (const std::size_t mode : {m.rigid, count / 2, count - 1}) {
            CAPTURE(mode);
            const double strong = engine_frequency(p, m, mode, 0.05 * overlap);
            const double weak = engine_frequency(p, m, mode, 0.0125 * overlap);
            MESSAGE("relative error ", strong / m.frequency[mode] - 1.0, " ",
                    weak / m.frequency[mode] - 1.0);
            CHECK_RELATIVE(weak, m.frequency[mode], 1e-4);
        }
    }
}

TEST_CASE("a small rolling and twisting wave in the fast engine has the mode's frequency") {
    for (const Lattice lattice : {Lattice::hexagonal, Lattice::simple_cubic}) {
        CAPTURE(static_cast<int>(lattice));
        const bool planar = packing::is_planar(lattice);
        packing::Packing p = crystal_of(lattice, {4, planar ? 4 : 3, planar ? 1 : 3}, true);
        const modes::Modes without = modes::solve(linear::linearise(p, "test"), "test");
        p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.1};
        const modes::Modes m = modes::solve(linear::linearise(p, "test"), "test");
        const std::size_t count = m.frequency.size();
        Largest moved;
        for (std::size_t k = 0; k < count; ++k)
            moved.enter(std::fabs(m.frequency[k] - without.frequency[k]));
        CHECK(moved > 1e-2 * m.frequency.back());  // the springs matter
        for (const std::size_t mode : {m.rigid, count / 3, count / 2, count - 1}) {
            CAPTURE(mode);
            const double weak = engine_frequency(p, m, mode, 0.0125 * overlap);
            MESSAGE("relative error ", weak / m.frequency[mode] - 1.0);
            CHECK_RELATIVE(weak, m.frequency[mode], 1e-4);
        }
    }
}

}  // namespace beadwave::validation::engine_waves_test
