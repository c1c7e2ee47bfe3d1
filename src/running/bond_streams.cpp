#include "running/bond_streams.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

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
    std::vector<BrokenBonds::Row> rows;
    for (std::size_t c = 1; c < at.size(); ++c) {
        if (at[c] > 0.0) rows.push_back({{static_cast<double>(c), 0.0}, at[c], energy[c]});
    }
    broken_.update(std::move(rows), static_cast<double>(engine_.step()));
}

void BondRecords::serialize(Archive& archive) {
    if (!chain_.elements.bonds.empty()) broken_.serialize(archive);
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
    all.tables.push_back(broken_.table("contact", 1, time_step_));
}

}  // namespace beadwave::running
