#include "carrier_share.hpp"

#include "ranks/exchange_lists.hpp"

#include <algorithm>
#include <array>

namespace beadwave::packing {
namespace {

/// Calls visit(number) for the state of the carrier, or of the bond, with this number behind the
/// carriers.
template <class Visit>
void each_number(ElementStepper& elements, std::size_t item, Visit visit) {
    if (item < elements.carriers()) {
        elements.each_number(item, visit);
    } else {
        elements.bonds().each_number(item - elements.carriers(), visit);
    }
}

void append(std::vector<double>& to, ElementStepper& elements, std::size_t item) {
    each_number(elements, item, [&](double& number) { to.push_back(number); });
}

const double* take(const double* from, ElementStepper& elements, std::size_t item) {
    each_number(elements, item, [&](double& number) { number = *from++; });
    return from;
}

std::size_t count_of(ElementStepper& elements, std::size_t item) {
    std::size_t count = 0;
    each_number(elements, item, [&](double&) { ++count; });
    return count;
}

}  // namespace

void complete_elements(ElementStepper& elements, ranks::Communicator& ranks,
                       const ElementOwners& owners) {
    const auto own = static_cast<std::size_t>(ranks.rank()),
               count = static_cast<std::size_t>(ranks.count());
    const std::size_t carriers = owners.carrier.size();
    std::vector<std::vector<std::size_t>> items(count);
    for (std::size_t c = 0; c < carriers; ++c)
        items[owners.carrier[c]].push_back(c);
    for (std::size_t k = 0; k < owners.bond.size(); ++k)
        items[owners.bond[k][0]].push_back(carriers + k);
    std::vector<std::size_t> begin{0};
    for (const std::vector<std::size_t>& of_rank : items) {
        std::size_t numbers = 0;
        for (const std::size_t item : of_rank)
            numbers += count_of(elements, item);
        begin.push_back(begin.back() + numbers);
    }
    std::vector<double> mine;
    for (const std::size_t item : items[own])
        append(mine, elements, item);
    std::vector<double> all(begin.back());
    std::ranges::copy(mine, all.begin() + static_cast<std::ptrdiff_t>(begin[own]));
    ranks.share(all, begin);
    const double* from = all.data();
    for (const std::vector<std::size_t>& of_rank : items) {
        for (const std::size_t item : of_rank)
            from = take(from, elements, item);
    }
}

void move_elements(ElementStepper& elements, ranks::Communicator& ranks,
                   const ElementOwners& before, const ElementOwners& now) {
    const auto own = static_cast<std::size_t>(ranks.rank()),
               count = static_cast<std::size_t>(ranks.count());
    // Both sides find the same lists, in the same order.
    std::vector<std::vector<std::size_t>> sent(count), received(count);
    const auto move = [&](std::size_t item, std::size_t from, std::size_t to) {
        if (from == own) sent[to].push_back(item);
        if (to == own) received[from].push_back(item);
    };
    for (std::size_t c = 0; c < now.carrier.size(); ++c) {
        if (before.carrier[c] != now.carrier[c]) move(c, before.carrier[c], now.carrier[c]);
    }
    for (std::size_t k = 0; k < now.bond.size(); ++k) {
        const std::array<std::uint32_t, 2>&had = before.bond[k], &has = now.bond[k];
        for (std::size_t end = 0; end < 2; ++end) {
            const bool knows = has[end] == had[0] || has[end] == had[1];
            if (knows || (end == 1 && has[1] == has[0])) continue;
            move(now.carrier.size() + k, had[0], has[end]);
        }
    }
    ranks::NumberLists out(count);
    for (std::size_t r = 0; r < count; ++r) {
        for (const std::size_t item : sent[r])
            append(out[r], elements, item);
    }
    const ranks::NumberLists in = ranks::exchange_lists(ranks, std::move(out));
    for (std::size_t r = 0; r < count; ++r) {
        const double* from = in[r].data();
        for (const std::size_t item : received[r])
            from = take(from, elements, item);
    }
}

}  // namespace beadwave::packing
