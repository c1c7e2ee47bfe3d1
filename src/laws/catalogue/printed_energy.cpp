#include "laws/catalogue/printed_energy.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::laws {
namespace {

/// Adds one more overlap of a scan to the ranges in which something holds.
void extend(std::vector<OverlapRange>& ranges, bool& inside, bool holds, double overlap) {
    if (holds && !inside) ranges.push_back({overlap, overlap});
    if (holds) ranges.back().to = overlap;
    inside = holds;
}

}  // namespace

std::string EnergyFault::text(const std::vector<OverlapRange>& ranges, int digits) {
    std::string text;
    for (const auto& [from, to] : ranges) {
        text += fmt::format("{}from {:.{}g} to {:.{}g}", text.empty() ? "" : " and ", from, digits,
                            to, digits);
    }
    return text + " delta_y";
}

EnergyFault energy_fault(const PrintedCurves& curves, double onset) {
    constexpr double growth = 1.0001, digits = 1e-9;
    EnergyFault fault;
    bool creates = false, shortened = false;
    double work = 0.4 * onset * curves.force(onset * (1.0 - 1e-12));  // Hertz's
    for (double w = onset; w < 100.0; w *= growth) {
        const double force = curves.force(w), span = curves.printed_span(w);
        const double lost = work - force * span / (curves.unloading_exponent(w) + 1.0);
        extend(fault.creates, creates, lost < -digits * work, w);
        extend(fault.shortened, shortened, curves.span(w) < (1.0 - digits) * span, w);
        fault.most_created = std::max(fault.most_created, -lost / work);
        // Simpson's rule
        const double next = w * growth;
        work +=
            (next - w) / 6.0 * (force + 4.0 * curves.force(0.5 * (w + next)) + curves.force(next));
    }
    return fault;
}

}  // namespace beadwave::laws
