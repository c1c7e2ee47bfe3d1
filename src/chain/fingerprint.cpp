#include "chain/fingerprint.hpp"

#include "ranks/communicator.hpp"
#include "scenario/hash.hpp"

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
    }
    hash.add(chain.gap[i]);
    const std::size_t kind = chain.contacts.kind(i);
    for (std::size_t field = 0; field < chain.contacts.law_fields(); ++field)
        hash.add(chain.contacts.field(field)[kind]);
    hash.add(chain.contacts.kind_mass(kind));
    return hash.sum();
}

std::uint64_t of_elements(const Elements& elements) {
    scenario::Hash hash;
    const auto spring = [&](const Spring& each) {
        hash.add(each.stiffness);
        hash.add(each.cubic);
        hash.add(each.damping);
    };
    for (const Foundation& each : elements.foundations) {
        hash.add(std::uint64_t{each.bead});
        spring(each.spring);
    }
    for (const Resonator& each : elements.resonators) {
        hash.add(std::uint64_t{each.bead});
        hash.add(each.mass);
        spring(each.spring);
    }
    for (const TimedLoad& each : elements.loads) {
        hash.add(std::uint64_t{each.bead});
        for (const double number : each.force.numbers())
            hash.add(number);
    }
    for (const DrivenBead& each : elements.driven) {
        hash.add(std::uint64_t{each.bead});
        for (const double number : each.motion.numbers())
            hash.add(number);
    }
    for (const Bond& each : elements.bonds) {
        hash.add(std::uint64_t{each.contact});
        for (const double number : {each.stiffness, each.damping, each.stretch, each.strength})
            hash.add(number);
        hash.add(std::uint64_t{each.tension_only});
    }
    for (const PairForce& each : elements.pair_forces) {
        for (const std::size_t whole : {each.first, each.last, each.neighbours})
            hash.add(std::uint64_t{whole});
        for (const double number :
             {each.force, each.law.distance(), each.law.exponent(), each.law.range()})
            hash.add(number);
        for (const double moment : each.moments)
            hash.add(moment);
    }
    return hash.sum();
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
    std::int64_t whole[] = {static_cast<std::int64_t>(sum), static_cast<std::int64_t>(ends)};
    if (chain.partition) chain.partition->ranks->sum(whole);
    scenario::Hash hash;
    hash.add(std::uint64_t{chain.contacts.first().index()});
    hash.add(chain.gravity);
    for (const std::int64_t number : whole)
        hash.add(static_cast<std::uint64_t>(number));
    if (!chain.elements.empty()) hash.add(of_elements(chain.elements));
    return hash.sum();
}

}  // namespace beadwave::chain
