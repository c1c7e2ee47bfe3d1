// How bodies travel between ranks: block_share.hpp says who has what. With a new order, particles
// move to the ranks that have them from then on; with a new list, those of other ranks come that
// may be neighbours of a rank's own.

#include "bodies.hpp"
#include "packing/share_of_rank.hpp"
#include "rank_order.hpp"
#include "ranks/exchange_lists.hpp"
#include "ranks/from_owners.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace beadwave::packing {

using simd::Column;

namespace {

/// The three numbers of lines of doubles from `from` on.
HaloPart three(double* lines, std::size_t from) {
    return {reinterpret_cast<std::byte*>(lines + from), line * sizeof(double), 3 * sizeof(double)};
}

}  // namespace

void share_rows(ranks::Communicator& ranks, std::vector<Vec3>& rows) {
    std::vector<double> numbers;
    numbers.reserve(3 * rows.size());
    for (const Vec3& row : rows)
        numbers.insert(numbers.end(), {row.x, row.y, row.z});
    ranks::share_bits(ranks, numbers);
    for (std::size_t k = 0; k < rows.size(); ++k)
        rows[k] = triple(numbers.data() + 3 * k);
}

std::vector<HaloPart> halo_of(const Lines& lines, bool turns) {
    std::vector<HaloPart> parts{three(lines.place, 0)};
    for (double* const all : {lines.half, lines.predicted}) {
        if (all == nullptr) continue;
        parts.push_back(three(all, 0));
        if (turns) parts.push_back(three(all, 4));
    }
    return parts;
}

void Bodies::exchange_lines(Column& half) const {
    if (!share_.shared()) return;
    const std::vector<HaloPart> parts =
        halo_of({.place = place_[now_].data(), .half = half.data()}, true);
    share_.send(parts, {});
    share_.receive(parts, {});
}

std::vector<Column*> Bodies::present_columns() {
    std::vector<Column*> all{&place_[now_], &half_[now_]};
    if (needs_.predicted) all.push_back(&predicted_[now_]);
    return all;
}

void Bodies::sort_on_ranks(std::span<const char> absent, int threads) {
    std::vector<SortItem> present, away;
    present.reserve(share_.end() - share_.begin());
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        const bool is_absent = !absent.empty() && absent[id_[i]] != 0;
        (is_absent ? away : present).push_back(sort_item(i));
    }
    const std::vector<Placed> placed = order_on_ranks(share_.ranks(), std::move(present), away,
                                                      particles(), smallest_radius_, threads);
    // The slots of others in pairs with own particles come as the halo does.
    std::vector<std::array<std::uint32_t, 3>> travels(held());
    for (const Placed& each : placed)
        travels[body_of(each.number)][0] = each.slot;
    const HaloPart part{reinterpret_cast<std::byte*>(travels.data()), sizeof travels.front(),
                        sizeof travels.front()};
    share_.send({&part, 1}, {});
    share_.receive({&part, 1}, {});
    next_slot_.resize(held());
    for (std::size_t i = 0; i < held(); ++i)
        next_slot_[i] = travels[i][0];
}

bool Bodies::is_order(std::span<const double> order) const {
    // On ranks each looks at the numbers of a range.
    const std::size_t all = particles(),
                      count =
                          share_.shared() ? static_cast<std::size_t>(share_.ranks().count()) : 1,
                      own = share_.shared() ? static_cast<std::size_t>(share_.ranks().rank()) : 0;
    const auto begin = [&](std::size_t rank) { return (rank * all + count - 1) / count; };
    ranks::NumberLists out(count), in(count);
    bool wrong = false;
    for (const double id : order) {
        if (id >= 0.0 && id < static_cast<double>(all) && id == std::floor(id)) {
            out[static_cast<std::size_t>(id) * count / all].push_back(id);
        } else {
            wrong = true;
        }
    }
    if (share_.shared()) in = ranks::exchange_lists(share_.ranks(), out);
    in[own] = std::move(out[own]);
    std::vector<char> seen(begin(own + 1) - begin(own), 0);
    for (const std::vector<double>& theirs : in) {
        for (const double id : theirs) {
            char& its = seen[static_cast<std::size_t>(id) - begin(own)];
            wrong = wrong || its != 0;
            its = 1;
        }
    }
    return !(share_.shared() ? share_.ranks().any(wrong) : wrong);
}

void Bodies::move(std::size_t begin, std::size_t end) {
    std::vector<Column*> columns = present_columns();
    columns.push_back(&half_[now_ ^ 1]);
    const std::size_t ranks =
        share_.shared() ? static_cast<std::size_t>(share_.ranks().count()) : 1;
    share_.hold({});
    const std::size_t count = share_.bodies();
    std::vector<std::uint32_t> id(count);
    struct Place {
        std::uint32_t from, to;
    };
    std::vector<Place> staying;
    std::vector<std::vector<std::uint32_t>> leaving(ranks), arriving(ranks);
    ranks::NumberLists names(ranks);
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t slot = next_slot(i), body = share_.body_of(slot);
        if (body != BlockShare::none) {
            staying.push_back({static_cast<std::uint32_t>(i), body});
            id[body] = id_[i];
            continue;
        }
        const std::size_t to = share_.owner(slot);
        leaving[to].push_back(static_cast<std::uint32_t>(i));
        names[to].insert(names[to].end(), {static_cast<double>(id_[i]), static_cast<double>(slot)});
    }
    if (share_.shared()) names = ranks::exchange_lists(share_.ranks(), std::move(names));
    for (std::size_t r = 0; share_.shared() && r < ranks; ++r) {
        for (std::size_t at = 0; at < names[r].size(); at += 2) {
            arriving[r].push_back(share_.body_of(static_cast<std::uint32_t>(names[r][at + 1])));
            id[arriving[r].back()] = static_cast<std::uint32_t>(names[r][at]);
        }
    }
    names.clear();
    // Column by column, so that messages with all numbers need no memory.
    const auto move_one = [&](auto& column, std::size_t width, auto moved) {
        for (const auto& [from, to] : staying)
            std::copy_n(column.data() + width * from, width, moved.data() + width * to);
        ranks::NumberLists out(ranks);
        for (std::size_t r = 0; r < ranks; ++r) {
            out[r].reserve(width * leaving[r].size());
            for (const std::uint32_t i : leaving[r])
                out[r].insert(out[r].end(), column.data() + width * i,
                              column.data() + width * (i + 1));
        }
        column = decltype(moved)();  // `= {}` keeps memory
        if (share_.shared()) {
            ranks::NumberLists in(ranks);
            for (std::size_t r = 0; r < ranks; ++r)
                in[r].resize(width * arriving[r].size());
            ranks::exchange_known_lists(share_.ranks(), std::move(out), in);
            for (std::size_t r = 0; r < ranks; ++r) {
                for (std::size_t k = 0; k < arriving[r].size(); ++k)
                    std::copy_n(in[r].data() + width * k, width,
                                moved.data() + width * arriving[r][k]);
            }
        }
        column = std::move(moved);
    };
    // All particles are written. Behind them are about as many ghosts as before, and the dummy.
    const std::size_t bodies = count + ghosts.size() + ghosts.size() / 8 + 1;
    for (Column* const column : columns)
        move_one(*column, line, Column::unset(line * bodies));
    if (needs_.rolling) move_one(rolling_work_, 1, std::vector<double>(count));
    id_ = std::move(id);
    next_slot_ = std::vector<std::uint32_t>();  // `= {}` keeps memory
    if (share_.shared()) index_.reset(id_);
}

void Bodies::hold(const std::vector<std::vector<std::uint32_t>>& wanted) {
    const std::vector<Column*> columns = present_columns();
    ranks::NumberLists out;
    for (const std::vector<std::uint32_t>& bodies : wanted) {
        std::vector<double>& message = out.emplace_back();
        for (const std::uint32_t i : bodies) {
            message.push_back(static_cast<double>(id_[i]));
            message.push_back(static_cast<double>(slot_of(i)));
            for (const Column* const column : columns)
                message.insert(message.end(), column->data() + line * i,
                               column->data() + line * (i + 1));
        }
    }
    const ranks::NumberLists in = ranks::exchange_lists(share_.ranks(), std::move(out));
    const std::size_t width = 2 + line * columns.size();
    std::vector<std::pair<std::uint32_t, const double*>> came;
    std::vector<std::uint32_t> slots;
    for (const std::vector<double>& message : in) {
        for (std::size_t at = 0; at < message.size(); at += width) {
            const double* const from = message.data() + at;
            came.emplace_back(static_cast<std::uint32_t>(from[1]), from);
            slots.push_back(came.back().first);
        }
    }
    std::ranges::sort(slots);
    const std::size_t own = held();
    share_.hold(slots);
    const std::size_t count = share_.bodies();
    const auto widen = [&](Column& column) {
        Column wide(line * count);
        std::copy_n(column.data(), line * own, wide.data() + line * share_.begin());
        column = std::move(wide);
    };
    for (Column* const column : columns)
        widen(*column);
    widen(half_[now_ ^ 1]);
    std::vector<std::uint32_t> id(count);
    std::ranges::copy(id_, id.begin() + static_cast<std::ptrdiff_t>(share_.begin()));
    for (const auto& [slot, from] : came) {
        const std::size_t body = share_.body_of(slot);
        id[body] = static_cast<std::uint32_t>(*from);
        for (std::size_t k = 0; k < columns.size(); ++k)
            std::copy_n(from + 2 + line * k, line, columns[k]->data() + line * body);
    }
    id_ = std::move(id);
    index_.reset(id_);
    if (!needs_.rolling) return;
    std::vector<double> work(count);
    std::ranges::copy(rolling_work_, work.begin() + static_cast<std::ptrdiff_t>(share_.begin()));
    rolling_work_ = std::move(work);
}

NumberRange Bodies::numbers_of(int rank) const {
    return numbers_of_rank(particles(), rank, share_.shared() ? share_.ranks().count() : 1);
}

std::size_t Bodies::recorder(std::size_t particle) const {
    return rank_with(particle, particles(), share_.ranks().count());
}

std::vector<Vec3> Bodies::of_own_numbers(const std::function<Vec3(std::size_t)>& value) const {
    const NumberRange own = own_numbers();
    std::vector<Vec3> all(own.end - own.begin);
    ranks::NumberLists out(static_cast<std::size_t>(share_.ranks().count()));
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        const Vec3 v = value(i);
        if (id_[i] >= own.begin && id_[i] < own.end) {
            all[id_[i] - own.begin] = v;
            continue;
        }
        std::vector<double>& message = out[recorder(id_[i])];
        message.insert(message.end(), {static_cast<double>(id_[i]), v.x, v.y, v.z});
    }
    for (const std::vector<double>& message :
         ranks::exchange_lists(share_.ranks(), std::move(out))) {
        for (std::size_t at = 0; at < message.size(); at += 4)
            all[static_cast<std::size_t>(message[at]) - own.begin] =
                triple(message.data() + at + 1);
    }
    return all;
}

std::vector<Vec3> Bodies::of_all(const std::function<Vec3(std::size_t)>& value) const {
    const bool gathers = !share_.shared() || share_.ranks().first();
    std::vector<Vec3> all(gathers ? particles() : 0);
    if (!share_.shared()) {
        for (std::size_t i = 0; i < held(); ++i)
            all[id_[i]] = value(i);
        return all;
    }
    // In pieces, so that no rank needs memory for messages of all particles.
    constexpr std::size_t piece = std::size_t{1} << 18;
    std::vector<std::pair<std::uint32_t, std::size_t>> own;
    for (std::size_t i = share_.begin(); i < share_.end(); ++i)
        own.emplace_back(id_[i], i);
    std::ranges::sort(own);
    auto next = own.begin();
    for (std::size_t end = piece; end < particles() + piece; end += piece) {
        std::vector<double> rows;
        for (; next != own.end() && next->first < end; ++next) {
            const Vec3 v = value(next->second);
            rows.insert(rows.end(), {static_cast<double>(next->first), v.x, v.y, v.z});
        }
        for (const auto& theirs : share_.ranks().gather_numbers<double>(rows)) {
            for (std::size_t at = 0; at < theirs.size(); at += 4)
                all[static_cast<std::size_t>(theirs[at])] = triple(theirs.data() + at + 1);
        }
    }
    return all;
}

}  // namespace beadwave::packing
