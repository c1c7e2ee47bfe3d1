// Particle-steps a second of packings: an fcc crystal of steel spheres, periodic, twelve contacts
// each, every contact active, nothing asleep and no list renewed.
//
//     packing_bench [PARTICLES [LAW [FRICTION [THREADS [STEPS [plain|AVX-512|AVX2|baseline]]]]]]
//
// LAW: hertz, ma-liu, ...; FRICTION: none, mindlin, mindlin-displacement. Without arguments: all.

#include "beadwave/laws/catalogue.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing/lattices.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>

namespace {

using namespace beadwave;

packing::Packing crystal(std::int64_t particles, const std::string& law,
                         const std::string& friction) {
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
    if (friction == "mindlin") p.friction.law = laws::FrictionLaw::mindlin;
    if (friction == "mindlin-displacement")
        p.friction.law = laws::FrictionLaw::mindlin_displacement;
    const auto cells =
        static_cast<std::int64_t>(std::lround(std::cbrt(static_cast<double>(particles) / 4.0)));
    const packing::Crystal fcc{.lattice = packing::Lattice::fcc,
                               .cells = {cells, cells, cells},
                               .radius = 2.38e-3,
                               .overlap = 2e-7};
    const double mass = 4.0 / 3.0 * std::numbers::pi * std::pow(2.38e-3, 3) * 7970.0;
    std::uint64_t number = 0;
    const auto noise = [&] { return packing::disordered_radius(1e-3, 1, number++) - 1.0; };
    for (const packing::Vec3& centre : packing::centres(fcc)) {
        p.add(2.38e-3, mass, centre);
        p.velocity.back() = {noise(), noise(), noise()};
    }
    p.box = {.lower = {-1e-3, -1e-3, -1e-3},
             .upper = packing::period(fcc) + packing::Vec3{-1e-3, -1e-3, -1e-3},
             .periodic = {true, true, true}};
    return p;
}

void measure(std::int64_t particles, const std::string& law, const std::string& friction,
             int threads, std::int64_t steps, const std::string& which) {
    const packing::Packing p = crystal(particles, law, friction);
    std::unique_ptr<packing::PackingEngine> engine;
    if (which == "plain") {
        engine = packing::make_plain_packing_engine(p, 1e-8);
    } else {
        for (const packing::PackingKernel& kernel : packing::packing_kernels()) {
            if (!engine && (which.empty() || which == kernel.name))
                engine = packing::make_packing_engine(p, 1e-8, threads, kernel);
        }
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
        "%-12s %-20s %9zu particles %d threads %9.3g particle-steps/s, %zu pairs, %lld renewals\n",
        law.c_str(), friction.c_str(), p.particles(), threads,
        static_cast<double>(p.particles()) * static_cast<double>(steps) / best,
        engine->listed_pairs(), static_cast<long long>(engine->list_renewals()));
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    const auto word = [&](int k, const char* otherwise) {
        return std::string(count > k ? words[k] : otherwise);
    };
    if (count > 1) {
        const std::int64_t particles = std::atoll(words[1]);
        measure(
            particles, word(2, "hertz"), word(3, "mindlin"), std::atoi(word(4, "1").c_str()),
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
                measure(particles, law, friction, threads,
                        std::max<std::int64_t>(10'000'000 / particles, 5), "");
        }
    }
}
