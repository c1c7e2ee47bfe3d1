// Small vibrations and weak pulses of confined crystals, compared with the closed forms of the
// lattice.
//
// In a crystal whose bonds have stiffness k and force F, a wave exp(i q.r) polarised along e, if
// symmetry allows it, has  m omega^2 = sum over neighbours of (k n_e^2 - (F/r)(1 - n_e^2))
// (1 - cos q.r) : the contribution of the springs minus that of the rotation of their forces.

#include "beadwave/laws/hertz.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packings.hpp"
#include "relative.hpp"

#include <functional>

namespace beadwave::validation::packing_waves_test {

using packing::Vec3;

namespace {

constexpr double overlap = 1e-6;

struct Confined {
    packing::Packing packing;
    Vec3 period;
    double stiffness, force, distance, mass;  // the first three per bond, mass per particle
};

Confined confined(packing::Lattice lattice, std::array<std::int64_t, 3> cells) {
    Confined c{.packing = steel_packing(),
               .period = {},
               .stiffness = 0,
               .force = 0,
               .distance = 2.0 * steel_radius - overlap,
               .mass = steel_mass(steel_radius)};
    const packing::Crystal crystal{
        .lattice = lattice, .cells = cells, .radius = steel_radius, .overlap = overlap};
    packing::Packing& p = c.packing;
    p.dimension = packing::is_planar(lattice) ? 2 : 3;
    add_crystal(p, crystal);
    c.period = packing::period(crystal);
    p.box = {.lower = {}, .upper = c.period, .periodic = {true, true, p.dimension == 3}};
    const double hertz = packing::PairLaws(p).normal().as<laws::Hertz<double>>().stiffness;
    c.stiffness = 1.5 * hertz * std::sqrt(overlap);
    c.force = hertz * overlap * std::sqrt(overlap);
    return c;
}

/// Neighbours of a particle of the infinite crystal [distances].
std::vector<Vec3> hexagonal_neighbours() {
    const double h = std::sqrt(0.75);
    return {{1, 0, 0}, {-1, 0, 0}, {0.5, h, 0}, {-0.5, h, 0}, {0.5, -h, 0}, {-0.5, -h, 0}};
}
std::vector<Vec3> fcc_neighbours() {
    std::vector<Vec3> all;
    const double h = std::sqrt(0.5);
    for (const double a : {-h, h}) {
        for (const double b : {-h, h}) {
            all.push_back({a, b, 0});
            all.push_back({a, 0, b});
            all.push_back({0, a, b});
        }
    }
    return all;
}

double frequency(const Confined& c, const std::vector<Vec3>& neighbours, Vec3 q, Vec3 along) {
    double sum = 0.0;
    for (const Vec3 n : neighbours) {
        const double part = dot(n, along) * dot(n, along);
        const double bond = c.stiffness * part - c.force / c.distance * (1.0 - part);
        sum += bond * (1.0 - std::cos(c.distance * dot(n, q)));
    }
    return std::sqrt(sum / c.mass);
}

/// Frequency of a standing wave, from its amplitude at three times, corrected for the dispersion of
/// velocity Verlet, sin(omega_V dt / 2) = omega dt / 2.
double measured_frequency(const Confined& c, Vec3 q, Vec3 along, double expected) {
    packing::Packing p = c.packing;
    const double amplitude = 2e-5 * overlap;
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = (amplitude * expected * std::cos(dot(q, p.position[i]))) * along;
    constexpr int steps_per_period = 200, apart = 50;
    const double dt = 2.0 * std::numbers::pi / expected / steps_per_period;
    const auto engine = packing::make_packing_engine(p, dt, 1);
    const auto amplitude_now = [&] {
        const auto d = engine->displacement();
        double sum = 0.0;
        for (std::size_t i = 0; i < p.particles(); ++i)
            sum += dot(d[i], along) * std::cos(dot(q, p.position[i]));
        return sum;
    };
    // sin(w (n + m)) + sin(w (n - m)) = 2 sin(w n) cos(w m): n near a quarter of a period, m too.
    engine->advance(5);
    const double before = amplitude_now();
    engine->advance(apart);
    const double middle = amplitude_now();
    engine->advance(apart);
    const double after = amplitude_now();
    const double angle = std::acos((before + after) / (2.0 * middle)) / apart;
    CHECK(engine->neighbour_list_builds() == 0);
    return 2.0 / dt * std::sin(0.5 * angle);
}

}  // namespace

TEST_CASE("a hexagonal crystal vibrates at the frequencies of the closed form") {
    const Confined c = confined(packing::Lattice::hexagonal, {12, 4, 1});
    for (const int wave : {1, 3, 6}) {
        const Vec3 q{2.0 * std::numbers::pi * wave / c.period.x, 0, 0};
        for (const Vec3 along : {Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
            const double expected = frequency(c, hexagonal_neighbours(), q, along);
            CHECK_RELATIVE(measured_frequency(c, q, along, expected), expected, 1e-8);
        }
    }
}

TEST_CASE("layers of an fcc crystal have their dispersion along [100]") {
    const Confined c = confined(packing::Lattice::fcc, {10, 2, 2});
    const double spacing = 0.1 * c.period.x / 2.0;
    for (const int wave : {1, 2, 5, 8, 10}) {
        const Vec3 q{2.0 * std::numbers::pi * wave / c.period.x, 0, 0};
        for (const Vec3 along : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            const double expected = frequency(c, fcc_neighbours(), q, along);
            CHECK_RELATIVE(measured_frequency(c, q, along, expected), expected, 1e-8);
            if (along.x == 0.0) continue;
            // A row of layers, without the rotation of the forces.
            const double layers =
                2.0 * std::sqrt(2.0 * c.stiffness / c.mass) * std::sin(0.5 * q.x * spacing);
            CHECK_RELATIVE(expected, layers, 1e-3);
        }
    }
}

TEST_CASE("a weak pulse runs along [100] of an fcc crystal at 2 R sqrt(k/m)") {
    const Confined c = confined(packing::Lattice::fcc, {240, 2, 2});
    packing::Packing p = c.packing;
    const double middle = 0.5 * c.period.x, width = 40.0 * steel_radius;
    const double speed = 2.0 * steel_radius * std::sqrt(c.stiffness / c.mass);
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const double x = (p.position[i].x - middle) / width;
        p.velocity[i].x = 1e-5 * overlap * speed / steel_radius * std::exp(-x * x);
    }
    const double dt = 0.1 * std::sqrt(c.mass / (8.0 * c.stiffness));
    const auto engine = packing::make_packing_engine(p, dt, 1);
    // The centre of energy of the half that runs to the right.
    const auto centre = [&] {
        const auto v = engine->velocity();
        double moment = 0.0, sum = 0.0;
        for (std::size_t i = 0; i < p.particles(); ++i) {
            const double x = p.position[i].x - middle;
            if (x < 0.0) continue;
            moment += x * v[i].x * v[i].x;
            sum += v[i].x * v[i].x;
        }
        return moment / sum;
    };
    const auto steps_for = [&](double distance) {
        return static_cast<std::int64_t>(distance / speed / dt);
    };
    const std::int64_t before = steps_for(130.0 * steel_radius),
                       after = steps_for(100.0 * steel_radius);
    engine->advance(before);
    const double from = centre();
    engine->advance(after);
    const double measured = (centre() - from) / (static_cast<double>(after) * dt);
    MESSAGE("speed " << measured << " m/s, closed form " << speed);
    CHECK_RELATIVE(measured, speed, 1e-3);
}

}  // namespace beadwave::validation::packing_waves_test
