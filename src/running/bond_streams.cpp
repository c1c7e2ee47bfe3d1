#include "running/bond_streams.hpp"

#include "ranks/communicator.hpp"
#include "running/own_items.hpp"

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
    if (chain::all_bonds(chain_) == 0) return;
    const std::span<const double> at = column("bond_broken_at"),
                                  energy = column("bond_broken_energy");
    const std::size_t first = engine_.first_bead();
    std::vector<double> own;
    for (std::size_t i = first == 0 ? 1 : 0; i < at.size(); ++i) {
        if (at[i] > broken_.seen())
            own.insert(own.end(), {static_cast<double>(first + i), at[i], energy[i]});
    }
    // The first rank records those of all ranks, in the order of their contacts.
    std::vector<std::vector<double>> all;
    if (chain_.partition) {
        all = chain_.partition->ranks->gather_numbers<double>(own);
    } else {
        all.push_back(std::move(own));
    }
    std::vector<BrokenBonds::Row> rows;
    for (const std::vector<double>& theirs : all) {
        for (std::size_t k = 0; k < theirs.size(); k += 3)
            rows.push_back({{theirs[k], 0.0}, theirs[k + 1], theirs[k + 2]});
    }
    broken_.update(std::move(rows), static_cast<double>(engine_.step()));
}

void BondRecords::take_snapshot() {
    if (!chain_.partition || chain::all_bonds(chain_) == 0) return;
    ranks::Communicator& ranks = *chain_.partition->ranks;
    const double last = engine_.displacement().back();
    const auto all = ranks.gather_numbers_to_all<double>({&last, 1});
    if (!ranks.first())
        left_displacement_ = all[static_cast<std::size_t>(ranks.rank()) - 1].front();
}

void BondRecords::serialize(Archive& archive) {
    if (chain::all_bonds(chain_) > 0) broken_.serialize(archive);
}

void BondRecords::add_to(recording::Description& all, bool snapshots) const {
    const std::size_t count = chain::all_bonds(chain_);
    if (count == 0) return;
    const std::vector<chain::ElementRun> own = chain::own_bonds(chain_);
    add_constant_of(all, chain_, own, count, "bond_contact", "1", [&](std::size_t k) {
        return static_cast<double>(chain_.first() + chain_.elements.bonds[k].contact);
    });
    const auto force = [this, own](std::size_t first, std::span<double> out) {
        const std::span<const double> at = column("bond_broken_at"), u = engine_.displacement();
        for_each_own(own, first, out.size(), [&](std::size_t k, std::size_t index) {
            const chain::Bond& bond = chain_.elements.bonds[index];
            const std::size_t c = bond.contact - chain_.own_begin();
            const double left = c == 0 ? left_displacement_ : u[c - 1];
            out[k] = at[c] > 0.0 ? 0.0 : bond.pull(u[c] - left);
        });
    };
    if (snapshots) {
        all.streams.push_back({Pace::snapshots,
                               "",
                               {{"observables/bond_force", "N", {count}, force}},
                               chain_.partition.has_value(),
                               items_of(own)});
    }
    all.tables.push_back(broken_.table("contact", 1, time_step_));
}

}  // namespace beadwave::running
