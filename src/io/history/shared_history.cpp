#include "io/history/shared_history.hpp"

#include "ranks/together.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace beadwave::io {
namespace {

/// The first rank's numbers, on all.
void broadcast(ranks::Ranks& ranks, std::vector<std::int64_t>& numbers) {
    std::uint64_t count = numbers.size();
    ranks.broadcast(count);
    numbers.resize(count);
    ranks.broadcast(std::as_writable_bytes(std::span(numbers)));
}

void broadcast(ranks::Ranks& ranks, std::vector<hdf5::RowPlaces>& places) {
    std::uint64_t count = places.size();
    ranks.broadcast(count);
    places.resize(count);
    for (hdf5::RowPlaces& each : places) {
        ranks.broadcast(each.items_a_chunk);
        ranks.broadcast(each.bytes_an_item);
        broadcast(ranks, each.chunks);
    }
}

/// Items [first, first + count) of a row, in pieces: fill(item, out) puts those from `item` on,
/// counted from `first`, into `out`.
template <class Fill>
void write_items(const Writing& file, const hdf5::RowPlaces& places, std::size_t first,
                 std::size_t count, const Fill& fill) {
    const auto a_chunk = static_cast<std::size_t>(places.items_a_chunk),
               numbers = static_cast<std::size_t>(places.bytes_an_item) / sizeof(double);
    std::vector<double> piece;
    for (std::size_t item = first; item < first + count;) {
        const std::size_t chunk = item / a_chunk, within = item % a_chunk,
                          here = std::min(a_chunk - within, first + count - item);
        piece.resize(here * numbers);
        fill(item - first, std::span(piece));
        file.write<double>(
            places.chunks.at(chunk) + static_cast<std::int64_t>(within) * places.bytes_an_item,
            piece);
        item += here;
    }
}

/// Vectors along the chain.
template <class X>
auto along(const X& x) {
    return [x](std::size_t first, std::span<double> out) {
        std::ranges::fill(out, 0.0);
        for (std::size_t i = 0; 3 * i < out.size(); ++i)
            out[3 * i] = x(first + i);
    };
}

auto copy_of(std::span<const double> numbers) {
    return [numbers](std::size_t first, std::span<double> out) {
        std::ranges::copy(numbers.subspan(first, out.size()), out.begin());
    };
}

}  // namespace

SharedHistory::SharedHistory(const Output& output, const chain::Chain& chain,
                             std::span<const std::int64_t> sensor_beads, bool snapshots,
                             const RunDescription& run)
    : ranks_(*chain.ranks()), first_(chain.share->begin) {
    ranks::together(&ranks_, [&] {
        if (ranks_.first()) file_.emplace(output, chain, sensor_beads, snapshots, run);
    });
    begin(output, chain, snapshots, true);
}

SharedHistory::SharedHistory(const Output& output, const chain::Chain& chain,
                             std::span<const std::int64_t> sensor_beads, bool snapshots,
                             const KeptHistory& earlier)
    : ranks_(*chain.ranks()), first_(chain.share->begin) {
    ranks::together(&ranks_, [&] {
        if (ranks_.first()) file_.emplace(output, chain, sensor_beads, snapshots, earlier);
    });
    begin(output, chain, snapshots, false);
}

void SharedHistory::begin(const Output& output, const chain::Chain& chain, bool snapshots,
                          bool columns) {
    try {
        writing_.emplace(ranks_, output.path.string(), file_ ? file_->growing_path().string() : "");
        if (columns) write_columns(chain);
    } catch (...) {
        if (file_) file_->discard();
        throw;
    }
    if (!snapshots) return;
    const std::vector<double> positions = chain.positions();
    const auto here =
        std::span(positions).subspan(chain.own_begin(), chain.own_end() - chain.own_begin());
    start_.assign(here.begin(), here.end());
}

void SharedHistory::write_columns(const chain::Chain& chain) {
    std::vector<std::int64_t> places;
    ranks::together(&ranks_, [&] {
        if (file_) places = file_->column_places();
    });
    broadcast(ranks_, places);
    ranks::together(&ranks_, [&] {
        const std::size_t begin = chain.own_begin(), count = chain.own_end() - begin;
        const bool right_end = chain.share->end == chain.share->total;
        std::vector<std::int64_t> ids(count);
        std::iota(ids.begin(), ids.end(), static_cast<std::int64_t>(first_));
        std::vector<int> species;
        for (std::size_t i = begin; i < begin + count; ++i)
            species.push_back(static_cast<int>(chain.species[i]));
        const auto at = [&](std::size_t column, std::size_t bytes) {
            return places.at(column) + static_cast<std::int64_t>(first_ * bytes);
        };
        const auto own = [&](const std::vector<double>& numbers, std::size_t more = 0) {
            return std::span(numbers).subspan(begin, count + more);
        };
        writing_->write<std::int64_t>(at(0, sizeof(std::int64_t)), ids);
        writing_->write<double>(at(1, sizeof(double)), own(chain.mass));
        writing_->write<double>(at(2, sizeof(double)), own(chain.radius));
        writing_->write<int>(at(3, sizeof(int)), species);
        writing_->write<double>(at(4, sizeof(double)), own(chain.gap, right_end ? 1 : 0));
    });
}

void SharedHistory::append_snapshot(std::int64_t step, double time,
                                    std::span<const double> displacement,
                                    std::span<const double> velocity,
                                    std::span<const double> contact_force) {
    std::vector<hdf5::RowPlaces> places;
    ranks::together(&ranks_, [&] {
        if (file_) places = file_->reserve_snapshot();
    });
    try {
        broadcast(ranks_, places);
        ranks::together(&ranks_, [&] {
            const std::size_t count = displacement.size();
            const std::span<const double> start = start_;
            write_items(*writing_, places.at(0), first_, count,
                        along([=](std::size_t i) { return start[i] + displacement[i]; }));
            write_items(*writing_, places.at(1), first_, count,
                        along([=](std::size_t i) { return velocity[i]; }));
            write_items(*writing_, places.at(2), first_, count, copy_of(displacement));
            write_items(*writing_, places.at(3), first_, contact_force.size(),
                        copy_of(contact_force));
        });
    } catch (...) {
        if (file_) file_->take_back_snapshot();
        throw;
    }
    ranks::together(&ranks_, [&] {
        if (file_) file_->commit_snapshot(step, time);
    });
}

void SharedHistory::sync() {
    ranks::together(&ranks_, [&] { writing_->sync(); });
}

}  // namespace beadwave::io
