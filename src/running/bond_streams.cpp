#include "running/bond_streams.hpp"

#include "recording/archive.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace beadwave::running {

using recording::Pace;

std::span<const double> BondRecords::column(const char* name) const {
    for (const dynamics::StateColumn& each : engine_.state()) {
        if (each.name == name) return each.values;
    }
    throw std::logic_error("an engine without bonds steps a chain that has some");
}

void BondRecords::update() {
    if (chain_.elements.bonds.empty()) return;
    const std::span<const double> at = column("bond_broken_at"),
                                  energy = column("bond_broken_energy");
    fresh_.clear();
    for (std::size_t c = 1; c < at.size(); ++c) {
        if (at[c] > seen_) fresh_.push_back({static_cast<double>(c), at[c], energy[c]});
    }
    std::ranges::stable_sort(fresh_, {}, &Broken::step);
    seen_ = static_cast<double>(engine_.step());
}

void BondRecords::serialize(Archive& archive) {
    if (!chain_.elements.bonds.empty()) archive(seen_);
}

void BondRecords::add_to(recording::Description& all, bool snapshots) const {
    const std::vector<chain::Bond>& bonds = chain_.elements.bonds;
    if (bonds.empty()) return;
    const std::size_t count = bonds.size();
    std::vector<double> contacts;
    for (const chain::Bond& each : bonds)
        contacts.push_back(static_cast<double>(each.contact));
    all.constants.push_back(
        {"parameters/bond_contact", "bond_contact", "1", {count}, all.keep(std::move(contacts))});
    const auto force = [this](std::size_t first, std::span<double> out) {
        const std::span<const double> at = column("bond_broken_at"), u = engine_.displacement();
        for (std::size_t k = 0; k < out.size(); ++k) {
            const chain::Bond& bond = chain_.elements.bonds[first + k];
            const std::size_t c = bond.contact;
            out[k] = at[c] > 0.0 ? 0.0 : bond.pull(u[c] - u[c - 1]);
        }
    };
    if (snapshots) {
        all.streams.push_back(
            {Pace::snapshots, "", {{"observables/bond_force", "N", {count}, force}}});
    }
    recording::Table table{.path = "connectivity/broken_bonds",
                           .name = "broken_bonds",
                           .pace = Pace::energy,
                           .chunk = 256,
                           .columns = {},
                           .rows = [this] { return fresh_.size(); },
                           .expected_rows = 1};
    const auto add = [&](const char* name, const char* unit, double Broken::*member, double scale,
                         bool whole = false) {
        table.columns.push_back(
            {name, unit, 1, whole, [this, member, scale](std::size_t first, std::span<double> out) {
                 for (std::size_t k = 0; k < out.size(); ++k)
                     out[k] = fresh_[first + k].*member * scale;
             }});
    };
    add("contact", "", &Broken::contact, 1.0, true);
    add("break_time", "s", &Broken::step, time_step_);
    add("broken_energy", "J", &Broken::energy, 1.0);
    all.tables.push_back(std::move(table));
}

}  // namespace beadwave::running
