// Which particles the fast engine holds. With a new order, its own move to the ranks that have them
// from then on; with a new list, those of other ranks come that may be neighbours of its own.

#include "fast_packing_engine.hpp"
#include "near_ranks.hpp"
#include "ranks/exchange_lists.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::packing {

std::vector<Column*> FastPackingEngine::present_lines() {
    std::vector<Column*> all{&place_[now_], &half_[now_]};
    if (predicted_needed_) all.push_back(&predicted_[now_]);
    return all;
}

void FastPackingEngine::move_lines(std::size_t begin, std::size_t end) {
    std::vector<Column*> columns = present_lines();
    columns.push_back(&half_[now_ ^ 1]);
    ranks::NumberLists out(share_.shared() ? static_cast<std::size_t>(share_.ranks().count()) : 1),
        in;
    share_.hold({});
    const std::size_t count = share_.bodies();
    std::vector<std::uint32_t> id(count);
    std::vector<std::uint32_t> to;  // of each particle: its body
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t slot = slot_[id_[i]], body = share_.body_of(slot);
        to.push_back(body);
        if (body != BlockShare::none) {
            id[body] = id_[i];
            continue;
        }
        std::vector<double>& message = out[share_.owner(slot)];
        message.push_back(static_cast<double>(id_[i]));
        for (const Column* const column : columns)
            message.insert(message.end(), column->data() + line * i,
                           column->data() + line * (i + 1));
        if (rolls_) message.push_back(rolling_work_[i]);
    }
    if (share_.shared()) in = ranks::exchange_lists(share_.ranks(), out);
    out.clear();
    const std::size_t width = 1 + line * columns.size() + (rolls_ ? 1 : 0);
    const auto each_arrival = [&](auto visit) {
        for (const std::vector<double>& message : in) {
            for (std::size_t at = 0; at < message.size(); at += width) {
                const auto its = static_cast<std::uint32_t>(message[at]);
                visit(its, share_.body_of(slot_[its]), message.data() + at + 1);
            }
        }
    };
    for (std::size_t k = 0; k < columns.size(); ++k) {
        Column moved(line * count);
        for (std::size_t i = begin; i < end; ++i) {
            if (to[i - begin] != BlockShare::none)
                std::copy_n(columns[k]->data() + line * i, line,
                            moved.data() + line * to[i - begin]);
        }
        each_arrival([&](std::uint32_t, std::uint32_t body, const double* from) {
            std::copy_n(from + line * k, line, moved.data() + line * body);
        });
        *columns[k] = std::move(moved);
    }
    if (rolls_) {
        std::vector<double> work(count);
        for (std::size_t i = begin; i < end; ++i) {
            if (to[i - begin] != BlockShare::none) work[to[i - begin]] = rolling_work_[i];
        }
        each_arrival([&](std::uint32_t, std::uint32_t body, const double* from) {
            work[body] = from[line * columns.size()];
        });
        rolling_work_ = std::move(work);
    }
    each_arrival([&](std::uint32_t its, std::uint32_t body, const double*) { id[body] = its; });
    id_ = std::move(id);
    n_ = count;
}

std::vector<std::vector<std::uint32_t>> FastPackingEngine::wanted_by_ranks() const {
    std::vector<Vec3> position;
    std::vector<double> radius;
    const std::vector<char> away = population_.absent();
    std::vector<char> absent;
    for (std::size_t i = 0; i < n_; ++i) {
        position.push_back(triple(place(i) + 4));
        radius.push_back(place(i)[3]);
        if (!away.empty()) absent.push_back(away[id_[i]]);
    }
    std::vector<std::vector<std::uint32_t>> wanted = near_other_ranks({.position = position,
                                                                       .radius = radius,
                                                                       .absent = absent,
                                                                       .box = packing_.box,
                                                                       .edges = box_.at_list(),
                                                                       .skin = skin_},
                                                                      share_);
    // A particle's bonds need its partner, also where they have no pair.
    const std::vector<Bond>& bonds = packing_.elements.bonds;
    for (std::size_t k = 0; k < bonds.size(); ++k) {
        if (!elements_.bonds().states()[k].intact()) continue;
        const std::uint32_t first = slot_[bonds[k].first], second = slot_[bonds[k].second];
        for (const auto& [here, there] : {std::pair(first, second), std::pair(second, first)}) {
            if (share_.has_slot(here) && !share_.has_slot(there))
                wanted[share_.owner(there)].push_back(share_.body_of(here));
        }
    }
    for (std::vector<std::uint32_t>& bodies : wanted)
        sort_out(bodies);
    return wanted;
}

void FastPackingEngine::hold_neighbours() {
    if (!share_.shared()) return;
    const std::vector<Column*> columns = present_lines();
    ranks::NumberLists out;
    for (const std::vector<std::uint32_t>& bodies : wanted_by_ranks()) {
        std::vector<double>& message = out.emplace_back();
        for (const std::uint32_t i : bodies) {
            message.push_back(static_cast<double>(id_[i]));
            for (const Column* const column : columns)
                message.insert(message.end(), column->data() + line * i,
                               column->data() + line * (i + 1));
        }
    }
    const ranks::NumberLists in = ranks::exchange_lists(share_.ranks(), out);
    out.clear();
    const std::size_t width = 1 + line * columns.size();
    std::vector<std::pair<std::uint32_t, const double*>> came;
    std::vector<std::uint32_t> slots;
    for (const std::vector<double>& message : in) {
        for (std::size_t at = 0; at < message.size(); at += width) {
            const double* const from = message.data() + at;
            came.emplace_back(slot_[static_cast<std::uint32_t>(*from)], from);
            slots.push_back(came.back().first);
        }
    }
    std::ranges::sort(slots);
    const std::size_t own = n_;
    share_.hold(slots);
    n_ = share_.bodies();
    const auto widen = [&](Column& column) {
        Column wide(line * n_);
        std::copy_n(column.data(), line * own, wide.data() + line * share_.begin());
        column = std::move(wide);
    };
    for (Column* const column : columns)
        widen(*column);
    widen(half_[now_ ^ 1]);
    std::vector<std::uint32_t> id(n_);
    std::ranges::copy(id_, id.begin() + static_cast<std::ptrdiff_t>(share_.begin()));
    for (const auto& [slot, from] : came) {
        const std::size_t body = share_.body_of(slot);
        id[body] = static_cast<std::uint32_t>(*from);
        for (std::size_t k = 0; k < columns.size(); ++k)
            std::copy_n(from + 1 + line * k, line, columns[k]->data() + line * body);
    }
    id_ = std::move(id);
    if (!rolls_) return;
    std::vector<double> work(n_);
    std::ranges::copy(rolling_work_, work.begin() + static_cast<std::ptrdiff_t>(share_.begin()));
    rolling_work_ = std::move(work);
}

}  // namespace beadwave::packing
