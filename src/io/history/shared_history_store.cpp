#include "io/history/shared_history_store.hpp"

#include "io/history/h5md.hpp"
#include "io/history/row_table.hpp"
#include "ranks/collective.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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
        ranks.broadcast(each.before);
        broadcast(ranks, each.chunks);
    }
}

/// Writes the numbers of some items, from item `first` of these places on.
template <class Number>
void write(const ParallelFile& file, const hdf5::RowPlaces& place, std::size_t first,
           std::span<const Number> numbers) {
    const auto per_chunk = static_cast<std::size_t>(place.items_per_chunk),
               per_item = static_cast<std::size_t>(place.bytes_per_item) / sizeof(Number);
    for (std::size_t item = static_cast<std::size_t>(place.before) + first; !numbers.empty();) {
        const std::size_t within = item % per_chunk,
                          here = std::min(per_chunk - within, numbers.size() / per_item);
        file.write<Number>(place.chunks.at(item / per_chunk) +
                               static_cast<std::int64_t>(within) * place.bytes_per_item,
                           numbers.first(here * per_item));
        numbers = numbers.subspan(here * per_item);
        item += here;
    }
}

/// Writes this rank's items of a constant, from its `place` on.
struct ItemWriter {
    const ParallelFile& file;
    std::int64_t place;
    recording::OwnItems items;
    std::size_t before;  ///< own items of the constant before these

    template <class Number>
    void write(std::span<const Number> numbers) const {
        file.write<Number>(place + static_cast<std::int64_t>(items.first * sizeof(Number)),
                           numbers);
    }
    void operator()(std::span<const double> own) const { write(own.subspan(before, items.count)); }
    void operator()(const recording::Numbering&) const {
        std::vector<std::int64_t> numbers(items.count);
        for (std::size_t i = 0; i < items.count; ++i)
            numbers[i] = static_cast<std::int64_t>(items.first + i);
        write<std::int64_t>(numbers);
    }
    void operator()(const recording::Named& named) const {
        std::vector<int> numbers(items.count);
        for (std::size_t i = 0; i < items.count; ++i)
            numbers[i] = named.index(before + i);
        write<int>(numbers);
    }
    void operator()(const std::function<std::vector<double>()>& made) const {
        (*this)(std::span<const double>(made()));
    }
    template <class Whole>
    void operator()(const Whole&) const {}  // has no items
};

}  // namespace

SharedHistoryStore::SharedHistoryStore(const Output& output, recording::Description description,
                                       const RunDescription& run)
    : description_(std::move(description)), ranks_(*description_.ranks) {
    ranks::collective(&ranks_, [&] {
        if (ranks_.first()) file_.emplace(output, description_, run);
    });
    begin(output, true);
}

SharedHistoryStore::SharedHistoryStore(const Output& output, recording::Description description,
                                       const ResumePoint& earlier)
    : description_(std::move(description)), ranks_(*description_.ranks) {
    ranks::collective(&ranks_, [&] {
        if (ranks_.first()) file_.emplace(output, description_, earlier);
    });
    begin(output, false);
}

void SharedHistoryStore::begin(const Output& output, bool constants) {
    try {
        parallel_file_.emplace(ranks_, output.path.string(),
                               file_ ? file_->growing_path().string() : "");
        if (constants) write_constants();
    } catch (...) {
        if (file_) file_->discard();
        throw;
    }
}

void SharedHistoryStore::write_constants() {
    std::vector<std::int64_t> places;
    ranks::collective(&ranks_, [&] {
        if (file_) places = file_->constant_places();
    });
    broadcast(ranks_, places);
    ranks::collective(&ranks_, [&] {
        std::size_t number = 0;
        for (const recording::Constant& constant : description_.constants) {
            if (!constant.shared) continue;
            const std::int64_t place = places.at(number++);
            std::size_t before = 0;
            for (const recording::OwnItems& items :
                 description_.own_items(constant, constant.shape.at(0))) {
                std::visit(ItemWriter{*parallel_file_, place, items, before}, constant.value);
                before += items.count;
            }
        }
    });
}

void SharedHistoryStore::sample(recording::Pace pace, std::int64_t step, double time) {
    for (std::size_t s = 0; s < description_.streams.size(); ++s) {
        const recording::Stream& stream = description_.streams[s];
        if (stream.pace == pace && stream.shared) sample_stream(s, step, time);
    }
    for (std::size_t t = 0; t < description_.tables.size(); ++t) {
        if (is_shared(description_.tables[t], pace)) sample_table(t, step, time);
    }
    if (file_) file_->sample(pace, step, time);
}

bool SharedHistoryStore::samples(recording::Pace pace, std::span<const std::int64_t> steps,
                                 std::span<const double> times) {
    const auto is_shared_stream = [&](const recording::Stream& stream) {
        return stream.pace == pace && stream.shared;
    };
    if (std::ranges::any_of(description_.streams, is_shared_stream) ||
        std::ranges::any_of(description_.tables,
                            [&](const recording::Table& table) { return is_shared(table, pace); }))
        return false;
    return !file_ || file_->samples(pace, steps, times);
}

void SharedHistoryStore::write_items(const recording::Stream& stream,
                                     const recording::Channel& channel,
                                     const hdf5::RowPlaces& place,
                                     const recording::OwnItems& items) {
    const auto per_chunk = static_cast<std::size_t>(place.items_per_chunk);
    const std::size_t end = items.first + items.count;
    std::vector<double> piece;
    for (std::size_t item = items.first; item < end;) {
        const std::size_t here = std::min(per_chunk - item % per_chunk, end - item);
        piece.resize(here * static_cast<std::size_t>(place.bytes_per_item) / sizeof(double));
        h5md::fill_for_file(stream, channel, item, piece);
        write<double>(*parallel_file_, place, item, piece);
        item += here;
    }
}

void SharedHistoryStore::write_rows(const recording::Column& column, const hdf5::RowPlaces& place,
                                    std::size_t before, std::size_t rows) {
    std::vector<double> piece;
    for (std::size_t first = 0; first < rows; first += RowTable::rows_at_once) {
        piece.resize(std::min(RowTable::rows_at_once, rows - first) * column.width);
        column.fill(first, piece);
        if (column.whole) {
            const std::vector<std::int64_t> whole(piece.begin(), piece.end());
            write<std::int64_t>(*parallel_file_, place, before + first, whole);
        } else {
            write<double>(*parallel_file_, place, before + first, piece);
        }
    }
}

template <class Write>
void SharedHistoryStore::write_sample(const HistoryStore::Shared& of, std::int64_t step,
                                      double time, const Write& write) {
    std::vector<hdf5::RowPlaces> places;
    ranks::collective(&ranks_, [&] {
        if (file_) places = file_->reserve(of);
    });
    try {
        broadcast(ranks_, places);
        ranks::collective(&ranks_, [&] { write(places); });
    } catch (...) {
        if (file_) file_->roll_back(of);
        throw;
    }
    ranks::collective(&ranks_, [&] {
        if (file_) file_->commit(of, step, time);
    });
}

void SharedHistoryStore::sample_stream(std::size_t s, std::int64_t step, double time) {
    const recording::Stream& stream = description_.streams[s];
    write_sample({.number = s}, step, time, [&](const std::vector<hdf5::RowPlaces>& places) {
        for (std::size_t k = 0; k < stream.channels.size(); ++k) {
            for (const recording::OwnItems& items :
                 description_.own_items(stream, stream.channels[k].items()))
                write_items(stream, stream.channels[k], places.at(k), items);
        }
    });
}

void SharedHistoryStore::sample_table(std::size_t t, std::int64_t step, double time) {
    const recording::Table& table = description_.tables[t];
    const std::uint64_t own = table.rows();
    std::size_t before = 0, all = 0;
    int rank = 0;
    for (const auto& rows : ranks_.gather_numbers_to_all<std::uint64_t>({&own, 1})) {
        if (rank++ == ranks_.rank()) before = all;
        all += rows[0];
    }
    const auto write = [&](const std::vector<hdf5::RowPlaces>& places) {
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            write_rows(table.columns[c], places.at(c), before, own);
    };
    write_sample({.number = t, .table = true, .rows = all}, step, time, write);
}

void SharedHistoryStore::sync() {
    ranks::collective(&ranks_, [&] { parallel_file_->sync(); });
}

}  // namespace beadwave::io
