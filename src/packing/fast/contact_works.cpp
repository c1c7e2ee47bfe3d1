#include "contact_works.hpp"

#include "ranks/from_owners.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace beadwave::packing {
namespace {

/// The items of all ranks, on the first rank.
template <class Item>
std::vector<Item> of_all_ranks(std::vector<Item> own, const BlockShare& share) {
    if (!share.shared()) return own;
    const auto all = share.ranks().gather_numbers<Item>(own);
    own.clear();
    for (const std::vector<Item>& theirs : all)
        own.insert(own.end(), theirs.begin(), theirs.end());
    return own;
}

}  // namespace

void ContactWorks::close(std::vector<PairWork> pairs) {
    pairs = of_all_ranks(std::move(pairs), of_.share);
    // An account's sum has the same bits on any number of ranks.
    std::ranges::sort(pairs, {}, [](const PairWork& each) {
        const PairKey& key = each.key;
        return std::tuple(key.first, key.second, key.wall, key.image, key.patch);
    });
    for (const PairWork& each : pairs) {
        const auto second = static_cast<std::uint32_t>(second_of(each.key));
        accounts_[accounts_.of(each.key.first, second)].add(each.sums);
    }
}

std::vector<ContactDissipation> ContactWorks::with_closed(std::vector<ListedDissipation> listed,
                                                          bool conservative) const {
    listed = of_all_ranks(std::move(listed), of_.share);
    std::ranges::sort(listed, {}, &ListedDissipation::number);
    std::vector<ContactDissipation> all;
    all.reserve(accounts_.all().size() + listed.size());
    for (const ContactAccount& account : accounts_.all())
        all.push_back({account.first, account.second, account.dissipated({}, 0.0)});
    for (const ListedDissipation& each : listed)
        all.push_back(each.contact);
    std::ranges::stable_sort(
        all, {}, [](const ContactDissipation& each) { return std::pair(each.first, each.second); });
    std::size_t count = 0;
    for (const ContactDissipation& each : all) {
        const bool is_new = count == 0 || all[count - 1].first != each.first ||
                            all[count - 1].second != each.second;
        if (is_new) {
            all[count++] = each;
        } else {
            all[count - 1].parts.add(each.parts);
        }
        if (conservative) all[count - 1].parts.normal = 0.0;
    }
    all.resize(count);
    return all;
}

std::vector<double> ContactWorks::rubbing() const {
    const BlockShare& share = of_.share;
    std::vector<double> all = rubbing_, parts = block_rubbing_;
    const std::size_t walls = all.size();
    if (walls == 0) return all;
    if (share.shared()) {
        const std::vector<std::size_t> borders = share.block_borders(walls);
        parts.assign(borders.back(), 0.0);
        std::ranges::copy(block_rubbing_,
                          parts.begin() + static_cast<std::ptrdiff_t>(share.first_block() * walls));
        share.ranks().share(parts, borders);
    }
    for (std::size_t k = 0; k < parts.size(); ++k)
        all[k % walls] += parts[k];
    return all;
}

void ContactWorks::share_bends(int side) {
    const std::vector<DrivenParticle>& driven = of_.packing.elements.driven;
    if (!all_ || !of_.share.shared() || driven.empty()) return;
    std::vector<LineChange>& bend = bend_[side];
    std::vector<double> numbers;
    numbers.reserve(6 * driven.size());
    for (const DrivenParticle& each : driven) {
        LineChange less;
        if (of_.bodies.owns(each.particle)) less = bend[of_.elements.carrier_of(each.particle)];
        for (const Vec3& v : {less.velocity, less.rim})
            numbers.insert(numbers.end(), {v.x, v.y, v.z});
    }
    ranks::share_bits(of_.share.ranks(), numbers);
    for (std::size_t k = 0; k < driven.size(); ++k)
        bend[of_.elements.carrier_of(driven[k].particle)] = {triple(numbers.data() + 6 * k),
                                                             triple(numbers.data() + 6 * k + 3)};
}

void ContactWorks::restore(std::span<const double> accounts, std::span<const double> works) {
    if (works.size() != rubbing_.size() + 1)
        throw std::invalid_argument("contact_works: these are no works of contacts");
    std::ranges::copy(works.first(rubbing_.size()), rubbing_.begin());
    settled_ = works.back() != 0.0;
    if (!of_.share.shared() || of_.share.ranks().first())
        accounts_.restore(accounts, of_.bodies.particles() + rubbing_.size());
}

}  // namespace beadwave::packing
