#include "subjects/modes/modes.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace beadwave::tasks {
namespace {

std::string in_hertz(double frequency) {
    return fmt::format("{:.6g} Hz", frequency);
}

/// Frequencies x sensors x components, or without the last where there is one component only; each
/// number as [real, imaginary].
nlohmann::ordered_json nested(const modes::Transfer& transfer,
                              const std::vector<modes::Complex>& numbers) {
    auto list = nlohmann::ordered_json::array();
    auto number = numbers.begin();
    for (std::size_t f = 0; f < transfer.frequency.size(); ++f) {
        auto sensors = nlohmann::ordered_json::array();
        for (std::size_t s = 0; s < transfer.sensors.size(); ++s) {
            auto components = nlohmann::ordered_json::array();
            for (std::size_t c = 0; c < transfer.components; ++c, ++number)
                components.push_back({number->real(), number->imag()});
            sensors.push_back(transfer.components == 1 ? components.front() : components);
        }
        list.push_back(sensors);
    }
    return list;
}

nlohmann::ordered_json json_of(const modes::Transfer& transfer) {
    return {{"input", transfer.input},
            {"input_unit", transfer.by_wall ? "m" : "N"},
            {"sensors", transfer.sensors},
            {"frequency", transfer.frequency},
            {"displacement", nested(transfer, transfer.displacement)},
            {"force", nested(transfer, transfer.force)}};
}

nlohmann::ordered_json intervals(const std::vector<modes::Band>& bands) {
    auto list = nlohmann::ordered_json::array();
    for (const modes::Band& band : bands)
        list.push_back({{"lower", band.lower}, {"upper", band.upper}});
    return list;
}

}  // namespace

std::string ModesResult::text() const {
    const modes::Modes& m = analysis.modes;
    std::string out;
    const auto row = [&](std::string_view what, const std::string& value) {
        out += fmt::format("  {:<20}{}\n", what, value);
    };
    row("moving bodies", fmt::format("{}", analysis.body.size()));
    if (!m.frequency.empty()) {
        row("modes", fmt::format("{}, {} of zero frequency", m.frequency.size(), m.rigid));
        if (m.rigid < m.frequency.size()) row("lowest above zero", in_hertz(m.frequency[m.rigid]));
        row("highest", in_hertz(m.frequency.back()));
    }
    if (!m.damping_ratio.empty()) {
        const auto [least, most] = std::ranges::minmax(m.damping_ratio);
        row("damping ratios", fmt::format("{:.4g} to {:.4g}", least, most));
    }
    if (!m.participation_ratio.empty()) {
        // The lowest of the modes that are localised alike but for rounding.
        const double limit = (1.0 + 1e-6) * std::ranges::min(m.participation_ratio);
        const auto at = std::ranges::find_if(m.participation_ratio,
                                             [&](double ratio) { return ratio <= limit; });
        const auto mode = static_cast<std::size_t>(at - m.participation_ratio.begin());
        row("most localised", fmt::format("mode {} at {}, participation ratio {:.4g}", mode,
                                          in_hertz(m.frequency[mode]), *at));
    }
    if (analysis.dispersion) {
        const modes::Dispersion& d = *analysis.dispersion;
        row("repeating cell",
            fmt::format("{} bod{}", d.cell_bodies, d.cell_bodies == 1 ? "y" : "ies"));
        constexpr std::size_t most_printed = 12;
        for (std::size_t b = 0; b < std::min(d.bands.size(), most_printed); ++b) {
            row(fmt::format("band {}", b),
                fmt::format("{:.6g} to {:.6g} Hz", d.bands[b].lower, d.bands[b].upper));
        }
        if (d.bands.size() > most_printed)
            row("", fmt::format("and {} more", d.bands.size() - most_printed));
        const std::vector<modes::Band> gaps = modes::gaps_of(d.bands);
        for (std::size_t g = 0; g < std::min(gaps.size(), most_printed); ++g)
            row(fmt::format("gap {}", g),
                fmt::format("{:.6g} to {:.6g} Hz", gaps[g].lower, gaps[g].upper));
        if (gaps.size() > most_printed)
            row("", fmt::format("and {} more", gaps.size() - most_printed));
    }
    if (analysis.transfer) {
        row("transfer function",
            fmt::format("{} frequencies, {} sensors, per {} of {}",
                        analysis.transfer->frequency.size(), analysis.transfer->sensors.size(),
                        analysis.transfer->by_wall ? "metre" : "newton", analysis.transfer->input));
    }
    if (!file.empty()) row("file", file);
    return out;
}

nlohmann::ordered_json ModesResult::json() const {
    const modes::Modes& m = analysis.modes;
    nlohmann::ordered_json object{{"system", analysis.system},
                                  {"bodies", analysis.body.size()},
                                  {"frequencies", m.frequency},
                                  {"zero_frequencies", m.rigid}};
    if (!m.damping_ratio.empty()) object["damping_ratios"] = m.damping_ratio;
    if (!m.participation_ratio.empty()) object["participation_ratios"] = m.participation_ratio;
    if (analysis.density) {
        object["density_of_states"] = {{"edges", analysis.density->edge},
                                       {"density", analysis.density->density}};
    }
    if (analysis.dispersion) {
        object["cell_bodies"] = analysis.dispersion->cell_bodies;
        const std::vector<modes::Band>& bands = analysis.dispersion->bands;
        object["bands"] = intervals(bands);
        object["gaps"] = intervals(modes::gaps_of(bands));
    }
    if (analysis.transfer) object["transfer"] = json_of(*analysis.transfer);
    object["warnings"] = warnings;
    if (!file.empty()) object["file"] = file;
    return object;
}

}  // namespace beadwave::tasks
