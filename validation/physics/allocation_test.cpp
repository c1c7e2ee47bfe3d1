// No step of a run allocates memory: the test counts calls of its own operator new.

#include "chain/build_chain.hpp"
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
