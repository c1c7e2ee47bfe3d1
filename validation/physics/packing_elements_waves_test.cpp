// Waves in crystals whose particles carry masses, against the frequencies of the infinite lattice;
// rows of particles that carry something, against the engine of chains.

#include "chain/build_chain.hpp"
#include "largest.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "plain_chain.hpp"
#include "relative.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::packing_elements_waves_test {

using packing::Packing;
using packing::Vec3;
using stepping::Drive;
using stepping::ForceSignal;

namespace {

constexpr double pi = std::numbers::pi;

/// The motion of a mass on a spring `outer` [N/m] with a mass inside on a spring `inner`, when both
/// start at rest length with velocity 1: displacement of the first one over time. The squares of
/// the frequencies are the eigenvalues of a matrix of two rows.
struct MassInMass {
    double m, n, outer, inner;

    double at(double time) const {
        const double a = (outer + inner) / m, d = inner / n, bc = inner / m * (inner / n);
        const double middle = 0.5 * (a + d), half = std::sqrt(0.25 * (a - d) * (a - d) + bc);
        double sum = 0.0;
        for (const double square : {middle - half, middle + half}) {
            // Amplitude of the inner mass over that of the outer one, and the part of the start.
            const double ratio = d / (d - square);
            const double part = (m + n * ratio) / (m + n * ratio * ratio);
            const double w = std::sqrt(square);
            sum += part * std::sin(w * time) / w;
        }
        return sum;
    }
};

}  // namespace

TEST_CASE("plane waves in a crystal of spheres with masses inside have the lattice's frequencies") {
    // A square lattice under isotropic compression, wave vector (q, q), motion along x: neighbours
    // along x act with the stiffness k of their contacts, those along y with -F / a, the turning of
    // the contact forces. Both times 4 sin^2(q a / 2).
    constexpr int cells = 8;
    constexpr double r = steel_radius, overlap = 2e-6, a = 2.0 * r - overlap, v = 1e-6;
    const double hertz = hertz_spheres(r, r, steel_modulus, steel_ratio);
    const double k = 1.5 * hertz * std::sqrt(overlap), force = hertz * std::pow(overlap, 1.5);
    const double m = steel_mass(r), n = 0.6 * m, inner = 0.3 * k;
    CHECK(force / a / k > 2e-4);  // the tolerance sees it
    for (const EngineMaker& make : engine_makers) {
        for (const int periods : {1, 2, 4}) {
            Packing p = steel_packing();
            p.dimension = 2;
            add_crystal(p, {.lattice = packing::Lattice::square,
                            .cells = {cells, cells, 1},
                            .radius = r,
                            .overlap = overlap});
            p.box = {.lower = {-0.5 * a, -0.5 * a, 0.0},
                     .upper = {(cells - 0.5) * a, (cells - 0.5) * a, 0.0},
                     .periodic = {true, true, false}};
            const double q = 2.0 * pi * periods / (cells * a);
            std::vector<double> shape;
            double norm = 0.0;
            for (std::size_t i = 0; i < p.particles(); ++i) {
                // Shifted, so that the shortest wave has no node on every particle.
                shape.push_back(std::cos(q * (p.position[i].x + p.position[i].y) + 0.3));
                norm += shape[i] * shape[i];
                p.velocity[i].x = v * shape[i];
                p.elements.resonators.push_back({i, n, {.stiffness = inner}});
            }
            const double sine = std::sin(0.5 * q * a);
            const MassInMass wave{m, n, 4.0 * (k - force / a) * sine * sine, inner};
            constexpr double dt = 2e-8;
            const auto engine = make(p, dt);
            Largest worst, largest;
            for (int look = 0; look < 60; ++look) {
                engine->advance(97);
                double amplitude = 0.0;
                const std::vector<Vec3> u = engine->displacement();
                for (std::size_t i = 0; i < u.size(); ++i)
                    amplitude += u[i].x * shape[i] / norm;
                const double expected = v * wave.at(dt * static_cast<double>(engine->step()));
                worst.enter(std::abs(amplitude - expected));
                largest.enter(std::abs(expected));
            }
            CAPTURE(periods);
            MESSAGE("of the amplitude: ", worst / largest);
            CHECK(worst < 1e-4 * largest);
        }
    }
}

TEST_CASE("a row of spheres that carry something has the history of the chain to 1e-10") {
    for (const char* law : {"hertz", "tsuji", "ma-liu"}) {
        chain::Scenario scenario = steel_chain(40, 1.77, law_settings(law), 1e-3);
        const chain::Spring ground{.stiffness = 2e5, .cubic = 1e14, .damping = 0.4},
            inside{.stiffness = 3e5, .cubic = -1e13, .damping = 0.3};
        const ForceSignal push = ForceSignal::sine(2e4, 8.0, 3.0),
                          table = ForceSignal::table({0.0, 2e-5, 9e-5}, {0.0, 12.0, -3.0});
        const Drive motion = Drive::sine(1.5e4, 2e-6);
        chain::ElementGroups& groups = scenario.elements;
        groups.foundations = {{{.ends = {{3, 30}}, .every = 2}, ground}};
        groups.resonators = {{{.ends = {{0, 39}}, .every = 3}, 0.2e-3, inside}};
        groups.loads = {{20, push}, {17, table}, {5, ForceSignal::constant(0.5)}};
        groups.drives = {{33, motion}};
        const chain::Chain chain = chain::build_chain(scenario);

        Packing p = steel_packing();
        p.law = law_settings(law);
        p.skin = 1e-3;
        for (std::size_t i = 0; i < chain.beads(); ++i) {
            p.add(chain.radius[i], chain.mass[i],
                  {static_cast<double>(i) * 2.0 * chain.radius[i], 0.0, 0.0});
            p.velocity.back().x = i == 33 ? 0.0 : chain.velocity[i];
        }
        for (const chain::Foundation& each : chain.elements.foundations)
            p.elements.foundations.push_back({each.bead, each.spring});
        for (const chain::Resonator& each : chain.elements.resonators)
            p.elements.resonators.push_back({each.bead, each.mass, each.spring});
        const ForceSignal none = ForceSignal::constant(0.0);
        p.elements.forces = {
            {push, none, none}, {table, none, none}, {ForceSignal::constant(0.5), none, none}};
        p.elements.loads = {{20, 0}, {17, 1}, {5, 2}};
        p.elements.motions = {{.along = {motion, Drive::steady(0.0), Drive::steady(0.0)}}};
        p.drive(33, 0);

        constexpr double dt = 1e-7;
        for (const EngineMaker& make : engine_makers) {
            const auto row = dynamics::make_plain_engine(chain, dt);
            const auto engine = make(p, dt);
            dynamics::SensorTrace no_sensor;
            Largest worst_velocity;
            Largest worst_displacement, farthest;
            for (int look = 0; look < 30; ++look) {
                row->advance(100, no_sensor);
                engine->advance(100);
                const auto displacement = engine->displacement(), velocity = engine->velocity();
                for (std::size_t i = 0; i < chain.beads(); ++i) {
                    worst_velocity.enter(std::abs(velocity[i].x - row->velocity()[i]));
                    worst_displacement.enter(std::abs(displacement[i].x - row->displacement()[i]));
                    farthest.enter(std::abs(row->displacement()[i]));
                }
            }
            CAPTURE(law);
            CHECK_ABSOLUTE(worst_velocity, 0.0, 1e-10 * 1.77);
            CHECK_ABSOLUTE(worst_displacement, 0.0, 1e-10 * farthest);
            const dynamics::Totals expected = row->totals();
            const packing::PackingTotals t = engine->totals();
            CHECK_RELATIVE(t.translational, expected.kinetic, 1e-10);
            CHECK_RELATIVE(t.stored_normal + t.stored_elements, expected.stored, 1e-9);
            CHECK_RELATIVE(t.momentum.x, expected.momentum, 1e-9);
            // Dissipation and works are other sums of second order: (omega dt)^2 / 12 of them.
            const double scale = expected.dissipated + expected.kinetic;
            CHECK_ABSOLUTE(t.dissipated_normal + t.dissipated_elements, expected.dissipated,
                           1e-4 * scale);
            CHECK_ABSOLUTE(t.external_work, expected.external_work, 1e-4 * scale);
        }
    }
}

}  // namespace beadwave::validation::packing_elements_waves_test
