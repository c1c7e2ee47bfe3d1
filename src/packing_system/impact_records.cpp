#include "packing_system/impact_records.hpp"

#include "recording/archive.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

namespace beadwave::running {

using packing::DissipationParts;
using packing::Impact;
using recording::Pace;

std::vector<double> ImpactSpectrum::edges() {
    std::vector<double> all{0.0};
    for (int power = lowest; power <= highest; ++power)
        all.push_back(std::pow(10.0, power));
    return all;
}

void ImpactSpectrum::add(double energy) {
    static const std::vector<double> all = edges();
    const auto above = std::ranges::upper_bound(all, energy);
    const auto place = std::clamp<std::ptrdiff_t>(above - all.begin() - 1, 0,
                                                  static_cast<std::ptrdiff_t>(intervals) - 1);
    ++counts[static_cast<std::size_t>(place)];
}

void ImpactSums::add(const Impact& impact) {
    ++count;
    dissipated.add(impact.dissipated);
    spectrum.add(impact.dissipated.sum());
    if (!std::isfinite(impact.restitution())) return;
    impact_speeds += impact.impact_speed;
    separation_speeds += impact.separation_speed;
}

double ImpactSums::restitution() const {
    return impact_speeds > 0.0 ? separation_speeds / impact_speeds : Impact::unknown;
}

void ImpactSums::serialize(Archive& archive) {
    archive(count);
    for (const auto part : DissipationParts::all)
        archive(dissipated.*part);
    archive(impact_speeds), archive(separation_speeds);
    for (std::uint64_t& number : spectrum.counts)
        archive(number);
}

void ImpactRecords::update(packing::PackingEngine& engine) {
    fresh_ = engine.take_impacts();
    for (const Impact& impact : fresh_)
        sums_.add(impact);
}

void ImpactRecords::describe(recording::Description& all, std::size_t particles) const {
    recording::Table table{.path = "connectivity/impacts",
                           .name = "impacts",
                           .pace = Pace::energy,
                           .chunk = 1024,
                           .columns = {},
                           .rows = [this] { return fresh_.size(); },
                           .expected_rows = particles};
    const auto add = [&](std::string name, const char* unit, bool whole, auto number) {
        table.columns.push_back(
            {std::move(name), unit, 1, whole, recording::per_item([this, number](std::size_t i) {
                 return static_cast<double>(number(fresh_[i]));
             })});
    };
    const auto add_member = [&](const char* name, const char* unit, double Impact::*member) {
        add(name, unit, false, [member](const Impact& impact) { return impact.*member; });
    };
    add("first", "", true, [](const Impact& impact) { return impact.first; });
    add("second", "", true, [](const Impact& impact) { return impact.second; });
    add_member("start", "s", &Impact::start);
    add_member("end", "s", &Impact::end);
    add_member("impact_speed", "m s-1", &Impact::impact_speed);
    add_member("impact_slip_speed", "m s-1", &Impact::impact_slip_speed);
    add_member("separation_speed", "m s-1", &Impact::separation_speed);
    add_member("separation_slip_speed", "m s-1", &Impact::separation_slip_speed);
    add("restitution", "1", false, [](const Impact& impact) { return impact.restitution(); });
    add_member("peak_force", "N", &Impact::peak_force);
    add_member("peak_time", "s", &Impact::peak_time);
    add_member("largest_overlap", "m", &Impact::largest_overlap);
    for (std::size_t k = 0; k < DissipationParts::count; ++k) {
        add(std::string(DissipationParts::names[k]) + "_dissipation", "J", false,
            [k](const Impact& impact) { return impact.dissipated.*DissipationParts::all[k]; });
    }
    all.tables.push_back(std::move(table));

    all.streams.push_back({Pace::energy,
                           "",
                           {{"observables/impact_spectrum",
                             "1",
                             {ImpactSpectrum::intervals},
                             recording::per_item([this](std::size_t i) {
                                 return static_cast<double>(sums_.spectrum.counts[i]);
                             })}}});
    all.constants.push_back({"observables/impact_spectrum_edges",
                             "impact_spectrum_edges",
                             "J",
                             {ImpactSpectrum::intervals + 1},
                             all.keep(ImpactSpectrum::edges())});
}

}  // namespace beadwave::running
