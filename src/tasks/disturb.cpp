#include "tasks/disturb.hpp"

#include "beadwave/input_error.hpp"
#include "tasks/vary.hpp"

#include <Random123/boxmuller.hpp>
#include <Random123/philox.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

namespace beadwave::tasks {
namespace {

/// A random number of the normal distribution with the standard deviation 1.
double normal_number(std::uint64_t seed, std::uint64_t member, std::uint64_t place) {
    const r123::Philox2x64 draw;
    const auto bits = draw({{member, place}}, {{seed}});
    return r123::boxmuller(bits[0], bits[1]).x;
}

/// The standard deviation of "1e-3", or of "1%" of a value.
double deviation_of(std::string_view text, double value, const std::string& option) {
    const bool percent = text.ends_with('%');
    if (percent) text.remove_suffix(1);
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number) ||
        !(number > 0.0)) {
        throw InputError(
            fmt::format("--disturb {}: must be key=deviation, a number above 0 in the unit of the "
                        "key or in per cent of its value, as in --disturb body.0.velocity.0=1e-3",
                        option));
    }
    if (!percent) return number;
    if (value == 0.0) {
        throw InputError(fmt::format(
            "--disturb {}: the key is 0 in the scenario; give a number in its unit", option));
    }
    return 0.01 * number * std::abs(value);
}

}  // namespace

std::vector<io::VariedKey> members_of(
    const EnsembleRequest& request,
    const std::function<std::optional<double>(const std::string&)>& value) {
    using Role = io::VariedKey::Role;
    if (request.members == 0) {
        if (!request.disturb.empty())
            throw InputError("--disturb: needs --members, the number of runs of the ensemble");
        return {};
    }
    if (request.members < 2 || request.members > static_cast<std::int64_t>(most_runs)) {
        throw InputError(fmt::format("--members {}: must be a whole number from 2 to {}",
                                     request.members, most_runs));
    }
    if (request.disturb.empty())
        throw InputError("--members: needs --disturb, which says what differs between the runs");
    std::vector<io::VariedKey> keys{{.key = "member", .values = {}, .role = Role::member}};
    for (std::int64_t member = 0; member < request.members; ++member)
        keys.front().values.push_back(fmt::format("{}", member));
    for (std::size_t place = 0; place < request.disturb.size(); ++place) {
        const std::string& option = request.disturb[place];
        const auto [key, text] = disturbed_key(option);
        const std::optional<double> base = value(key);
        if (!base) {
            throw InputError(
                fmt::format("--disturb {}: the scenario has no number {}, to which the disturbance "
                            "would be added",
                            option, key));
        }
        const double deviation = deviation_of(text, *base, option);
        io::VariedKey disturbed{.key = key, .values = {}, .role = Role::disturbed};
        for (std::int64_t member = 0; member < request.members; ++member) {
            const double number =
                normal_number(request.seed, static_cast<std::uint64_t>(member), place);
            disturbed.values.push_back(fmt::format("{}", *base + deviation * number));
        }
        keys.push_back(std::move(disturbed));
    }
    return keys;
}

}  // namespace beadwave::tasks
