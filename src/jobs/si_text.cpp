#include "jobs/si_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace beadwave::jobs {

std::string si_text(double value, const char* unit) {
    if (value == 0.0 || !std::isfinite(value)) return fmt::format("{:g} {}", value, unit);
    static constexpr const char* prefixes[] = {"p", "n", "u", "m", "", "k", "M", "G", "T"};
    constexpr int plain = 4;
    const int thousands = static_cast<int>(std::floor(std::log10(std::abs(value)) / 3.0));
    const int index =
        std::min(std::max(thousands + plain, 0), static_cast<int>(std::size(prefixes)) - 1);
    const double scaled = value / std::pow(1000.0, index - plain);
    if (std::abs(scaled) < 1e-3) return fmt::format("{:.3g} {}", value, unit);
    return fmt::format("{:.4g} {}{}", scaled, prefixes[index], unit);
}

}  // namespace beadwave::jobs
