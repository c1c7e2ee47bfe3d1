// Entries of the hysteresis family. Laws that are only a factor chi(e) are rows of
// hysteresis_factors.cpp. The others need more than e; they are in the files of
// hysteresis_special.hpp.

#include "laws/catalogue/families.hpp"
#include "laws/catalogue/hysteresis_factors.hpp"
#include "laws/catalogue/hysteresis_kernel.hpp"
#include "laws/catalogue/hysteresis_special.hpp"
#include "laws/catalogue/hysteresis_validity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace beadwave::laws {
namespace {

AnyLaw make_hysteresis(const Contact& c, const Settings& s) {
    const auto rows = hysteresis_factors();
    const auto row = std::ranges::find(rows, s.name, &HysteresisFactor::name);
    return hertz_hysteresis(c, s, remembered(row->chi, s.number("restitution")));
}

Entry entry_of(const HysteresisFactor& row) {
    std::vector<Parameter> parameters = dashpot_parameters();
    parameters.front().lowest = row.least_restitution;
    return {
        .name = std::string(row.name),
        .aliases = row.aliases,
        .family = "hysteresis",
        .equation =
            fmt::format("F = K delta^(3/2) (1 + chi delta_dot/delta_dot_0), chi = {}", row.formula),
        .parameters = parameters,
        .separation = "zero force or zero overlap, which coincide unless bodies are pulled apart",
        .stored_energy = "(2/5) K delta^(5/2)",
        .validity = {[&row] {
            const std::string measured = measured_validity(row.chi, row.least_restitution);
            return row.remark.empty() ? measured : fmt::format("{}; {}", measured, row.remark);
        }},
        .source = std::string(row.source),
        .make = make_hysteresis};
}

}  // namespace

std::vector<Entry> hysteresis_entries() {
    std::vector<Entry> entries;
    std::ranges::transform(hysteresis_factors(), std::back_inserter(entries), entry_of);
    entries.push_back(wang_c_star_entry());
    entries.push_back(luo_nahon_entry());
    entries.push_back(exact_hysteresis_entry());
    return entries;
}

}  // namespace beadwave::laws
