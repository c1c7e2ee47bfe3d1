// Particle-steps per second of packings on a device, beside the same on the host.
//
//     device_bench CASE SIZE FRICTION LAW WHERE [STEPS [THREADS]]
//
// CASE: `crystal`, a periodic fcc crystal of 4 SIZE^3 steel spheres, all of whose contacts are
// closed, without a rebuild of the neighbour list; `drum`, about 3.8 SIZE^3 soft spheres in a drum
// SIZE spheres in radius that turns, with a rebuild every few dozen steps. FRICTION: none or
// mindlin. WHERE: gpu, twin, or an instruction set of the host, such as AVX-512. The best of three
// advances counts, with all copies from and to the device and, at its end, the list on the host.

#include "beadwave/laws/catalogue.hpp"
#include "packing/build/lattices.hpp"
#include "packing/fast/fast_packing_engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <variant>

namespace {

using namespace beadwave;
using packing::Vec3;

constexpr double radius = 2.38e-3;

double mass(double density) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * density;
}

packing::Packing of(double modulus, const std::string& law, const std::string& friction) {
    packing::Packing p;
    p.species_list = {
        {.name = "spheres",
         .elasticity = {.youngs_modulus = modulus, .poisson_ratio = 0.3, .yield_stress = 900e6}}};
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
    }
    if (friction == "mindlin") p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.5};
    return p;
}

struct Case {
    packing::Packing packing;
    double time_step;      // [s]
    std::int64_t settles;  // steps before the timed ones
};

/// The bits of a number, mixed up.
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}

/// Components from -size to size.
Vec3 noise(std::uint64_t particle, double size) {
    const auto component = [&](std::uint64_t k) {
        constexpr std::uint64_t step = 0x9E3779B97F4A7C15U;
        return size * (static_cast<double>(mixed((3 * particle + k) * step) >> 11) * 0x1p-52 - 1.0);
    };
    return {component(0), component(1), component(2)};
}

Case crystal(std::int64_t cells, const std::string& law, const std::string& friction) {
    packing::Packing p = of(193e9, law, friction);
    const packing::Crystal fcc{.lattice = packing::Lattice::fcc,
                               .cells = {cells, cells, cells},
                               .radius = radius,
                               .overlap = 2e-7};
    for (const Vec3& centre : packing::centres(fcc)) {
        p.add(radius, mass(7970.0), centre);
        p.velocity.back() = noise(p.particles(), 1e-3);
        p.angular_velocity.back() = (1.0 / radius) * noise(p.particles() + (1ULL << 40), 1e-3);
    }
    const Vec3 corner{-1e-3, -1e-3, -1e-3};
    p.box = {
        .lower = corner, .upper = packing::period(fcc) + corner, .periodic = {true, true, true}};
    return {std::move(p), 2e-7, 10};
}

Case drum(std::int64_t size, const std::string& law, const std::string& friction) {
    packing::Packing p = of(1e7, law, friction);
    const double apart = 2.02 * radius, inner = apart * static_cast<double>(size);
    for (std::int64_t z = -size; z <= size / 5; ++z) {
        for (std::int64_t x = -size; x <= size; ++x) {
            if (x * x + z * z > (size - 1) * (size - 1)) continue;
            for (std::int64_t y = 1; y < 2 * size; ++y) {
                p.add(radius, mass(2500.0),
                      {apart * static_cast<double>(x), apart * (static_cast<double>(y) - 0.5),
                       apart * static_cast<double>(z)});
                p.velocity.back() = noise(p.particles(), 0.2);
            }
        }
    }
    p.walls.push_back({.shape = packing::Revolved::cylinder({0, -inner, 0}, {0, 1, 0},
                                                            inner + 0.1 * radius, 4.0 * inner)});
    p.walls.back().angular_velocity = 3.0;
    p.walls.push_back(
        {.shape = packing::Plane{.point = {0, -0.6 * apart, 0}, .normal = {0, 1, 0}}});
    p.walls.push_back(
        {.shape = packing::Plane{.point = {0, 2.0 * inner, 0}, .normal = {0, -1, 0}}});
    p.gravity = {0, 0, -9.81};
    p.skin = 0.25 * radius;
    return {std::move(p), 1e-5, 500};
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 6) {
        std::fprintf(stderr, "device_bench CASE SIZE FRICTION LAW WHERE [STEPS [THREADS]]\n");
        return 2;
    }
    const std::string name = argv[1], friction = argv[3], law = argv[4], where = argv[5];
    const std::int64_t size = std::atol(argv[2]);
    Case it = name == "drum" ? drum(size, law, friction) : crystal(size, law, friction);
    const std::int64_t steps = argc > 6 ? std::atol(argv[6]) : 1000;
    const int threads = argc > 7 ? std::atoi(argv[7]) : 1;
    const simd::InstructionSet* set = &simd::instruction_sets().front();
    for (const simd::InstructionSet& each : simd::instruction_sets())
        if (where == each.name) set = &each;
    if (where == "gpu") it.packing.place = packing::Place::gpu;
    if (where == "twin") it.packing.place = packing::Place::twin;
    const auto engine = packing::make_packing_engine(it.packing, it.time_step, threads, *set);
    engine->advance(it.settles);
    double best = 1e300;
    for (int time = 0; time < 3; ++time) {
        const double start = now();
        engine->advance(steps);
        best = std::min(best, now() - start);
    }
    const auto particles = static_cast<double>(it.packing.particles());
    std::printf("%s %s %s %s: %.0f spheres, %.2f pairs each, %.3e particle-steps/s, %lld lists\n",
                name.c_str(), friction.c_str(), law.c_str(), where.c_str(), particles,
                static_cast<double>(engine->listed_pairs()) / particles,
                particles * static_cast<double>(steps) / best,
                static_cast<long long>(engine->neighbour_list_builds()));
    return 0;
}
