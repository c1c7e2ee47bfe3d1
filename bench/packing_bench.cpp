// Particle-steps per second of packings: a periodic fcc crystal of steel spheres with twelve
// contacts each, all of them active, nothing asleep and no rebuild of the neighbour list; and a
// column that settles.
//
//     packing_bench [PARTICLES [LAW [FRICTION [THREADS [STEPS [KERNEL
//     [fcc|unlike|column|pulse|error]]]]]]]
//
// LAW: hertz, ma-liu, ...; FRICTION: none, mindlin, mindlin-displacement, mindlin-rolling; KERNEL:
// plain, AVX-512, AVX2, baseline, or "" for the fastest; "mixed", "AVX2 mixed": in mixed precision.
// Without arguments: all. `unlike`: the crystal with spheres of which no two are alike. `pulse`:
// the time to compute a plane pulse through an fcc crystal at rest, with sleeping blocks skipped
// and with all blocks awake. `error`: how mixed precision differs from double; KERNEL is then what
// the crystal also has: carried, bonded or "".

#include "beadwave/laws/catalogue.hpp"
#include "packing/build/lattices.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "scenario/disorder.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

namespace {

using namespace beadwave;

packing::Packing of_steel(const std::string& law, const std::string& friction) {
    packing::Packing p;
    p.species_list = {
        {.name = "steel",
         .elasticity = {.youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6}}};
    const laws::Entry* const entry = laws::find(law);
    if (entry == nullptr) {
        std::fprintf(stderr, "no law \"%s\"\n", law.c_str());
        std::exit(2);
    }
    p.law.name = entry->name;
    for (const laws::Parameter& parameter : entry->parameters) {
        if (parameter.standard) p.law.values.emplace(parameter.name, *parameter.standard);
        if (!parameter.standard_word.empty())
            p.law.values.emplace(parameter.name, std::string(parameter.standard_word));
        if (parameter.required()) p.law.values.emplace(parameter.name, 0.65);
        if (parameter.standard_word == "initial")
            p.law.values.insert_or_assign(std::string(parameter.name), 1.0);
    }
    p.friction.coefficient = 0.3;
    if (friction == "mindlin" || friction == "mindlin-rolling")
        p.friction.law = laws::FrictionLaw::mindlin;
    if (friction == "mindlin-rolling")
        p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01, .damping_ratio = 0.1};
    if (friction == "mindlin-displacement")
        p.friction.law = laws::FrictionLaw::mindlin_displacement;
    return p;
}

double mass_of(double radius) {
    return 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3) * 7970.0;
}

packing::Packing crystal(std::int64_t particles, const std::string& law,
                         const std::string& friction) {
    packing::Packing p = of_steel(law, friction);
    const auto cells =
        static_cast<std::int64_t>(std::lround(std::cbrt(static_cast<double>(particles) / 4.0)));
    const packing::Crystal fcc{.lattice = packing::Lattice::fcc,
                               .cells = {cells, cells, cells},
                               .radius = 2.38e-3,
                               .overlap = 2e-7};
    const double mass = mass_of(2.38e-3);
    std::uint64_t number = 0;
    const auto noise = [&] { return scenario::disordered_radius(1e-3, 1, number++) - 1.0; };
    for (const packing::Vec3& centre : packing::centres(fcc)) {
        p.add(2.38e-3, mass, centre);
        p.velocity.back() = {noise(), noise(), noise()};
    }
    p.box = {.lower = {-1e-3, -1e-3, -1e-3},
             .upper = packing::period(fcc) + packing::Vec3{-1e-3, -1e-3, -1e-3},
             .periodic = {true, true, true}};
    return p;
}

/// Spheres of many sizes at random in a box. They fall to its floor, fast enough to need a new
/// neighbour list every few hundred steps.
packing::Packing column(std::int64_t particles, const std::string& law,
                        const std::string& friction) {
    packing::Packing p = of_steel(law, friction);
    std::vector<double> radii;
    double volume = 0.0;
    for (std::int64_t i = 0; i < particles; ++i) {
        radii.push_back(2.38e-3 *
                        scenario::disordered_radius(0.1, 1, static_cast<std::uint64_t>(i)));
        volume += mass_of(radii.back()) / 7970.0;
    }
    const double edge = std::cbrt(volume / 0.25 / 4.0);
    const packing::Vec3 upper{edge, edge, 4.0 * edge};
    const auto centres = packing::random_loose(radii, {}, upper, 3, 2);
    for (std::size_t i = 0; i < radii.size(); ++i) {
        p.add(radii[i], mass_of(radii[i]), centres[i]);
        p.velocity.back() = {0, 0, -5.0 * centres[i].z / upper.z};
    }
    for (const packing::Vec3 normal : {packing::Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
        p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = normal}});
    p.walls.push_back({.shape = packing::Plane{.point = upper, .normal = {-1, 0, 0}}});
    p.walls.push_back({.shape = packing::Plane{.point = upper, .normal = {0, -1, 0}}});
    p.gravity = {0, 0, -9.81};
    return p;
}

/// An fcc crystal at rest whose spheres just touch; those at its left face fly into it at 1 m/s.
packing::Packing struck_crystal(std::int64_t particles, const std::string& law,
                                const std::string& friction) {
    packing::Packing p = crystal(particles, law, friction);
    const auto cells =
        static_cast<std::int64_t>(std::lround(std::cbrt(static_cast<double>(particles) / 4.0)));
    const packing::Crystal touching{.lattice = packing::Lattice::fcc,
                                    .cells = {cells, cells, cells},
                                    .radius = 2.38e-3,
                                    .overlap = 0.0};
    p.position = packing::centres(touching);
    p.box.upper = packing::period(touching) + packing::Vec3{-1e-3, -1e-3, -1e-3};
    p.box.periodic[0] = false;
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = {p.position[i].x < 1e-3 ? 1.0 : 0.0, 0.0, 0.0};
    return p;
}

void cross(std::int64_t particles, const std::string& law, const std::string& friction,
           int threads) {
    const packing::Packing p = struck_crystal(particles, law, friction);
    const auto farthest = static_cast<std::size_t>(
        std::ranges::max_element(p.position, {}, &packing::Vec3::x) - p.position.begin());
    packing::ParticleTrace last{.particles = {farthest}, .force = {}, .velocity = {}};
    const auto timed = [&](packing::Sleep sleep, std::int64_t steps) {
        const auto engine =
            packing::make_packing_engine(p, 2e-7, threads, simd::instruction_sets().front(), sleep);
        const auto start = std::chrono::steady_clock::now();
        // `steps` steps; if 0, until the last layer has half the speed.
        while (steps > 0 ? engine->step() < steps
                         : last.velocity.empty() || last.velocity.back().x < 0.5)
            engine->advance(100, last);
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
        return std::pair{engine->step(), wall.count()};
    };
    const auto [steps, seconds] = timed(packing::Sleep::yes, 0);
    const double awake = timed(packing::Sleep::no, steps).second;
    std::printf(
        "pulse  %-12s %-20s %9zu particles %d threads %lld steps %9.4g s, all awake %9.4g s\n",
        law.c_str(), friction.c_str(), p.particles(), threads, static_cast<long long>(steps),
        seconds, awake);
}

void measure(const char* what, std::int64_t particles, const std::string& law,
             const std::string& friction, int threads, std::int64_t steps, std::string which) {
    const bool falls = std::string(what) == "column";
    packing::Packing p =
        falls ? column(particles, law, friction) : crystal(particles, law, friction);
    for (std::size_t i = 0; std::string(what) == "unlike" && i < p.particles(); ++i)
        p.radius[i] *= scenario::disordered_radius(1e-5, 2, i);
    const double dt = falls ? 1e-7 : 1e-8;
    if (const auto at = which.find("mixed"); at != std::string::npos) {
        p.precision = packing::Precision::mixed;
        which.erase(at > 0 ? at - 1 : at);
        if (which == "plain") {
            std::fprintf(stderr, "no plain engine in mixed precision\n");
            std::exit(2);
        }
    }
    std::unique_ptr<packing::PackingEngine> engine;
    if (which == "plain") {
        engine = packing::make_plain_packing_engine(p, dt);
    } else {
        for (const simd::InstructionSet& set : simd::instruction_sets()) {
            if (!engine && (which.empty() || which == set.name))
                engine = packing::make_packing_engine(p, dt, threads, set);
        }
    }
    if (!engine) {
        std::fprintf(stderr, "no kernel \"%s\" here\n", which.c_str());
        std::exit(2);
    }
    engine->advance(std::max<std::int64_t>(steps / 10, 2));
    double best = 1e300;
    for (int time = 0; time < 3; ++time) {
        const auto start = std::chrono::steady_clock::now();
        engine->advance(steps);
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
        best = std::min(best, wall.count());
    }
    std::printf(
        "%-6s %-12s %-20s %9zu particles %d threads %9.3g particle-steps/s, %zu pairs, %lld "
        "list rebuilds\n",
        what, law.c_str(), friction.c_str(), p.particles(), threads,
        static_cast<double>(p.particles()) * static_cast<double>(steps) / best,
        engine->listed_pairs(), static_cast<long long>(engine->neighbour_list_builds()));
    std::fflush(stdout);
}

/// Something that every particle carries, or a bond of each pair that touches.
void add(packing::Packing& p, const std::string& what) {
    packing::Elements& all = p.elements;
    using stepping::ForceSignal;
    if (what == "bonded") p.box = {};  // bonds need it
    if (what == "carried") {
        all.forces = {
            {ForceSignal::sine(1e5, 0.1), ForceSignal::constant(0.0), ForceSignal::constant(0.05)}};
    }
    for (std::size_t i = 0; i < p.particles(); ++i) {
        if (what == "carried") {
            all.foundations.push_back({i, {.stiffness = 1e6, .cubic = 1e18, .damping = 0.3}});
            all.resonators.push_back({i, 0.2 * p.mass[i], {.stiffness = 2e6, .damping = 0.1}});
            all.loads.push_back({i, 0});
        }
        for (std::size_t j = i + 1; what == "bonded" && j < p.particles(); ++j) {
            const packing::Vec3 branch = p.position[j] - p.position[i];
            if (dot(branch, branch) > 4.0 * p.radius[i] * p.radius[i]) continue;
            all.bonds.push_back({.first = i,
                                 .second = j,
                                 .radius_factor = 0.5,
                                 .youngs_modulus = 2e9,
                                 .stiffness_ratio = 2.5});
        }
    }
}

/// The error of mixed precision: two engines take the same steps of a periodic crystal.
void compare_precisions(std::int64_t particles, const std::string& law, const std::string& friction,
                        int threads, std::int64_t steps, const std::string& more) {
    packing::Packing p = crystal(particles, law, friction);
    add(p, more);
    constexpr double dt = 1e-8;
    const auto exact = packing::make_packing_engine(p, dt, threads);
    p.precision = packing::Precision::mixed;
    const auto mixed = packing::make_packing_engine(p, dt, threads);
    const auto energy = [](const packing::PackingEngine& engine) {
        const packing::PackingTotals t = engine.totals();
        return t.translational + t.rotational + t.stored_normal + t.stored_tangential +
               t.stored_elements + t.dissipated_normal + t.dissipated_tangential +
               t.dissipated_elements - t.external_work;
    };
    const auto length = [](const packing::Vec3& v) { return std::sqrt(dot(v, v)); };
    const double exact_start = energy(*exact), mixed_start = energy(*mixed);
    std::printf(
        "steps, error of energy in double and mixed over the energy; differences of momentum over "
        "the sum of m|v|, of velocity and displacement over their largest\n");
    for (std::int64_t done = 0, next = std::max<std::int64_t>(steps / 100, 1); done < steps;
         done = next, next = std::min(next * 10, steps)) {
        exact->advance(next - done);
        mixed->advance(next - done);
        const std::vector<packing::Vec3> v = exact->velocity(), u = exact->displacement();
        const std::vector<packing::Vec3> v_mixed = mixed->velocity(),
                                         u_mixed = mixed->displacement();
        double fastest = 0.0, of_v = 0.0, farthest = 0.0, of_u = 0.0, sum = 0.0;
        for (std::size_t i = 0; i < v.size(); ++i) {
            fastest = std::max(fastest, length(v[i]));
            farthest = std::max(farthest, length(u[i]));
            of_v = std::max(of_v, length(v_mixed[i] - v[i]));
            of_u = std::max(of_u, length(u_mixed[i] - u[i]));
            sum += p.mass[i] * length(v[i]);
        }
        std::printf("%9lld %10.2g %10.2g %10.2g %10.2g %10.2g\n", static_cast<long long>(next),
                    energy(*exact) / exact_start - 1.0, energy(*mixed) / mixed_start - 1.0,
                    length(mixed->totals().momentum - exact->totals().momentum) / sum,
                    of_v / fastest, of_u / farthest);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int count, char** words) {
    const auto word = [&](int k, const char* otherwise) {
        return std::string(count > k ? words[k] : otherwise);
    };
    if (count > 1) {
        const std::int64_t particles = std::atoll(words[1]);
        if (word(7, "fcc") == "error") {
            compare_precisions(particles, word(2, "hertz"), word(3, "mindlin"),
                               std::atoi(word(4, "1").c_str()),
                               std::atoll(word(5, "10000").c_str()), word(6, ""));
            return 0;
        }
        if (word(7, "fcc") == "pulse") {
            cross(particles, word(2, "hertz"), word(3, "none"), std::atoi(word(4, "1").c_str()));
            return 0;
        }
        measure(
            word(7, "fcc").c_str(), particles, word(2, "hertz"), word(3, "mindlin"),
            std::atoi(word(4, "1").c_str()),
            std::atoll(
                word(5, std::to_string(std::max<std::int64_t>(10'000'000 / particles, 5)).c_str())
                    .c_str()),
            word(6, ""));
        return 0;
    }
    for (const std::int64_t particles : {32'000, 256'000, 2'048'000}) {
        for (const auto& [law, friction] :
             {std::pair{"hertz", "none"}, {"hertz", "mindlin"}, {"ma-liu", "mindlin"}}) {
            for (const int threads : {1, 2})
                measure("fcc", particles, law, friction, threads,
                        std::max<std::int64_t>(10'000'000 / particles, 5), "");
        }
    }
    for (const int threads : {1, 2})
        measure("column", 20'000, "tsuji", "mindlin", threads, 5000, "");
}
