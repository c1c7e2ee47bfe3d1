// The general parts of an H5MD 1.1 file: its metadata and its time-dependent elements.
// https://www.nongnu.org/h5md/h5md.html
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "recording/stream.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io::h5md {

/// Writes the group /h5md: versions of the format and of the program, author, units module.
void write_metadata(const hdf5::File& file);

/// Makes a hard link in group `to` to an object of group `from`, with the same name.
void link(hid_t from, const char* name, hid_t to);

/// Sets the unit attribute, in the notation of H5MD: "m s-1".
void set_unit(const hdf5::Dataset& dataset, const std::string& unit);

/// A table of numbers; the first dimension may be 0. `unit`: empty, or as H5MD spells it. `as`: the
/// type in the file; 0: double. Throws std::logic_error if there are not as many numbers as the
/// shape has.
void write_table(hid_t group, const std::string& name, std::initializer_list<std::size_t> shape,
                 std::span<const double> numbers, const std::string& unit, hid_t as = 0);

/// The numbers of a channel in the form of the file, items first, first + 1, ... with all their
/// components, if it is a sum or has vectors of space.
void fill_in_space(const recording::Stream& stream, const recording::Channel& channel,
                   std::size_t first, std::span<double> out);
/// The numbers of any channel in the form of the file; see fill_in_space().
inline void fill_for_file(const recording::Stream& stream, const recording::Channel& channel,
                          std::size_t first, std::span<double> out) {
    if (channel.sum || channel.in_space)
        fill_in_space(stream, channel, first, out);
    else
        channel.fill(first, out);
}

/// Whether an element is created, or exists and is extended.
enum class Element { made, continued };

/// The `value` of a time-dependent element, buffered up to one chunk of the file.
class Value {
  public:
    /// `parent` contains the group of the element.
    Value(hid_t parent, const recording::Channel& channel, hsize_t rows_per_chunk, Element kind);

    /// Appends one sample. `fill(first, out)` writes items first, first + 1, ... (sensors or beads,
    /// with all their components) to `out`. It is called once per slab, so a sample of any size
    /// needs the memory of one chunk. A sample that fills whole chunks is written immediately.
    template <typename Fill>
    void append(hsize_t row, const Fill& fill) {
        for (hsize_t first = 0; first < items_; first += items_per_chunk_) {
            const hsize_t count = std::min(items_per_chunk_, items_ - first);
            const std::size_t numbers = count * components_;
            fill(static_cast<std::size_t>(first), std::span(buffer_.get() + used_, numbers));
            used_ += numbers;
            if (rows_per_chunk_ == 1) write(row, 1, first, count);
        }
    }

    /// Appends `rows` samples from `fill`, one after another, to a buffer that has room for them.
    template <typename Fill>
    void append_rows(hsize_t rows, const Fill& fill) {
        const std::size_t numbers = rows * items_ * components_;
        fill(std::span(buffer_.get() + used_, numbers));
        used_ += numbers;
    }

    /// Writes the buffered rows, which start at `row`.
    void write(hsize_t row, hsize_t rows) {
        if (used_ > 0) write(row, rows, 0, items_);
    }

    /// Adds a row whose content others write directly to the file. Returns its places.
    hdf5::RowPlaces reserve(hsize_t row);
    /// Removes the rows from `row` on.
    void truncate(hsize_t row);

    const hdf5::Dataset& dataset() const { return dataset_; }

    double bytes_per_sample() const {
        return static_cast<double>(items_) * static_cast<double>(components_) * sizeof(double);
    }

  private:
    void write(hsize_t row, hsize_t rows, hsize_t first, hsize_t count);

    std::vector<hsize_t> shape_;  ///< of the dataset: rows, items, components
    hsize_t items_, components_;  ///< a sample has items x components numbers
    hsize_t rows_per_chunk_, items_per_chunk_;
    std::unique_ptr<double[]> buffer_;
    std::size_t used_ = 0;  ///< numbers in the buffer
    hdf5::Dataset dataset_;
};

/// The elements of a stream. They share step and time by hard links.
class Series {
  public:
    /// `stream` must outlive this object. Its channels are in one group, which exists.
    /// `expected_rows`: of the whole run.
    Series(hid_t file, const recording::Stream& stream, double expected_rows, Element kind);

    /// Appends one sample of every channel, from their fills.
    void append(std::int64_t step, double time);
    /// Whether samples are small enough to be collected.
    bool collects() const;
    /// If they are: appends several at once. The fills write one sample after another.
    void append(std::span<const std::int64_t> steps, std::span<const double> times);

    /// Reserves space for a sample that others write directly to the file. Returns the places of
    /// each channel. The sample is valid after commit().
    std::vector<hdf5::RowPlaces> reserve();
    void commit(std::int64_t step, double time);
    /// Called instead of commit() if a rank could not write.
    void roll_back();

    /// Passes the buffered samples to HDF5.
    void write();

    /// Makes the written samples visible to readers. Step and time are last: a row that has them is
    /// complete.
    void flush() const;

    const Value& value(std::size_t channel) const { return values_[channel]; }

    /// Size of a sample in the file, including step and time.
    double bytes_per_sample() const {
        double bytes = sizeof(std::int64_t) + sizeof(double);
        for (const Value& value : values_)
            bytes += value.bytes_per_sample();
        return bytes;
    }

  private:
    void end_row(hsize_t row, std::int64_t step, double time) {
        steps_.push_back(step);
        times_.push_back(time);
        if ((row + 1) % rows_per_chunk_ == 0) write();
    }
    /// Rows that complete the present chunk.
    hsize_t rows_left() const {
        return rows_per_chunk_ - (written_ + steps_.size()) % rows_per_chunk_;
    }

    const recording::Stream& stream_;
    hsize_t rows_per_chunk_;
    hsize_t written_ = 0;
    std::vector<std::int64_t> steps_;
    std::vector<double> times_;
    hdf5::Dataset step_, time_;
    std::vector<Value> values_;
};

}  // namespace beadwave::io::h5md
