// Which instruction sets the vector code uses.

#include "beadwave/input_error.hpp"
#include "simd/widest_set.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <string>

namespace beadwave::validation::instruction_sets_test {

TEST_CASE("a limit on the instruction set leaves those up to it, and an unknown word is refused") {
    using simd::Target;
    constexpr std::array<simd::InstructionSet, 3> all{{{Target::avx512, "AVX-512", true},
                                                       {Target::avx2, "AVX2", true},
                                                       {Target::baseline, "baseline", false}}};
    CHECK(simd::sets_up_to("avx512", all, "LIMIT").size() == 3);
    CHECK(simd::sets_up_to("baseline", all, "LIMIT").size() == 1);
    const auto two = simd::sets_up_to("avx2", all, "LIMIT");
    REQUIRE(two.size() == 2);
    CHECK(two.front().target == Target::avx2);
    const auto message = [&](const char* word, std::span<const simd::InstructionSet> sets) {
        try {
            simd::sets_up_to(word, sets, "LIMIT");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message("AVX2", all) ==
          "the environment variable LIMIT is \"AVX2\"; with this processor and this build it can "
          "be avx512, avx2, baseline");
    CHECK(message("avx512", two) ==
          "the environment variable LIMIT is \"avx512\"; with this processor and this build it can "
          "be avx2, baseline");
}

TEST_CASE("the tests run on the instruction set that the environment variable names") {
    // .ci/run sets it, so that no processor's results are tried alone.
    const char* const widest = std::getenv("BEADWAVE_INSTRUCTION_SET");
    const simd::InstructionSet& first = simd::instruction_sets().front();
    MESSAGE("instruction set: ", first.name);
    if (widest == nullptr) return;
    CHECK(simd::sets_up_to(widest, simd::instruction_sets(), "").size() ==
          simd::instruction_sets().size());
}

}  // namespace beadwave::validation::instruction_sets_test
