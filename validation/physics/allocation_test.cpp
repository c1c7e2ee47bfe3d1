// No step of a run allocates memory: the test counts calls of its own operator new.

#include "chain/build_chain.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packings.hpp"
#include "scenarios.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

using namespace beadwave;
using namespace beadwave::validation;

TEST_CASE("steps allocate nothing") {
    for (const std::string law : {"hertz", "flores", "ma-liu"}) {
        CAPTURE(law);
        chain::Scenario scenario = steel_chain(20000, 1.77, law_settings(law), 1e-4);
        SUBCASE("struck") {}
        SUBCASE("driven") {
            scenario.right = {.kind = chain::EndKind::driven,
                              .drive = stepping::Drive::sine(2e4, 1e-6)};
        }
        const chain::Chain chain = chain::build_chain(scenario);
        for (const bool sleep : {true, false}) {
            const auto engine = dynamics::make_tiled_engine(chain, 1e-7, 2, {.sleep = sleep});
            dynamics::SensorTrace trace{.beads = {3, 10000}, .force = {}, .velocity = {}};
            engine->advance(300, trace);  // allocates the trace and starts the threads
            const long before = allocations;
            engine->advance(300, trace);
            CHECK(allocations == before);
        }
    }
}

TEST_CASE("steps of packings allocate nothing between new neighbour lists") {
    for (const packing::Precision precision : {packing::Precision::full, packing::Precision::mixed})
        for (const bool rough : {false, true}) {
            CAPTURE(rough);
            packing::Packing p = steel_packing("tsuji");
            if (rough) {
                p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
                p.rolling = {.coefficient = 0.02};
            }
            p.precision = precision;
            p.skin = 0.3 * steel_radius;
            add_crystal(p, {.lattice = packing::Lattice::fcc,
                            .cells = {12, 12, 12},
                            .origin = {0, 0, steel_radius},
                            .radius = steel_radius});
            p.velocity[0] = {0.5, 0.3, 0.2};
            p.walls.push_back({.shape = packing::Plane{.point = {0, 0, 0}, .normal = {0, 0, 1}},
                               .velocity = {0, 0, 0.1}});
            const auto engine = packing::make_packing_engine(
                p, 2e-7, 2, simd::instruction_sets().front(), packing::Sleep::no, nullptr);
            packing::ParticleTrace trace{.particles = {0, 5}, .force = {}, .velocity = {}};
            engine->advance(100, trace);  // allocates the trace and starts the threads
            const std::int64_t lists = engine->neighbour_list_builds();
            const long before = allocations;
            engine->advance(100, trace);
            CHECK(allocations == before);
            CHECK(engine->neighbour_list_builds() == lists);
            CHECK(engine->closed_contacts() > 0);
        }
}
