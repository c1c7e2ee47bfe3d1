// --vary key=values of a sweep, and --bounds key=low:high of a fit.
#pragma once

#include "io/tables/sweep_plan.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::tasks {

/// More runs than this in one sweep are refused.
inline constexpr std::size_t most_runs = 1'000'000;

/// The values of "law.psi=2.6:3.0:9" (nine, equally spaced, both ends included),
/// "law.psi=1:100:5:log" (equal ratios) or "law.name=hertz,ma-liu", or these forms mixed. Several
/// keys before the equals sign, separated by commas, take the same value in each run. Equally
/// spaced values have 15 digits, so that 2.65 is the number that --set law.psi=2.65 gives. Throws
/// InputError for a malformed option, for a value that is not a number, word, true or false, and
/// for a value given twice.
io::VariedKey read_vary(const std::string& option);

/// "key=deviation" of --disturb: the dotted key and the text after the equals sign.
std::pair<std::string, std::string_view> disturbed_key(const std::string& option);

/// The product of all --vary options and the `members` of an ensemble (disturb.hpp). Also throws
/// InputError for keys given twice, here or in --set
/// (`overrides`), for sensors, which must be the same in every run, and for too many runs.
io::SweepPlan read_plan(std::span<const std::string> options,
                        std::span<const std::string> overrides,
                        std::vector<io::VariedKey> members = {});

/// "law.psi=2:4", the bounds of a fit.
struct Bounds {
    std::string key;
    double low, high;
};

/// All --bounds options of a fit. Throws InputError for a malformed option, for keys given twice,
/// and for keys that contain a key of --set (`overrides`) or are contained in one. The same key in
/// --set gives the start.
std::vector<Bounds> read_bounds(std::span<const std::string> options,
                                std::span<const std::string> overrides);

}  // namespace beadwave::tasks
