#include "io/history/parallel_history_writer.hpp"

#include "ranks/collective.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace beadwave::io {
namespace {

/// Copies the numbers of the first rank to all ranks.
void broadcast(ranks::Communicator& ranks, std::vector<std::int64_t>& numbers) {
    std::uint64_t count = numbers.size();
    ranks.broadcast(count);
    numbers.resize(count);
    ranks.broadcast(std::as_writable_bytes(std::span(numbers)));
}

void broadcast(ranks::Communicator& ranks, std::vector<hdf5::RowPlaces>& places) {
    std::uint64_t count = places.size();
    ranks.broadcast(count);
    places.resize(count);
    for (hdf5::RowPlaces& each : places) {
        ranks.broadcast(each.items_per_chunk);
        ranks.broadcast(each.bytes_per_item);
        broadcast(ranks, each.chunks);
    }
}

/// Writes items [first, first + count) of a row in pieces. fill(item, out) writes the items from
/// `item` on, counted from `first`, to `out`.
template <class Fill>
void write_items(const ParallelFile& file, const hdf5::RowPlaces& places, std::size_t first,
                 std::size_t count, const Fill& fill) {
    const auto per_chunk = static_cast<std::size_t>(places.items_per_chunk),
               numbers = static_cast<std::size_t>(places.bytes_per_item) / sizeof(double);
    std::vector<double> piece;
    for (std::size_t item = first; item < first + count;) {
        const std::size_t chunk = item / per_chunk, within = item % per_chunk,
                          here = std::min(per_chunk - within, first + count - item);
        piece.resize(here * numbers);
        fill(item - first, std::span(piece));
        file.write<double>(
            places.chunks.at(chunk) + static_cast<std::int64_t>(within) * places.bytes_per_item,
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

ParallelHistoryWriter::ParallelHistoryWriter(const Output& output, const chain::Chain& chain,
                                             std::span<const std::int64_t> sensor_beads,
                                             bool snapshots, const RunDescription& run)
    : ranks_(*chain.ranks()), first_(chain.partition->begin) {
    ranks::collective(&ranks_, [&] {
        if (ranks_.first()) file_.emplace(output, chain, sensor_beads, snapshots, run);
    });
    begin(output, chain, snapshots, true);
}

ParallelHistoryWriter::ParallelHistoryWriter(const Output& output, const chain::Chain& chain,
                                             std::span<const std::int64_t> sensor_beads,
                                             bool snapshots, const ResumePoint& earlier)
    : ranks_(*chain.ranks()), first_(chain.partition->begin) {
    ranks::collective(&ranks_, [&] {
        if (ranks_.first()) file_.emplace(output, chain, sensor_beads, snapshots, earlier);
    });
    begin(output, chain, snapshots, false);
}

void ParallelHistoryWriter::begin(const Output& output, const chain::Chain& chain, bool snapshots,
                                  bool columns) {
    try {
        parallel_file_.emplace(ranks_, output.path.string(),
                               file_ ? file_->growing_path().string() : "");
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

void ParallelHistoryWriter::write_columns(const chain::Chain& chain) {
    std::vector<std::int64_t> places;
    ranks::collective(&ranks_, [&] {
        if (file_) places = file_->column_places();
    });
    broadcast(ranks_, places);
    ranks::collective(&ranks_, [&] {
        const std::size_t begin = chain.own_begin(), count = chain.own_end() - begin;
        const bool right_end = chain.partition->end == chain.partition->total;
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
        parallel_file_->write<std::int64_t>(at(0, sizeof(std::int64_t)), ids);
        parallel_file_->write<double>(at(1, sizeof(double)), own(chain.mass));
        parallel_file_->write<double>(at(2, sizeof(double)), own(chain.radius));
        parallel_file_->write<int>(at(3, sizeof(int)), species);
        parallel_file_->write<double>(at(4, sizeof(double)), own(chain.gap, right_end ? 1 : 0));
    });
}

void ParallelHistoryWriter::append_snapshot(std::int64_t step, double time,
                                            std::span<const double> displacement,
                                            std::span<const double> velocity,
                                            std::span<const double> contact_force) {
    std::vector<hdf5::RowPlaces> places;
    ranks::collective(&ranks_, [&] {
        if (file_) places = file_->reserve_snapshot();
    });
    try {
        broadcast(ranks_, places);
        ranks::collective(&ranks_, [&] {
            const std::size_t count = displacement.size();
            const std::span<const double> start = start_;
            write_items(*parallel_file_, places.at(0), first_, count,
                        along([=](std::size_t i) { return start[i] + displacement[i]; }));
            write_items(*parallel_file_, places.at(1), first_, count,
                        along([=](std::size_t i) { return velocity[i]; }));
            write_items(*parallel_file_, places.at(2), first_, count, copy_of(displacement));
            write_items(*parallel_file_, places.at(3), first_, contact_force.size(),
                        copy_of(contact_force));
        });
    } catch (...) {
        if (file_) file_->roll_back_snapshot();
        throw;
    }
    ranks::collective(&ranks_, [&] {
        if (file_) file_->commit_snapshot(step, time);
    });
}

void ParallelHistoryWriter::sync() {
    ranks::collective(&ranks_, [&] { parallel_file_->sync(); });
}

}  // namespace beadwave::io
