#include "io/history/h5md.hpp"

#include "beadwave/input_error.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace beadwave::io::h5md {
namespace {

/// Small samples are collected in chunks of about 64 KiB, small enough that a short run gives a
/// short file. A chunk costs some ten microseconds: if many rows are expected, it has up to an
/// eighth of them and 256 KiB.
constexpr hsize_t collected_numbers = 64 * 1024 / sizeof(double);
constexpr hsize_t most_rows_per_short_chunk = 1024;
constexpr hsize_t most_collected_numbers = 256 * 1024 / sizeof(double);
constexpr double fewest_long_chunks = 8.0;
/// Large samples are split into chunks of at most 1 MiB.
constexpr hsize_t slab_numbers = 1024 * 1024 / sizeof(double);

hsize_t numbers_in(std::span<const hsize_t> shape) {
    return std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
}

/// The shape of one sample in the file.
std::vector<hsize_t> shape_of(const recording::Channel& channel) {
    std::vector<hsize_t> shape(channel.shape.begin(), channel.shape.end());
    if (channel.in_space) shape = {shape.at(0), 3};
    return shape;
}

/// Powers of two: then no chunk of the samples crosses a boundary of the chunks of step and time.
struct RowsPerChunk {
    hsize_t of_samples, of_times;
};

RowsPerChunk rows_per_chunk_of(const recording::Stream& stream, double expected_rows) {
    hsize_t largest = 1;
    for (const recording::Channel& channel : stream.channels)
        largest = std::max(largest, numbers_in(shape_of(channel)));
    const hsize_t short_chunk =
        std::clamp<hsize_t>(collected_numbers / largest, 1, most_rows_per_short_chunk);
    const auto long_chunk = static_cast<hsize_t>(std::min(
        expected_rows / fewest_long_chunks, static_cast<double>(most_collected_numbers / largest)));
    const hsize_t rows = std::bit_floor(std::max(short_chunk, long_chunk));
    return {rows, std::max(rows, most_rows_per_short_chunk)};
}

void set_version(const hdf5::Group& group, std::array<int, 2> version) {
    hdf5::set_attribute(group.id(), "version", std::span<const int>(version));
}

std::string author_name() {
    // Not the login name: a published file would contain it unasked. H5MD demands a name.
    const char* name = std::getenv("BEADWAVE_AUTHOR");
    return name != nullptr && *name != '\0' ? shortened(name, 1000) : "unknown";
}

}  // namespace

void link(hid_t from, const char* name, hid_t to) {
    hdf5::checked("link", name,
                  [&] { return H5Lcreate_hard(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT); });
}

void write_metadata(const hdf5::File& file) {
    const hdf5::Group h5md = hdf5::create_group(file.id(), "h5md");
    set_version(h5md, {1, 1});

    const hdf5::Group author = hdf5::create_group(h5md.id(), "author");
    hdf5::set_attribute(author.id(), "name", author_name());

    const hdf5::Group creator = hdf5::create_group(h5md.id(), "creator");
    hdf5::set_attribute(creator.id(), "name", std::string("beadwave"));
    hdf5::set_attribute(creator.id(), "version", std::string(BEADWAVE_VERSION));

    const hdf5::Group modules = hdf5::create_group(h5md.id(), "modules");
    const hdf5::Group units = hdf5::create_group(modules.id(), "units");
    set_version(units, {1, 0});
    hdf5::set_attribute(units.id(), "system", std::string("SI"));
}

void set_unit(const hdf5::Dataset& dataset, const std::string& unit) {
    // As MDAnalysis and pyh5md expect. They read a fixed-length string as bytes and do not
    // recognise the unit.
    hdf5::set_free_text(dataset.id(), "unit", unit);
}

void write_table(hid_t group, const std::string& name, std::initializer_list<std::size_t> shape,
                 std::span<const double> numbers, const std::string& unit, hid_t as) {
    const std::vector<hsize_t> sizes(shape.begin(), shape.end());
    const std::size_t count =
        std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    if (count != numbers.size()) throw std::logic_error("a table has another size than its shape");
    const hdf5::Dataset data =
        hdf5::create_dataset(group, name, as > 0 ? as : hdf5::type_of<double>(), sizes);
    hdf5::write_all(data, hdf5::type_of<double>(), numbers.data());
    if (!unit.empty()) set_unit(data, unit);
}

void fill_in_space(const recording::Stream& stream, const recording::Channel& c, std::size_t first,
                   std::span<double> out) {
    const std::size_t given = c.components(), stored = c.in_space ? 3 : given;
    const std::size_t items = out.size() / stored;
    const std::span<double> numbers = out.first(items * given);
    if (c.sum) {
        stream.channels[c.sum->channel].fill(first, numbers);
        c.sum->add(first, numbers);
    } else {
        c.fill(first, numbers);
    }
    if (stored == given) return;
    if (given == 1) {  // along a chain
        for (std::size_t i = items; i-- > 0;) {
            out[3 * i] = out[i];
            out[3 * i + 1] = out[3 * i + 2] = 0.0;
        }
        return;
    }
    for (std::size_t i = items; i-- > 0;) {
        for (std::size_t d = stored; d-- > 0;)
            out[stored * i + d] = d < given ? out[given * i + d] : 0.0;
    }
}

Value::Value(hid_t parent, const recording::Channel& channel, hsize_t rows_per_chunk, Element kind)
    : shape_(shape_of(channel)), rows_per_chunk_(rows_per_chunk) {
    items_ = shape_.empty() ? 1 : shape_.front();
    components_ = shape_.empty() ? 1 : numbers_in(std::span(shape_).subspan(1));
    items_per_chunk_ = std::min(items_, std::max<hsize_t>(slab_numbers / components_, 1));
    buffer_ =
        std::make_unique_for_overwrite<double[]>(rows_per_chunk * items_per_chunk_ * components_);

    shape_.insert(shape_.begin(), 0);
    const std::string name = channel.name() + "/value";
    if (kind == Element::continued) {
        dataset_ = hdf5::open_dataset(parent, name);
        hdf5::check_shape(dataset_, name, std::span<const hsize_t>(shape_).subspan(1));
        shape_.front() = hdf5::rows_of(dataset_);
        return;
    }
    std::vector<hsize_t> chunk = shape_;
    chunk[0] = rows_per_chunk;
    if (chunk.size() > 1) chunk[1] = items_per_chunk_;
    dataset_ = hdf5::create_extensible(parent, name, hdf5::type_of<double>(), chunk, shape_);
    set_unit(dataset_, channel.unit);
    if (!channel.meaning.empty())
        hdf5::set_free_text(dataset_.id(), "description", channel.meaning);
}

void Value::write(hsize_t row, hsize_t rows, hsize_t first, hsize_t count) {
    if (shape_[0] < row + rows) {
        shape_[0] = row + rows;
        hdf5::extend(dataset_, shape_);
    }
    std::vector<hsize_t> corner(shape_.size(), 0), block = shape_;
    corner[0] = row;
    block[0] = rows;
    if (shape_.size() > 1) {
        corner[1] = first;
        block[1] = count;
    }
    hdf5::write_block(dataset_, hdf5::type_of<double>(), corner, block, buffer_.get());
    used_ = 0;
}

hdf5::RowPlaces Value::reserve(hsize_t row) {
    if (shape_[0] < row + 1) {
        shape_[0] = row + 1;
        hdf5::extend(dataset_, shape_);
    }
    return hdf5::places_of_row(dataset_, row);
}

void Value::truncate(hsize_t row) {
    shape_[0] = row;
    hdf5::extend(dataset_, shape_);
}

Series::Series(hid_t file, const recording::Stream& stream, double expected_rows, Element kind)
    : stream_(stream) {
    const std::string& path = stream.channels.front().path;
    const hdf5::Group parent = hdf5::open_group(file, path.substr(0, path.rfind('/')));
    const std::string first = stream.channels.front().name();
    if (kind == Element::continued) {
        // As in the file: an earlier build may have chosen another.
        rows_per_chunk_ = hdf5::chunk_of(hdf5::open_dataset(parent.id(), first + "/value")).front();
        for (const recording::Channel& channel : stream.channels)
            values_.emplace_back(parent.id(), channel, rows_per_chunk_, kind);
        step_ = hdf5::open_dataset(parent.id(), first + "/step");
        time_ = hdf5::open_dataset(parent.id(), first + "/time");
        for (const hdf5::Dataset* column : {&step_, &time_})
            hdf5::check_shape(*column, first + "/step or /time", {});
        written_ = hdf5::rows_of(step_);
        return;
    }
    const RowsPerChunk chunks = rows_per_chunk_of(stream, expected_rows);
    rows_per_chunk_ = chunks.of_samples;
    const hsize_t chunk = chunks.of_times, rows = 0;
    hdf5::Group owner;  // the first element, which owns step and time
    for (const recording::Channel& channel : stream.channels) {
        hdf5::Group element = hdf5::create_group(parent.id(), channel.name());
        values_.emplace_back(parent.id(), channel, rows_per_chunk_, kind);
        if (owner.id() >= 0) {
            link(owner.id(), "step", element.id());
            link(owner.id(), "time", element.id());
            continue;
        }
        step_ = hdf5::create_extensible(element.id(), "step", hdf5::type_of<std::int64_t>(),
                                        {&chunk, 1}, {&rows, 1});
        time_ = hdf5::create_extensible(element.id(), "time", hdf5::type_of<double>(), {&chunk, 1},
                                        {&rows, 1});
        set_unit(time_, "s");
        owner = std::move(element);
    }
}

void Series::append(std::int64_t step, double time) {
    const hsize_t row = written_ + steps_.size();
    for (std::size_t k = 0; k < values_.size(); ++k) {
        values_[k].append(row, [&](std::size_t first, std::span<double> out) {
            fill_for_file(stream_, stream_.channels[k], first, out);
        });
    }
    end_row(row, step, time);
}

bool Series::collects() const {
    const auto is_sum = [](const recording::Channel& channel) { return channel.sum.has_value(); };
    return rows_per_chunk_ > 1 && std::ranges::none_of(stream_.channels, is_sum);
}

void Series::append(std::span<const std::int64_t> steps, std::span<const double> times) {
    for (std::size_t done = 0; done < steps.size();) {
        const hsize_t rows = std::min<hsize_t>(rows_left(), steps.size() - done);
        for (std::size_t k = 0; k < values_.size(); ++k) {
            const recording::Channel& channel = stream_.channels[k];
            values_[k].append_rows(rows, [&](std::span<double> out) {
                fill_for_file(stream_, channel, done * channel.items(), out);
            });
        }
        const auto add = [&](auto& to, const auto& from) {
            const auto added = from.subspan(done, rows);
            to.insert(to.end(), added.begin(), added.end());
        };
        add(steps_, steps), add(times_, times);
        done += rows;
        if (rows_left() == rows_per_chunk_) write();
    }
}

std::vector<hdf5::RowPlaces> Series::reserve() {
    write();
    std::vector<hdf5::RowPlaces> places;
    for (Value& value : values_)
        places.push_back(value.reserve(written_));
    return places;
}

void Series::commit(std::int64_t step, double time) {
    end_row(written_, step, time);
    write();
}

void Series::roll_back() {
    for (Value& value : values_)
        value.truncate(written_);
}

void Series::write() {
    if (steps_.empty()) return;
    const hdf5::Silence silence;
    const hsize_t rows = steps_.size(), end = written_ + rows;
    for (Value& value : values_)
        value.write(written_, rows);
    hdf5::extend(step_, {&end, 1});
    hdf5::extend(time_, {&end, 1});
    hdf5::write_block(step_, hdf5::type_of<std::int64_t>(), {&written_, 1}, {&rows, 1},
                      steps_.data());
    hdf5::write_block(time_, hdf5::type_of<double>(), {&written_, 1}, {&rows, 1}, times_.data());
    written_ = end;
    steps_.clear();
    times_.clear();
}

void Series::flush() const {
    for (const Value& value : values_)
        hdf5::flush(value.dataset());
    hdf5::flush(step_);
    hdf5::flush(time_);
}

}  // namespace beadwave::io::h5md
