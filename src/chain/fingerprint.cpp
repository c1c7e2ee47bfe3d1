#include "chain/fingerprint.hpp"

#include "chain/own_elements.hpp"
#include "ranks/communicator.hpp"
#include "scenario/hash.hpp"

#include <algorithm>
#include <vector>

namespace beadwave::chain {
namespace {

/// The bead with an index and the contact to its left; index beads(): the last contact only.
std::uint64_t entry(const Chain& chain, std::size_t i) {
    scenario::Hash hash;
    hash.add(std::uint64_t{chain.first() + i});
    if (i < chain.beads()) {
        hash.add(chain.radius[i]);
        hash.add(chain.mass[i]);
        hash.add(chain.velocity[i]);
        if (!chain.displacement.empty()) hash.add(chain.displacement[i]);
    }
    hash.add(chain.gap[i]);
    const std::size_t kind = chain.contacts.kind(i);
    for (std::size_t field = 0; field < chain.contacts.law_fields(); ++field)
        hash.add(chain.contacts.field(field)[kind]);
    hash.add(chain.contacts.kind_mass(kind));
    return hash.sum();
}

void add_spring(scenario::Hash& hash, const Spring& each) {
    hash.add(each.stiffness);
    hash.add(each.cubic);
    hash.add(each.damping);
}

/// The hash of the elements of the own beads: a sum, as of the beads. Those of one bead are told
/// apart by `turn`, the number before them in their list.
std::uint64_t of_own_elements(const Chain& chain) {
    enum Kind : std::uint64_t { foundation, resonator, bond, pair_force };
    const Elements& elements = chain.elements;
    const auto begun = [&](Kind kind, std::size_t i, std::size_t turn) {
        scenario::Hash hash;
        for (const std::uint64_t number :
             {std::uint64_t{kind}, std::uint64_t{chain.first() + i}, std::uint64_t{turn}})
            hash.add(number);
        return hash;
    };
    std::uint64_t sum = 0;
    for (const Foundation& each : elements.foundations) {
        if (!owns(chain, each.bead)) continue;
        scenario::Hash hash = begun(foundation, each.bead, 0);
        add_spring(hash, each.spring);
        sum += hash.sum();
    }
    std::vector<std::size_t> used(elements.resonators.empty() ? 0 : chain.beads());
    for (const Resonator& each : elements.resonators) {
        const std::size_t turn = used[each.bead]++;
        if (!owns(chain, each.bead)) continue;
        scenario::Hash hash = begun(resonator, each.bead, turn);
        hash.add(each.mass);
        add_spring(hash, each.spring);
        for (const std::optional<double>& start : {each.displacement, each.velocity})
            if (start) hash.add(*start);
        sum += hash.sum();
    }
    for (const Bond& each : elements.bonds) {
        if (!owns(chain, each.contact)) continue;
        scenario::Hash hash = begun(bond, each.contact, 0);
        for (const double number : {each.stiffness, each.damping, each.stretch, each.strength})
            hash.add(number);
        hash.add(std::uint64_t{each.tension_only});
        sum += hash.sum();
    }
    for (std::size_t k = 0; k < elements.pair_forces.size(); ++k) {
        const PairForce& each = elements.pair_forces[k];
        for (std::size_t i = std::max(each.first, chain.own_begin());
             i <= each.last && i < chain.own_end(); ++i) {
            scenario::Hash hash = begun(pair_force, i, k);
            if (!each.moments.empty())
                hash.add(each.moments[(i - each.first) % each.moments.size()]);
            sum += hash.sum();
        }
    }
    return sum;
}

/// Adds the elements that all ranks have.
void add_common_elements(scenario::Hash& hash, const Chain& chain) {
    const Elements& elements = chain.elements;
    for (const TimedLoad& each : elements.loads) {
        hash.add(std::uint64_t{chain.first() + each.bead});
        for (const double number : each.force.numbers())
            hash.add(number);
    }
    for (const DrivenBead& each : elements.driven) {
        hash.add(std::uint64_t{chain.first() + each.bead});
        for (const double number : each.motion.numbers())
            hash.add(number);
    }
    for (const PairForce& each : elements.pair_forces) {
        hash.add(std::uint64_t{each.neighbours});
        for (const double number :
             {each.force, each.law.distance(), each.law.exponent(), each.law.range()})
            hash.add(number);
    }
}

}  // namespace

std::uint64_t fingerprint(const Chain& chain) {
    // Sums, so that the distribution of the beads over ranks does not matter.
    const bool left_end = chain.first() + chain.own_begin() == 0;
    const bool right_end = chain.first() + chain.own_end() == chain.total();
    std::uint64_t sum = 0, ends = 0;
    for (std::size_t i = chain.own_begin(); i < chain.own_end() + (right_end ? 1 : 0); ++i)
        sum += entry(chain, i);
    for (const Load& load : chain.loads) {
        if (load.bead < chain.own_begin() || load.bead >= chain.own_end()) continue;
        scenario::Hash hash;
        hash.add(std::uint64_t{chain.first() + load.bead});
        hash.add(load.force);
        sum += hash.sum();
    }
    if (left_end)
        ends += std::uint64_t{chain.left_fixed} + 4 * std::uint64_t{chain.left_drive.has_value()};
    if (right_end) {
        ends +=
            2 * std::uint64_t{chain.right_fixed} + 8 * std::uint64_t{chain.right_drive.has_value()};
    }
    if (!chain.elements.empty()) sum += of_own_elements(chain);
    std::int64_t whole[] = {static_cast<std::int64_t>(sum), static_cast<std::int64_t>(ends)};
    if (chain.partition) chain.partition->ranks->sum(whole);
    scenario::Hash hash;
    hash.add(std::uint64_t{chain.contacts.first().index()});
    hash.add(chain.gravity);
    for (const std::int64_t number : whole)
        hash.add(static_cast<std::uint64_t>(number));
    add_common_elements(hash, chain);
    return hash.sum();
}

}  // namespace beadwave::chain
