#include "simd/widest_set.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace beadwave::simd {
namespace {

std::string_view word_of(const InstructionSet& set) {
    switch (set.target) {
        case Target::avx512:
            return "avx512";
        case Target::avx2:
            return "avx2";
        case Target::baseline:
            break;
    }
    return "baseline";
}

}  // namespace

std::span<const InstructionSet> sets_up_to(std::string_view widest,
                                           std::span<const InstructionSet> sets,
                                           std::string_view variable) {
    const auto found = std::ranges::find(sets, widest, word_of);
    if (found != sets.end()) return sets.subspan(static_cast<std::size_t>(found - sets.begin()));
    std::vector<std::string_view> words;
    for (const InstructionSet& set : sets)
        words.push_back(word_of(set));
    throw InputError(
        fmt::format("the environment variable {} is \"{}\"; with this processor and this build it "
                    "can be {}",
                    variable, shortened(widest), fmt::join(words, ", ")));
}

}  // namespace beadwave::simd
