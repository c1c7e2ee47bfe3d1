#include "laws/catalogue/hysteresis_validity.hpp"

#include "beadwave/laws/hysteresis_restitution.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::laws {

std::vector<RestitutionRange> faithful_restitutions(double (*chi)(double restitution),
                                                    double least) {
    std::vector<RestitutionRange> ranges;
    bool inside = false;
    for (int percent = 1; percent <= 100; ++percent) {
        const double e = 0.01 * percent;
        const bool faithful = e > least && std::abs(hysteresis_restitution(chi(e)) - e) <= 0.01 * e;
        if (faithful && !inside) ranges.push_back({e, e});
        if (faithful) ranges.back().to = e;
        inside = faithful;
    }
    return ranges;
}

std::string measured_validity(double (*chi)(double restitution), double least) {
    std::string text;
    for (const auto& [from, to] : faithful_restitutions(chi, least)) {
        text += text.empty() ? "returns a restitution within 1 % of e for e " : " and ";
        text +=
            from == to ? fmt::format("= {:g}", from) : fmt::format("from {:g} to {:g}", from, to);
    }
    if (text.empty()) text = "returns nowhere a restitution within 1 % of e";
    const auto output = [chi](double e) { return hysteresis_restitution(chi(e)); };
    return fmt::format("{}; it is {:.3f} for e = 0.9, {:.3f} for 0.5, {:.3f} for 0.1", text,
                       output(0.9), output(0.5), output(0.1));
}

}  // namespace beadwave::laws
