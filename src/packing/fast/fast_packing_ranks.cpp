// What the fast engine exchanges with other ranks: block_share.hpp says who has what.

#include "fast_packing_engine.hpp"
#include "ranks/from_owners.hpp"

#include <cmath>
#include <limits>

namespace beadwave::packing {
namespace {

/// A pair as it travels: this many numbers, and its contact memory.
constexpr std::size_t key_numbers = 9;

void put_key(std::vector<double>& to, const OldPair& old) {
    const PairKey& key = old.pair.key;
    for (const double number :
         {static_cast<double>(key.first), static_cast<double>(key.second),
          static_cast<double>(key.wall), static_cast<double>(key.image[0]),
          static_cast<double>(key.image[1]), static_cast<double>(key.image[2]),
          static_cast<double>(key.patch), old.pair.flip ? 1.0 : 0.0, old.overlap})
        to.push_back(number);
}

OldPair pair_of(const double* from, std::size_t entry) {
    OldPair old{};
    PairKey& key = old.pair.key;
    key.first = static_cast<std::uint32_t>(from[0]);
    key.second = static_cast<std::uint32_t>(from[1]);
    key.wall = static_cast<std::int32_t>(from[2]);
    for (std::size_t k = 0; k < 3; ++k)
        key.image[k] = static_cast<std::int32_t>(from[3 + k]);
    key.patch = static_cast<std::uint32_t>(from[6]);
    old.pair.flip = from[7] != 0.0;
    old.overlap = from[8];
    old.entry = static_cast<std::uint32_t>(entry);
    return old;
}

}  // namespace

Lines FastPackingEngine::halo_lines(int side) {
    Lines all = lines(side);
    if (!half_needed_ && !elements_.bonds().any()) all.half = nullptr;
    return all;
}

void FastPackingEngine::exchange_halo(int side) {
    share_.send(halo_lines(side), quiet_steps_);
    share_.receive(halo_lines(side), quiet_steps_);
}

void FastPackingEngine::exchange_velocities() const {
    if (!share_.shared()) return;
    const Lines now{.place = place_[now_].data(), .half = half_[now_].data()};
    share_.send(now, {});
    share_.receive(now, {});
}

void FastPackingEngine::share_extent() {
    // A component that is not finite counts on no rank: the run is about to fail.
    const auto known = [](double x) {
        return std::isnan(x) ? -std::numeric_limits<double>::infinity() : x;
    };
    std::array<double, 6> all{};
    for (std::size_t k = 0; k < 3; ++k) {
        all[k] = known(-extent_.lowest[k]);
        all[3 + k] = known(extent_.highest[k]);
    }
    share_.ranks().largest(all);
    for (std::size_t k = 0; k < 3; ++k) {
        extent_.lowest[k] = -all[k];
        extent_.highest[k] = all[3 + k];
    }
}

void FastPackingEngine::share_wall_forces() {
    const std::size_t walls = packing_.walls.size(), width = walls * (walls_turn_ ? 4 : 3);
    std::vector<double> all(width * wall_blocks_.size());
    std::vector<std::size_t> begin = wall_blocks_begin_;
    for (std::size_t& each : begin)
        each *= width;
    double* to = all.data() + begin[static_cast<std::size_t>(share_.ranks().rank())];
    for (const std::uint32_t b : wall_blocks_) {
        if (!share_.has_block(b)) continue;
        for (std::size_t w = b * walls; w < (b + 1) * walls; ++w) {
            put(to, block_wall_force_[w]);
            if (walls_turn_) to[3] = block_wall_torque_[w];
            to += width / walls;
        }
    }
    share_.ranks().share(all, begin);
    const double* from = all.data();
    for (const std::uint32_t b : wall_blocks_) {
        for (std::size_t w = b * walls; w < (b + 1) * walls; ++w) {
            block_wall_force_[w] = triple(from);
            if (walls_turn_) block_wall_torque_[w] = from[3];
            from += width / walls;
        }
    }
}

void FastPackingEngine::share_box_forces() {
    constexpr std::size_t width = 2 * Edges::numbers;
    std::vector<double> all(width * blocks());
    const auto each = [&](auto visit) {
        for (std::size_t b = 0; b < blocks(); ++b) {
            for (std::size_t k = 0; k < Edges::numbers; ++k) {
                visit(all[width * b + k], block_image_force_[b].of[k]);
                visit(all[width * b + Edges::numbers + k], block_particle_force_[b].of[k]);
            }
        }
    };
    each([](double& travels, double& number) { travels = number; });
    share_.ranks().share(all, share_.block_borders(width));
    each([](double& travels, double& number) { number = travels; });
}

void FastPackingEngine::share_rows(std::vector<Vec3>& rows) const {
    std::vector<double> numbers;
    numbers.reserve(3 * rows.size());
    for (const Vec3& row : rows)
        numbers.insert(numbers.end(), {row.x, row.y, row.z});
    ranks::share_bits(share_.ranks(), numbers);
    for (std::size_t k = 0; k < rows.size(); ++k)
        rows[k] = triple(numbers.data() + 3 * k);
}

std::vector<OldPair> FastPackingEngine::exchange_pairs(const std::vector<OldPair>& old,
                                                       std::vector<Column>& memory,
                                                       std::array<Column, 4>& sliding,
                                                       std::array<Column, 4>& rolling) {
    ranks::Communicator& ranks = share_.ranks();
    const auto count = static_cast<std::size_t>(ranks.count()),
               own = static_cast<std::size_t>(ranks.rank());
    const auto each_particle = [&](const OldPair& pair, auto visit) {
        visit(slot_[pair.pair.key.first]);
        if (pair.pair.key.wall < 0) visit(slot_[pair.pair.key.second]);
    };
    // The weight of a block, about in proportion to its time: of its pairs and its particles.
    std::vector<std::int64_t> weight(blocks(), 0);
    for (const OldPair& pair : old)
        each_particle(pair, [&](std::uint32_t slot) { ++weight[slot / block_size]; });
    ranks.sum(weight);
    std::vector<double> of_block;
    for (std::size_t p = 0; p < particles(); ++p) {
        if (!population_.is_absent(p)) ++weight[slot_[p] / block_size];
    }
    for (const std::int64_t each : weight)
        of_block.push_back(static_cast<double>(each));
    share_.cut(of_block);

    std::vector<Column*> columns;
    for (Column& each : memory)
        columns.push_back(&each);
    for (std::size_t k = 0; k < 4; ++k) {
        if (slides_) columns.push_back(&sliding[k]);
        if (rolls_) columns.push_back(&rolling[k]);
    }
    const std::size_t width = key_numbers + columns.size();
    std::vector<std::vector<double>> out(count), in(count);
    for (const OldPair& pair : old) {
        std::size_t last = own;
        each_particle(pair, [&](std::uint32_t slot) {
            const std::size_t to = share_.owner(slot);
            if (to == own || to == last) return;
            last = to;
            put_key(out[to], pair);
            for (const Column* column : columns)
                out[to].push_back((*column)[pair.entry]);
        });
    }
    std::vector<double> sizes(count * count);
    std::vector<std::size_t> begin;
    for (std::size_t r = 0; r <= count; ++r)
        begin.push_back(count * r);
    for (std::size_t r = 0; r < count; ++r)
        sizes[count * own + r] = static_cast<double>(out[r].size());
    ranks.share(sizes, begin);
    std::vector<ranks::PeerBuffers> peers;
    std::size_t arriving = 0;
    for (std::size_t r = 0; r < count; ++r) {
        in[r].resize(static_cast<std::size_t>(sizes[count * r + own]));
        arriving += in[r].size() / width;
        if (!in[r].empty() || !out[r].empty())
            peers.push_back({static_cast<int>(r), out[r], in[r]});
    }
    ranks.start_exchange(peers);
    ranks.finish_exchange();

    const std::size_t entries = first_.size();
    for (Column* const column : columns) {
        Column longer(entries + arriving);
        std::copy_n(column->data(), entries, longer.data());
        *column = std::move(longer);
    }
    std::vector<OldPair> came;
    for (const std::vector<double>& message : in) {
        for (const double* from = message.data(); from != message.data() + message.size();
             from += width) {
            const std::size_t entry = entries + came.size();
            came.push_back(pair_of(from, entry));
            for (std::size_t k = 0; k < columns.size(); ++k)
                (*columns[k])[entry] = from[key_numbers + k];
        }
    }
    std::ranges::sort(came, {}, [](const OldPair& pair) { return pair.pair.key.first; });
    return came;
}

void FastPackingEngine::share_counts(const NeighbourList& list) {
    std::size_t of_others = 0;
    while (of_others < list.pairs() && !share_.has(list.first[of_others]))
        ++of_others;
    home_ = std::span<const std::uint32_t>(listed_).subspan(of_others);
    entries_before_ = 0;
    all_entries_ = first_.size();
    if (!share_.shared()) return;

    share_.begin_halo();
    // Entries, blocks with walls, pairs of particles, pairs with each wall.
    std::vector<std::int64_t> counts(3 + packing_.walls.size(), 0);
    counts[0] = static_cast<std::int64_t>(all_entries_);
    std::vector<std::uint32_t> wall_blocks;
    for (std::size_t p = 0; p < list.pairs(); ++p) {
        const std::uint32_t first = list.first[p];
        const PairKey key = pair_key(list, n_, p);
        if (key.wall >= 0) {
            ++counts[3 + static_cast<std::size_t>(key.wall)];
            wall_blocks.push_back(static_cast<std::uint32_t>(share_.block_of(first)));
            continue;
        }
        if (p >= of_others) ++counts[2];
        if (!share_.has(key.second)) share_.add_pair(first, key.second);
        if (!share_.has(first)) share_.add_pair(key.second, first);
    }
    add_bonds_to_halo();
    share_.end_halo();
    sort_out(wall_blocks);
    counts[1] = static_cast<std::int64_t>(wall_blocks.size());

    ranks::Communicator& ranks = share_.ranks();
    const auto all = ranks.gather_numbers_to_all<std::int64_t>(counts);
    all_entries_ = 0;
    wall_blocks_begin_ = {0};
    for (std::size_t r = 0; r < all.size(); ++r) {
        if (static_cast<int>(r) == ranks.rank()) entries_before_ = all_entries_;
        all_entries_ += static_cast<std::size_t>(all[r][0]);
        wall_blocks_begin_.push_back(wall_blocks_begin_.back() +
                                     static_cast<std::size_t>(all[r][1]));
    }
    wall_blocks_.clear();
    for (const auto& theirs : ranks.gather_numbers_to_all<std::uint32_t>(wall_blocks))
        wall_blocks_.insert(wall_blocks_.end(), theirs.begin(), theirs.end());
    // In the whole list, the pairs of particles of all ranks come first, then those with each wall.
    std::vector<std::vector<SharedOrder::Stretch>> pairs(all.size()), particles;
    std::size_t at = 0;
    for (std::size_t segment = 2; segment < counts.size(); ++segment) {
        for (std::size_t r = 0; r < all.size(); ++r) {
            const std::size_t begin = at;
            at += static_cast<std::size_t>(all[r][segment]);
            pairs[r].push_back({begin, at});
        }
    }
    pair_order_ = SharedOrder(ranks, std::move(pairs));
    const std::vector<std::size_t> borders = share_.particle_borders(1);
    for (std::size_t r = 0; r + 1 < borders.size(); ++r)
        particles.push_back({{borders[r], borders[r + 1]}});
    particle_order_ = SharedOrder(ranks, std::move(particles));
}

std::vector<ContactState> FastPackingEngine::contacts_of_all() const {
    exchange_velocities();
    std::vector<double> numbers;
    const std::vector<ContactState> own = closed_among(home_, &numbers);
    for (double& number : numbers)
        number = static_cast<double>(pair_order_.number(static_cast<std::size_t>(number)));
    ranks::Communicator& ranks = share_.ranks();
    const auto all_numbers = ranks.gather_numbers<double>(numbers);
    const auto all_contacts = ranks.gather_numbers<ContactState>(own);
    std::vector<std::pair<double, ContactState>> placed;
    for (std::size_t r = 0; r < all_numbers.size(); ++r) {
        for (std::size_t k = 0; k < all_numbers[r].size(); ++k)
            placed.emplace_back(all_numbers[r][k], all_contacts[r][k]);
    }
    std::ranges::sort(placed, {}, [](const auto& each) { return each.first; });
    std::vector<ContactState> contacts;
    contacts.reserve(placed.size());
    for (const auto& each : placed)
        contacts.push_back(each.second);
    return contacts;
}

DeepContact FastPackingEngine::deepest() const {
    if (!share_.shared()) return deepest_;
    DeepContact deepest;
    for (const auto& theirs : share_.ranks().gather_numbers_to_all<DeepContact>({&deepest_, 1})) {
        const DeepContact& each = theirs.front();
        // One process keeps the first of equals.
        const bool deeper =
            each.depth > deepest.depth || (each.depth == deepest.depth && each.step < deepest.step);
        if (deeper) deepest = each;
    }
    return deepest;
}

}  // namespace beadwave::packing
