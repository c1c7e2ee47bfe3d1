// Particles that carry no force: those with too few contacts, then those that have too few without
// these, and so on. What is left does not depend on the order, so that ranks may search together.

#include "packing/share_of_rank.hpp"
#include "packing_system/measure_sums.hpp"
#include "ranks/exchange_lists.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::observers {
namespace {

using packing::ContactSide;

/// Of some particles, whose numbers follow each other, the bodies that each of them touches.
class Touches {
  public:
    Touches(packing::NumberRange own, std::span<const ContactSide> sides)
        : begin_(own.end - own.begin + 1), others_(sides.size()) {
        for (const ContactSide& side : sides)
            ++begin_[side.particle - own.begin];
        std::size_t end = 0;
        for (std::size_t& of : begin_)
            of = end += of;
        for (const ContactSide& side : sides)
            others_[--begin_[side.particle - own.begin]] = side.other;
    }

    /// `particle`: from the first of them.
    std::span<const std::uint32_t> of(std::size_t particle) const {
        return std::span(others_).subspan(begin_[particle],
                                          begin_[particle + 1] - begin_[particle]);
    }

  private:
    std::vector<std::size_t> begin_;
    std::vector<std::uint32_t> others_;
};

/// Both sides of all contacts of own particles; a bond holds as many as a particle needs.
Touches touches_of(const RegionSums& sums, const packing::PackingEngine& engine,
                   std::size_t needed) {
    const packing::NumberRange own = engine.own_numbers();
    std::vector<ContactSide> sides = engine.own_sides();
    const auto add = [&](std::size_t particle, std::size_t other) {
        if (particle >= own.begin && particle < own.end)
            sides.insert(sides.end(), needed,
                         {static_cast<std::uint32_t>(particle), static_cast<std::uint32_t>(other)});
    };
    for (const BondState& bond : sums.bonds) {
        add(bond.first, bond.second);
        add(bond.second, bond.first);
    }
    return {own, sides};
}

}  // namespace

double count_rattlers(const RegionSums& sums, const packing::PackingEngine& engine,
                      ranks::Communicator* ranks) {
    const packing::Packing& p = sums.packing;
    const std::size_t n = p.particles(), needed = p.dimension == 3 ? 3 : 2;
    const packing::NumberRange own = engine.own_numbers();
    const Touches touches = touches_of(sums, engine, needed);
    std::vector<std::size_t> count(own.end - own.begin), loose;
    std::vector<char> rattles(count.size(), 0);
    const auto check = [&](std::size_t k) {
        if (p.is_fixed(own.begin + k) || rattles[k] != 0 || count[k] >= needed) return;
        rattles[k] = 1;
        loose.push_back(k);
    };
    for (std::size_t k = 0; k < count.size(); ++k) {
        count[k] = touches.of(k).size();
        check(k);
    }
    // Particles of other ranks that lose a contact.
    ranks::NumberLists lost(ranks != nullptr ? static_cast<std::size_t>(ranks->count()) : 1);
    const auto lose = [&](std::size_t particle) {
        if (particle >= own.begin && particle < own.end) {
            --count[particle - own.begin];
            check(particle - own.begin);
        } else if (particle < n) {
            lost[packing::rank_with(particle, n, static_cast<int>(lost.size()))].push_back(
                static_cast<double>(particle));
        }
    };
    do {
        while (!loose.empty()) {
            const std::size_t k = loose.back();
            loose.pop_back();
            for (const std::uint32_t other : touches.of(k))
                lose(other);
        }
        if (ranks == nullptr) break;
        const ranks::NumberLists came = ranks::exchange_lists(*ranks, lost);
        for (std::vector<double>& sent : lost)
            sent.clear();
        for (const std::vector<double>& some : came) {
            for (const double particle : some)
                lose(static_cast<std::size_t>(particle));
        }
    } while (ranks->any(!loose.empty()));
    std::int64_t found = 0;
    for (std::size_t k = 0; k < count.size(); ++k)
        found += rattles[k] != 0 && sums.own_inside[k] != 0 ? 1 : 0;
    if (ranks != nullptr) ranks->sum({&found, 1});
    return static_cast<double>(found);
}

}  // namespace beadwave::observers
