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
        broadcast(ranks, each.chunks);
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
        if (ranks_.first()) file_.emplace(output, with_rows_of_all(), run);
    });
    begin(output, true);
}

SharedHistoryStore::SharedHistoryStore(const Output& output, recording::Description description,
                                       const ResumePoint& earlier)
    : description_(std::move(description)), ranks_(*description_.ranks) {
    ranks::collective(&ranks_, [&] {
        if (ranks_.first()) file_.emplace(output, with_rows_of_all(), earlier);
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
        if (stream.pace == pace && stream.shared) write_sample(s, step, time);
    }
    for (std::size_t t = 0; t < description_.tables.size(); ++t) {
        const recording::Table& table = description_.tables[t];
        if (!is_shared(table, pace)) continue;
        const std::uint64_t own = table.rows();
        row_begin_[t] = {0};
        for (const auto& rows : ranks_.gather_numbers_to_all<std::uint64_t>({&own, 1}))
            row_begin_[t].push_back(row_begin_[t].back() + rows[0]);
    }
    if (file_) {
        file_->sample(pace, step, time);
    } else {
        serve_rows(pace);
    }
}

recording::Description SharedHistoryStore::with_rows_of_all() {
    recording::Description all = description_;
    for (std::size_t t = 0; t < all.tables.size(); ++t) {
        recording::Table& table = all.tables[t];
        if (!table.shared) continue;
        table.rows = [this, t] { return row_begin_[t].back(); };
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            table.columns[c].fill = [this, t, c, width = table.columns[c].width](
                                        std::size_t first, std::span<double> out) {
                collect_rows(t, c, first, out.size() / width, out);
            };
        }
    }
    return all;
}

void SharedHistoryStore::collect_rows(std::size_t table, std::size_t column, std::size_t first,
                                      std::size_t count, std::span<double> out) const {
    const recording::Column& of = description_.tables[table].columns[column];
    const auto rank = static_cast<std::size_t>(ranks_.rank());
    const auto within = [&](std::size_t row) { return std::clamp(row, first, first + count); };
    const std::size_t own_begin = row_begin_[table][rank], begin = within(own_begin),
                      end = within(row_begin_[table][rank + 1]);
    std::vector<double> own((end - begin) * of.width);
    if (!own.empty()) of.fill(begin - own_begin, own);
    auto to = out.begin();
    for (const std::vector<double>& rows : ranks_.gather_numbers<double>(own))
        to = std::ranges::copy(rows, to).out;
}

void SharedHistoryStore::serve_rows(recording::Pace pace) const {
    for (std::size_t t = 0; t < description_.tables.size(); ++t) {
        const recording::Table& table = description_.tables[t];
        if (!is_shared(table, pace)) continue;
        const std::size_t rows = row_begin_[t].back();
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            for (std::size_t first = 0; first < rows; first += RowTable::rows_at_once)
                collect_rows(t, c, first, std::min(RowTable::rows_at_once, rows - first), {});
        }
    }
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
        const std::size_t within = item % per_chunk,
                          here = std::min(per_chunk - within, end - item);
        piece.resize(here * static_cast<std::size_t>(place.bytes_per_item) / sizeof(double));
        h5md::fill_for_file(stream, channel, item, piece);
        parallel_file_->write<double>(place.chunks.at(item / per_chunk) +
                                          static_cast<std::int64_t>(within) * place.bytes_per_item,
                                      piece);
        item += here;
    }
}

void SharedHistoryStore::write_sample(std::size_t s, std::int64_t step, double time) {
    const recording::Stream& stream = description_.streams[s];
    std::vector<hdf5::RowPlaces> places;
    ranks::collective(&ranks_, [&] {
        if (file_) places = file_->reserve(s);
    });
    try {
        broadcast(ranks_, places);
        ranks::collective(&ranks_, [&] {
            for (std::size_t k = 0; k < stream.channels.size(); ++k) {
                for (const recording::OwnItems& items :
                     description_.own_items(stream, stream.channels[k].items()))
                    write_items(stream, stream.channels[k], places.at(k), items);
            }
        });
    } catch (...) {
        if (file_) file_->roll_back(s);
        throw;
    }
    ranks::collective(&ranks_, [&] {
        if (file_) file_->commit(s, step, time);
    });
}

void SharedHistoryStore::sync() {
    ranks::collective(&ranks_, [&] { parallel_file_->sync(); });
}

}  // namespace beadwave::io
