// How bodies travel between ranks: block_share.hpp says who has what. With a new order, particles
// move to the ranks that have them from then on; with a new list, those of other ranks come that
// may be neighbours of a rank's own.

#include "bodies.hpp"
#include "ranks/exchange_lists.hpp"
#include "ranks/from_owners.hpp"

#include <algorithm>
#include <cstddef>
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

std::vector<HaloPart> halo_of(const Lines& lines) {
    std::vector<HaloPart> parts{three(lines.place, 0)};
    for (double* const all : {lines.half, lines.predicted}) {
        if (all == nullptr) continue;
        parts.push_back(three(all, 0));
        parts.push_back(three(all, 4));
    }
    return parts;
}

void Bodies::exchange_lines(Column& half) const {
    if (!share_.shared()) return;
    const std::vector<HaloPart> parts =
        halo_of({.place = place_[now_].data(), .half = half.data()});
    share_.send(parts, {});
    share_.receive(parts, {});
}

std::vector<Column*> Bodies::present_columns() {
    std::vector<Column*> all{&place_[now_], &half_[now_]};
    if (needs_.predicted) all.push_back(&predicted_[now_]);
    return all;
}

void Bodies::move(std::size_t begin, std::size_t end) {
    std::vector<Column*> columns = present_columns();
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
        if (needs_.rolling) message.push_back(rolling_work_[i]);
    }
    if (share_.shared()) in = ranks::exchange_lists(share_.ranks(), out);
    out.clear();
    const std::size_t width = 1 + line * columns.size() + (needs_.rolling ? 1 : 0);
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
    if (needs_.rolling) {
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
}

void Bodies::hold(const std::vector<std::vector<std::uint32_t>>& wanted) {
    const std::vector<Column*> columns = present_columns();
    ranks::NumberLists out;
    for (const std::vector<std::uint32_t>& bodies : wanted) {
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
            std::copy_n(from + 1 + line * k, line, columns[k]->data() + line * body);
    }
    id_ = std::move(id);
    if (!needs_.rolling) return;
    std::vector<double> work(count);
    std::ranges::copy(rolling_work_, work.begin() + static_cast<std::ptrdiff_t>(share_.begin()));
    rolling_work_ = std::move(work);
}

std::vector<Vec3> Bodies::of_all(const std::function<Vec3(std::size_t)>& value) const {
    const bool gathers = !share_.shared() || share_.ranks().first();
    std::vector<Vec3> all(gathers ? slot_.size() : 0);
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
    for (std::size_t end = piece; end < slot_.size() + piece; end += piece) {
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
