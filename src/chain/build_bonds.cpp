// Bonds between neighbouring beads, from a scenario.

#include "chain/build_elements.hpp"
#include "chain/numbers_here.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

namespace beadwave::chain {
namespace {

class BondBuilder {
  public:
    BondBuilder(const Scenario& scenario, Chain& chain)
        : scenario_(scenario), chain_(chain), bonded_(chain.beads()) {}

    void add(const BondGroup& group, std::size_t number) {
        const std::string key = fmt::format("bond.{}", number);
        const auto last_contact = static_cast<std::int64_t>(chain_.total()) - 1;
        if (last_contact < 1)
            fail(key, "a single bead has no neighbour; expected two beads or more");
        const auto [first, last] =
            group.contacts.ends.value_or(std::array<std::int64_t, 2>{1, last_contact});
        if (first > last) {
            fail(key + ".contacts",
                 fmt::format("ends before it begins; expected [first, last], such as [1, {}]",
                             last_contact));
        }
        if (last > last_contact) {
            fail(key + ".contacts",
                 fmt::format("there is no contact {} between two beads; expected contacts from 1 "
                             "to {}",
                             last, last_contact));
        }
        if (group.gap && starts_in_equilibrium()) {
            fail(key + ".gap",
                 "cannot be used in a chain that starts in static equilibrium, whose bonds have no "
                 "force there");
        }
        // Both beads of a contact must be here.
        const std::size_t begin = chain_.first();
        const NumbersHere contacts(first, last, group.contacts.every, begin + 1,
                                   begin + chain_.beads());
        std::vector<Bond>& bonds = chain_.elements.bonds;
        if (chain_.partition) contacts.count_in(chain_.elements.bond_numbers, bonds.size());
        contacts.each([&](std::size_t contact) {
            const std::size_t c = contact - begin;
            Bond bond{.contact = c,
                      .stiffness = group.stiffness,
                      .damping = group.damping,
                      .strength = group.strength.value_or(std::numeric_limits<double>::infinity()),
                      .tension_only = group.tension_only};
            if (group.gap) bond.stretch = (chain_.gap.empty() ? 0.0 : chain_.gap[c]) - *group.gap;
            const std::string fault = fault_of_bond(bond, bonded_);
            if (!fault.empty())
                fail(key + ".contacts", fmt::format("contact {} {}", contact, fault));
            bonds.push_back(bond);
        });
    }

  private:
    [[noreturn]] void fail(const std::string& key, const std::string& why) const {
        scenario_.origin.fail(key, why);
    }

    bool starts_in_equilibrium() const {
        const bool hangs = scenario_.gravity && scenario_.gravity->acceleration > 0.0 &&
                           scenario_.gravity->equilibrium;
        return hangs || scenario_.precompression ||
               std::ranges::any_of(scenario_.elements.pair_forces, &PairForceGroup::equilibrium);
    }

    const Scenario& scenario_;
    Chain& chain_;
    std::vector<bool> bonded_;  // by contact
};

}  // namespace

void add_bonds(const Scenario& scenario, Chain& chain) {
    const std::vector<BondGroup>& groups = scenario.elements.bonds;
    if (groups.empty()) return;
    refuse_sleep(scenario, "a bond");
    BondBuilder builder(scenario, chain);
    for (std::size_t k = 0; k < groups.size(); ++k)
        builder.add(groups[k], k);
}

}  // namespace beadwave::chain
