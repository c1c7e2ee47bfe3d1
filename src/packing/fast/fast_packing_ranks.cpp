// What the fast engine exchanges with other ranks: block_share.hpp says who has what.

#include "fast_packing_engine.hpp"
#include "near_ranks.hpp"
#include "pair_travel.hpp"
#include "ranks/exchange_lists.hpp"
#include "sort_contacts.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace beadwave::packing {

std::vector<HaloPart> FastPackingEngine::halo_lines(Lines all) const {
    const bool bonds = elements_.stepper.bonds().any();
    if (!bodies_.needs().velocities && !bonds) all.half = nullptr;
    return halo_of(all, laws_.slides || laws_.rolls || bonds);
}

std::array<HaloPart, 2> FastPackingEngine::next_halo_of_blocks() {
    return {sleep_.halo(), near_.next_halo()};
}

void FastPackingEngine::exchange_halo() {
    const std::vector<HaloPart> parts = halo_lines(bodies_.lines());
    const std::array of_blocks{sleep_.halo(), near_.present_halo()};
    share_.send(parts, of_blocks);
    share_.receive(parts, of_blocks);
}

std::vector<HaloPart> FastPackingEngine::next_halo() {
    // Bonds need the doubles.
    if (contacts_.mixed && !elements_.stepper.bonds().any()) return contacts_.mixed->next_halo();
    return halo_lines(bodies_.next_lines());
}

void FastPackingEngine::receive_next_halo() {
    share_.receive(next_halo(), next_halo_of_blocks());
    if (!contacts_.mixed || !elements_.stepper.bonds().any()) return;
    for (std::size_t i = 0; i < bodies_.held(); ++i) {
        if (!share_.has(i)) contacts_.mixed->put_next(bodies_, i);
    }
}

std::vector<std::vector<std::uint32_t>> FastPackingEngine::wanted_by_ranks() const {
    std::vector<Vec3> position;
    std::vector<double> radius;
    std::vector<char> absent;
    position.reserve(bodies_.held());
    radius.reserve(bodies_.held());
    for (std::size_t i = 0; i < bodies_.held(); ++i) {
        position.push_back(bodies_.reference(i));
        radius.push_back(bodies_.radius(i) + travel_.far.chosen(bodies_, i));
        if (population_.changes()) absent.push_back(population_.is_absent(bodies_.id(i)) ? 1 : 0);
    }
    std::vector<std::vector<std::uint32_t>> wanted = near_other_ranks({.position = position,
                                                                       .radius = radius,
                                                                       .absent = absent,
                                                                       .box = packing_.box,
                                                                       .edges = box_.at_list(),
                                                                       .skin = travel_.skin()},
                                                                      share_);
    // A particle's bonds need its partner, also where they have no pair.
    elements_.add_wanted(wanted);
    for (std::vector<std::uint32_t>& bodies : wanted)
        sort_out(bodies);
    return wanted;
}

std::array<std::uint32_t, 2> FastPackingEngine::next_slots_of(std::uint32_t entry) const {
    const std::uint32_t first = contacts_.entries.first[entry],
                        second = contacts_.entries.second[entry], slot = bodies_.next_slot(first);
    if (bodies_.wall_of(second) != nullptr) return {slot, slot};
    return {slot, bodies_.next_slot(bodies_.particle_of(second))};
}

template <class Visit>
void FastPackingEngine::each_weight(Visit visit) const {
    for (const std::uint32_t entry : contacts_.home()) {
        visit(contacts_.entries.first[entry]);
        if (contacts_.key(entry).wall < 0)
            visit(bodies_.particle_of(contacts_.entries.second[entry]));
    }
    // Those that wait or left take memory too; their blocks sleep, so that they cost little.
    for (std::size_t i = share_.begin(); i < share_.end(); ++i)
        visit(static_cast<std::uint32_t>(i));
}

void FastPackingEngine::cut_blocks() {
    const std::size_t blocks = bodies_.blocks();
    std::vector<std::int64_t> weight(blocks, 0);
    each_weight([&](std::uint32_t body) { ++weight[share_.block_of(body)]; });
    balance_.end_list(share_, std::move(weight));
    std::vector<std::int64_t> next(2 * blocks, 0);  // weights, then costs
    each_weight([&](std::uint32_t body) {
        const std::size_t b = bodies_.next_slot(body) / block_size;
        ++next[b];
        next[blocks + b] += balance_.cost(share_.block_of(body));
    });
    share_.ranks().sum(next);
    const auto costs = next.begin() + static_cast<std::ptrdiff_t>(blocks);
    share_.cut(balance_.next_cuts({{next.begin(), costs}, {costs, next.end()}}, share_));
}

std::vector<OldPair> FastPackingEngine::old_pairs(const std::vector<double>& overlap,
                                                  ContactMemory& memory) {
    const std::span<const std::uint32_t> home = contacts_.home();
    const auto pair = [&](std::size_t p) {
        return OldPair{contacts_.numbered_key(home[p]), home[p], contacts_.entries.kind[home[p]],
                       overlap[p]};
    };
    if (!share_.shared()) {
        std::vector<OldPair> old(home.size());
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
        for (std::size_t p = 0; p < home.size(); ++p)
            old[p] = pair(p);
        return old;
    }
    const auto owners = [&](std::size_t p) {
        const std::array<std::uint32_t, 2> slots = next_slots_of(home[p]);
        return std::array{share_.owner(slots[0]), share_.owner(slots[1])};
    };
    const std::vector<Column*> columns = memory.columns();
    return exchange_pairs(share_.ranks(), {.entries = home, .pair = pair, .owners = owners},
                          columns);
}

void FastPackingEngine::share_counts(const NeighbourList& list) {
    std::size_t of_others = 0;
    while (of_others < list.pairs() && !share_.has(list.first[of_others]))
        ++of_others;
    contacts_.of_others = of_others;
    contacts_.entries_before = 0;
    contacts_.all_entries = contacts_.entries.count();
    if (!share_.shared()) return;

    share_.begin_halo();
    // Entries, pairs of particles, pairs with each wall.
    std::vector<std::int64_t> counts(2 + packing_.walls.size(), 0);
    counts[0] = static_cast<std::int64_t>(contacts_.all_entries);
    std::vector<std::uint32_t> wall_blocks;
    for (std::size_t p = 0; p < list.pairs(); ++p) {
        const std::uint32_t first = list.first[p];
        const PairKey key = key_of_pair(list, p);
        if (key.wall >= 0) {
            ++counts[2 + static_cast<std::size_t>(key.wall)];
            wall_blocks.push_back(static_cast<std::uint32_t>(share_.block_of(first)));
            continue;
        }
        if (p >= of_others) ++counts[1];
        if (!share_.has(key.second)) share_.add_pair(first, key.second);
        if (!share_.has(first)) share_.add_pair(key.second, first);
    }
    elements_.add_bonds_to_halo();
    share_.end_halo();
    sort_out(wall_blocks);
    ranks::Communicator& ranks = share_.ranks();
    walls_.forces.set_blocks(ranks, wall_blocks);
    const auto all = ranks.gather_numbers_to_all<std::int64_t>(counts);
    contacts_.all_entries = 0;
    for (std::size_t r = 0; r < all.size(); ++r) {
        if (static_cast<int>(r) == ranks.rank()) contacts_.entries_before = contacts_.all_entries;
        contacts_.all_entries += static_cast<std::size_t>(all[r][0]);
    }
    // In the whole list, the pairs of particles of all ranks come first, then those with each wall.
    std::vector<std::vector<SharedOrder::Stretch>> pairs(all.size()), particles;
    std::size_t at = 0;
    for (std::size_t segment = 1; segment < counts.size(); ++segment) {
        for (std::size_t r = 0; r < all.size(); ++r) {
            const std::size_t begin = at;
            at += static_cast<std::size_t>(all[r][segment]);
            pairs[r].push_back({begin, at});
        }
    }
    const std::vector<std::size_t> borders = share_.particle_borders(1);
    for (std::size_t r = 0; r + 1 < borders.size(); ++r)
        particles.push_back({{borders[r], borders[r + 1]}});
    sums_.set(SharedOrder(ranks, std::move(particles)), SharedOrder(ranks, std::move(pairs)));
}

std::vector<ContactState> FastPackingEngine::contacts_of_own_numbers() const {
    constexpr std::size_t width = sizeof(ContactState) / sizeof(double);
    static_assert(sizeof(ContactState) == width * sizeof(double));
    constexpr std::size_t piece = std::size_t{1} << 16;  // messages of all would need much memory
    ranks::Communicator& ranks = share_.ranks();
    const auto own = static_cast<std::size_t>(ranks.rank());
    const std::span<const std::uint32_t> home = contacts_.home();
    std::vector<double> numbers;
    const auto closed_from = [&](std::size_t from) {
        const std::size_t begin = std::min(from, home.size());
        numbers.clear();
        return contacts_.closed(home.subspan(begin, std::min(piece, home.size() - begin)),
                                &numbers);
    };
    std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks.count()));
    for (std::size_t from = 0; from < home.size(); from += piece) {
        for (const ContactState& c : closed_from(from))
            ++counts[bodies_.recorder(c.first)];
    }
    ranks.sum(counts);
    std::vector<ContactState> contacts;
    std::vector<double> places;  // in the list of all
    contacts.reserve(static_cast<std::size_t>(counts[own]));
    places.reserve(contacts.capacity());
    for (std::size_t from = 0; ranks.any(from < home.size()); from += piece) {
        const std::vector<ContactState> closed = closed_from(from);
        ranks::NumberLists out(counts.size());
        for (std::size_t k = 0; k < closed.size(); ++k) {
            const auto place =
                static_cast<double>(sums_.pair_number(from + static_cast<std::size_t>(numbers[k])));
            const std::size_t to = bodies_.recorder(closed[k].first);
            if (to == own) {
                contacts.push_back(closed[k]);
                places.push_back(place);
                continue;
            }
            out[to].push_back(place);
            out[to].resize(out[to].size() + width);
            std::memcpy(out[to].data() + out[to].size() - width, &closed[k], sizeof(ContactState));
        }
        for (const std::vector<double>& message : ranks::exchange_lists(ranks, std::move(out))) {
            for (std::size_t at = 0; at < message.size(); at += width + 1) {
                places.push_back(message[at]);
                std::memcpy(static_cast<void*>(&contacts.emplace_back()), message.data() + at + 1,
                            sizeof(ContactState));
            }
        }
    }
    sort_contacts(contacts, places);
    return contacts;
}

std::vector<ContactSide> FastPackingEngine::own_sides() const {
    constexpr std::size_t piece = std::size_t{1} << 16;
    const bool shared = share_.shared();
    const std::span<const std::uint32_t> home = contacts_.home();
    const NumberRange own = own_numbers();
    std::vector<ContactSide> sides;
    for (std::size_t from = 0; shared ? share_.ranks().any(from < home.size()) : from < home.size();
         from += piece) {
        const std::size_t begin = std::min(from, home.size());
        ranks::NumberLists out(shared ? static_cast<std::size_t>(share_.ranks().count()) : 0);
        const auto add = [&](std::size_t particle, std::size_t other) {
            if (particle >= own.begin && particle < own.end) {
                sides.push_back(
                    {static_cast<std::uint32_t>(particle), static_cast<std::uint32_t>(other)});
                return;
            }
            std::vector<double>& message = out[bodies_.recorder(particle)];
            message.insert(message.end(),
                           {static_cast<double>(particle), static_cast<double>(other)});
        };
        for (const ContactState& c :
             contacts_.closed(home.subspan(begin, std::min(piece, home.size() - begin)))) {
            add(c.first, c.second);
            if (c.second < particles()) add(c.second, c.first);
        }
        if (!shared) continue;
        for (const std::vector<double>& message :
             ranks::exchange_lists(share_.ranks(), std::move(out))) {
            for (std::size_t at = 0; at < message.size(); at += 2)
                add(static_cast<std::size_t>(message[at]),
                    static_cast<std::size_t>(message[at + 1]));
        }
    }
    return sides;
}

}  // namespace beadwave::packing
