#include "io/history/row_table.hpp"

#include "io/hdf5/hdf5_reading.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace beadwave::io {
namespace {

hdf5::Dataset column(hid_t group, const std::string& path, const std::string& name, hid_t type,
                     hsize_t width, const std::string& unit, hsize_t chunk_rows,
                     h5md::Element kind) {
    if (kind == h5md::Element::continued) {
        hdf5::Dataset earlier = hdf5::open_dataset(group, name);
        hdf5::check_shape(earlier, path + "/" + name,
                          {&width, width > 1 ? std::size_t{1} : std::size_t{0}});
        return earlier;
    }
    std::vector<hsize_t> chunk{chunk_rows}, shape{0};
    if (width > 1) {
        chunk.push_back(width);
        shape.push_back(width);
    }
    hdf5::Dataset made = hdf5::create_extensible(group, name, type, chunk, shape);
    if (!unit.empty()) h5md::set_unit(made, unit);
    return made;
}

void set_rows(const hdf5::Dataset& dataset, hsize_t rows, hsize_t width) {
    const hsize_t shape[] = {rows, width};
    hdf5::extend(dataset, shape);  // uses as many numbers as there are dimensions
}

/// Writes rows of `width` numbers after the first `before` rows.
template <typename Number>
void add(const hdf5::Dataset& dataset, hsize_t before, hsize_t width,
         const std::vector<Number>& numbers) {
    const hsize_t rows = numbers.size() / width;
    std::vector<hsize_t> first{before}, count{rows};
    if (width > 1) {
        first.push_back(0);
        count.push_back(width);
    }
    set_rows(dataset, before + rows, width);
    if (rows > 0) hdf5::write_block(dataset, hdf5::type_of<Number>(), first, count, numbers.data());
}

}  // namespace

RowTable::RowTable(hid_t file, const recording::Table& table, h5md::Element kind) : table_(table) {
    const hdf5::Group group = hdf5::open_group(file, table.path);
    const hid_t whole = hdf5::type_of<std::int64_t>(), real = hdf5::type_of<double>();
    const auto make = [&](const std::string& name, hid_t type, std::size_t width,
                          const std::string& unit) {
        return column(group.id(), table.path, name, type, width, unit, table.chunk, kind);
    };
    if (table.pace) {
        step_ = make("step", whole, 1, "");
        time_ = make("time", real, 1, "s");
        row_splits_ = make("row_splits", whole, 1, "");
        if (kind == h5md::Element::made) add<std::int64_t>(row_splits_, 0, 1, {0});
        samples_ = hdf5::rows_of(step_);
    }
    for (const recording::Column& each : table.columns)
        columns_.push_back(make(each.name, each.whole ? whole : real, each.width, each.unit));
    rows_ = hdf5::rows_of(columns_.front());
}

void RowTable::append() {
    flushed_ = false;
    const std::size_t rows = table_.rows();
    std::vector<double> numbers;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const recording::Column& each = table_.columns[c];
        for (std::size_t first = 0; first < rows; first += rows_at_once) {
            numbers.resize(std::min(rows_at_once, rows - first) * each.width);
            each.fill(first, numbers);
            if (each.whole) {
                add(columns_[c], rows_ + first, each.width,
                    std::vector<std::int64_t>(numbers.begin(), numbers.end()));
            } else {
                add(columns_[c], rows_ + first, each.width, numbers);
            }
        }
    }
    rows_ += rows;
}

void RowTable::append_sample(std::int64_t step, double time) {
    append();
    commit(step, time);
}

std::vector<hdf5::RowPlaces> RowTable::reserve(std::size_t rows) {
    flushed_ = false;
    reserved_ = rows;
    std::vector<hdf5::RowPlaces> places;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        set_rows(columns_[c], rows_ + rows, table_.columns[c].width);
        places.push_back(hdf5::places_of_rows(columns_[c], rows_, rows_ + rows));
    }
    return places;
}

void RowTable::commit(std::int64_t step, double time) {
    rows_ += std::exchange(reserved_, 0);
    add<std::int64_t>(row_splits_, samples_ + 1, 1, {static_cast<std::int64_t>(rows_)});
    add<std::int64_t>(step_, samples_, 1, {step});
    add<double>(time_, samples_, 1, {time});
    ++samples_;
}

void RowTable::flush() {
    if (flushed_) return;
    flushed_ = true;
    for (const hdf5::Dataset& each : columns_)
        hdf5::flush(each);
    if (!table_.pace) return;
    for (const hdf5::Dataset* each : {&row_splits_, &step_, &time_})
        hdf5::flush(*each);
}

}  // namespace beadwave::io
