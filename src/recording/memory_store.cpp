#include "recording/memory_store.hpp"

#include "base/machine_memory.hpp"
#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::recording {
namespace {

double bytes_of(const Description& description) {
    double bytes = 0.0;
    for (const Stream& stream : description.streams) {
        const double samples = description.counts.of(stream.pace);
        if (!stream.times.empty()) bytes += 16.0 * samples;
        for (const Channel& channel : stream.channels)
            bytes += channel.sum ? 0.0
                                 : 8.0 * samples * static_cast<double>(channel.items()) *
                                       static_cast<double>(channel.components());
    }
    for (const Table& table : description.tables) {
        if (!table.pace) continue;
        for (const Column& column : table.columns)
            bytes += 8.0 * description.counts.of(*table.pace) *
                     static_cast<double>(table.expected_rows * column.width);
    }
    return bytes;
}

void check_memory_for(double bytes) {
    const double memory = machine_memory();
    if (bytes <= memory) return;
    throw InputError(fmt::format(
        "the history needs {:.3g} GB of memory; this machine has {:.3g} GB: write it to a file, or "
        "sample less often (sensors.interval, snapshots.interval, energy.interval)",
        bytes / 1e9, memory / 1e9));
}

ArrayView view_of(std::string name, std::string unit, const std::vector<std::int64_t>& numbers,
                  std::vector<std::size_t> shape) {
    return {std::move(name), std::move(unit), numbers.data(), true, std::move(shape)};
}

ArrayView view_of(std::string name, std::string unit, std::span<const double> numbers,
                  std::vector<std::size_t> shape) {
    return {std::move(name), std::move(unit), numbers.data(), false, std::move(shape)};
}

/// Fills from rows of `width` numbers; `row` is the first one.
Fill rows_from(const std::vector<double>& all, const std::size_t& row, std::size_t row_size,
               std::size_t components) {
    return [&all, &row, row_size, components](std::size_t first, std::span<double> out) {
        const auto from = static_cast<std::ptrdiff_t>(row * row_size + first * components);
        std::copy_n(all.begin() + from, out.size(), out.begin());
    };
}

}  // namespace

MemoryStore::MemoryStore(Description description, Expected expected)
    : description_(std::move(description)) {
    const bool all = expected == Expected::all;
    if (all) check_memory_for(bytes_of(description_));
    for (Constant& constant : description_.constants) {
        if (const auto* made = std::get_if<std::function<std::vector<double>()>>(&constant.value))
            constant.value = description_.keep((*made)());
    }
    for (const Stream& stream : description_.streams) {
        const auto samples =
            all ? static_cast<std::size_t>(description_.counts.of(stream.pace)) : std::size_t{0};
        Samples& times = samples_[stream.pace];
        times.step.reserve(samples);
        times.time.reserve(samples);
        auto& values = values_.emplace_back(stream.channels.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            const Channel& channel = stream.channels[k];
            if (!channel.sum) values[k].reserve(samples * channel.items() * channel.components());
        }
    }
    for (const Table& table : description_.tables) {
        if (table.pace) samples_[*table.pace];
        Rows& rows = rows_.emplace_back();
        rows.numbers.resize(table.columns.size());
        rows.wholes.resize(table.columns.size());
    }
}

void MemoryStore::sample(Pace pace, std::int64_t step, double time) {
    append(pace, {&step, 1}, {&time, 1});
    for (std::size_t t = 0; t < rows_.size(); ++t) {
        if (description_.tables[t].pace == pace) append_columns(t);
    }
}

bool MemoryStore::samples(Pace pace, std::span<const std::int64_t> steps,
                          std::span<const double> times) {
    const auto is_sampled = [&](const Table& table) { return table.pace == pace; };
    if (std::ranges::any_of(description_.tables, is_sampled)) return false;
    append(pace, steps, times);
    return true;
}

void MemoryStore::append(Pace pace, std::span<const std::int64_t> steps,
                         std::span<const double> times) {
    const auto found = samples_.find(pace);
    if (found == samples_.end()) return;
    Samples& before = found->second;
    for (std::size_t s = 0; s < description_.streams.size(); ++s) {
        const Stream& stream = description_.streams[s];
        if (stream.pace != pace) continue;
        for (std::size_t k = 0; k < stream.channels.size(); ++k) {
            const Channel& channel = stream.channels[k];
            if (channel.sum) continue;
            std::vector<double>& values = values_[s][k];
            const std::size_t from = values.size();
            values.resize(from + steps.size() * channel.items() * channel.components());
            channel.fill(0, std::span(values).subspan(from));
        }
    }
    // Last: a fill that throws leaves the number of samples as it was.
    before.step.insert(before.step.end(), steps.begin(), steps.end());
    before.time.insert(before.time.end(), times.begin(), times.end());
}

void MemoryStore::append_rows(std::size_t table) {
    append_columns(table);
}

void MemoryStore::append_columns(std::size_t table) {
    const Table& description = description_.tables[table];
    Rows& rows = rows_[table];
    const std::size_t count = description.rows();
    for (std::size_t c = 0; c < description.columns.size(); ++c) {
        const Column& column = description.columns[c];
        std::vector<double>& to = column.whole ? scratch_ : rows.numbers[c];
        if (column.whole) scratch_.clear();
        const std::size_t before = to.size();
        to.resize(before + count * column.width);
        column.fill(0, std::span(to).subspan(before));
        if (column.whole) rows.wholes[c].insert(rows.wholes[c].end(), to.begin(), to.end());
    }
    rows.splits.push_back(rows.splits.back() + static_cast<std::int64_t>(count));
}

std::vector<ArrayView> MemoryStore::arrays() const {
    std::vector<ArrayView> all;
    for (const Constant& constant : description_.constants) {
        const auto* numbers = std::get_if<std::span<const double>>(&constant.value);
        if (!constant.name.empty() && numbers != nullptr)
            all.push_back(view_of(constant.name, constant.unit, *numbers, constant.shape));
    }
    if (!description_.sensors.empty())
        all.push_back(view_of("sensors", "", description_.sensors, {description_.sensors.size()}));
    for (std::size_t s = 0; s < description_.streams.size(); ++s) {
        const Stream& stream = description_.streams[s];
        const Samples& times = samples_.at(stream.pace);
        const std::size_t samples = times.time.size();
        if (!stream.times.empty()) {
            all.push_back(view_of(stream.times + "_step", "", times.step, {samples}));
            all.push_back(view_of(stream.times + "_time", "s", times.time, {samples}));
        }
        for (std::size_t k = 0; k < stream.channels.size(); ++k) {
            const Channel& channel = stream.channels[k];
            if (channel.sum) continue;
            std::vector<std::size_t> shape{samples};
            shape.insert(shape.end(), channel.shape.begin(), channel.shape.end());
            all.push_back(view_of(channel.name(), channel.unit, values_[s][k], std::move(shape)));
        }
    }
    for (std::size_t t = 0; t < rows_.size(); ++t) {
        const Table& table = description_.tables[t];
        const Rows& rows = rows_[t];
        if (table.pace) {
            all.push_back(
                view_of(table.name + "/row_splits", "", rows.splits, {rows.splits.size()}));
        }
        const auto count = static_cast<std::size_t>(rows.splits.back());
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const Column& column = table.columns[c];
            std::vector<std::size_t> shape{count};
            if (column.width > 1) shape.push_back(column.width);
            const std::string name = table.name + "/" + column.name;
            all.push_back(column.whole ? view_of(name, column.unit, rows.wholes[c], shape)
                                       : view_of(name, column.unit, rows.numbers[c], shape));
        }
    }
    return all;
}

Description MemoryStore::replayed() const {
    Description copy = description_;
    for (std::size_t s = 0; s < copy.streams.size(); ++s) {
        for (std::size_t k = 0; k < copy.streams[s].channels.size(); ++k) {
            Channel& channel = copy.streams[s].channels[k];
            const std::size_t components = channel.components();
            channel.fill = rows_from(values_[s][k], row_, channel.items() * components, components);
        }
    }
    for (std::size_t t = 0; t < copy.tables.size(); ++t) {
        Table& table = copy.tables[t];
        const Rows& rows = rows_[t];
        const auto first = [&splits = rows.splits, this] {
            return static_cast<std::size_t>(splits[row_]);
        };
        table.rows = [&splits = rows.splits, this] {
            return static_cast<std::size_t>(splits[row_ + 1] - splits[row_]);
        };
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            Column& column = table.columns[c];
            const auto copied = [first, width = column.width](const auto& from) -> Fill {
                return [first, width, &from](std::size_t row, std::span<double> out) {
                    const auto at = static_cast<std::ptrdiff_t>((first() + row) * width);
                    std::transform(from.begin() + at,
                                   from.begin() + at + static_cast<std::ptrdiff_t>(out.size()),
                                   out.begin(), [](auto n) { return static_cast<double>(n); });
                };
            };
            column.fill = column.whole ? copied(rows.wholes[c]) : copied(rows.numbers[c]);
        }
    }
    return copy;
}

void MemoryStore::replay(Store& store) const {
    for (const auto& [pace, times] : samples_) {
        for (row_ = 0; row_ < times.step.size(); ++row_)
            store.sample(pace, times.step[row_], times.time[row_]);
    }
    for (std::size_t t = 0; t < rows_.size(); ++t) {
        if (description_.tables[t].pace) continue;
        for (row_ = 0; row_ + 1 < rows_[t].splits.size(); ++row_)
            store.append_rows(t);
    }
    row_ = 0;
}

}  // namespace beadwave::recording
