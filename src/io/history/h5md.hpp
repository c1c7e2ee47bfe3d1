// The parts of an H5MD 1.1 file that are not about beads: its metadata and its time-dependent
// elements. https://www.nongnu.org/h5md/h5md.html
#pragma once

#include "io/hdf5/hdf5.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io::h5md {

/// Group /h5md: versions of the layout and of the program, author, units module.
void write_metadata(const hdf5::File& file);

/// Makes an object of one group one of another too, under the same name.
void link(hid_t from, const char* name, hid_t to);

/// Attaches a unit in H5MD's spelling: "m s-1".
void set_unit(const hdf5::Dataset& dataset, const std::string& unit);

/// What one element of a Series records.
struct Quantity {
    std::string name;
    std::string unit;
    std::vector<hsize_t>
        shape;  ///< of one sample: {} a number, {S} sensors, {N, 3} vectors of beads
};

/// Whether an element is made, or was made by an earlier piece of the run and takes more.
enum class Element { made, continued };

/// The `value` of a time-dependent element, buffered up to one chunk of the file.
class Value {
  public:
    /// In the element's group, which is in `parent`.
    Value(hid_t parent, const Quantity& quantity, hsize_t rows_per_chunk, Element kind);

    /// Takes one sample. `fill(first, out)` puts items first, first + 1, ... (sensors or beads,
    /// with all their components) into `out`; it is called slab by slab, so that a sample of any
    /// size needs one chunk of memory. A sample that fills chunks of its own is written at once.
    template <typename Fill>
    void append(hsize_t row, const Fill& fill) {
        for (hsize_t first = 0; first < items_; first += items_per_chunk_) {
            const hsize_t count = std::min(items_per_chunk_, items_ - first);
            const std::size_t used = buffer_.size();
            buffer_.resize(used + count * components_);
            fill(static_cast<std::size_t>(first), std::span(buffer_).subspan(used));
            if (rows_per_chunk_ == 1) write(row, 1, first, count);
        }
    }

    /// Writes the buffered rows, which begin at `row`.
    void write(hsize_t row, hsize_t rows) {
        if (!buffer_.empty()) write(row, rows, 0, items_);
    }

    /// Makes a row that others write to the file itself, and says where.
    hdf5::RowPlaces reserve(hsize_t row);
    /// Takes away the rows from `row` on.
    void cut(hsize_t row);

    const hdf5::Dataset& dataset() const { return dataset_; }

    double bytes_per_sample() const {
        return static_cast<double>(items_) * static_cast<double>(components_) * sizeof(double);
    }

  private:
    void write(hsize_t row, hsize_t rows, hsize_t first, hsize_t count);

    std::vector<hsize_t> shape_;  ///< of the dataset, in rows, items and what an item consists of
    hsize_t items_, components_;  ///< a sample is items times components
    hsize_t rows_per_chunk_, items_per_chunk_;
    std::vector<double> buffer_;
    hdf5::Dataset dataset_;
};

/// Elements sampled together: one step and one time, hard-linked into each of them.
class Series {
  public:
    Series(hid_t parent, const std::vector<Quantity>& quantities, Element kind);

    /// Takes one sample of every quantity, in their order; see Value::append for `fill`.
    template <typename... Fill>
    void append(std::int64_t step, double time, const Fill&... fill) {
        const hsize_t row = written_ + steps_.size();
        std::size_t quantity = 0;
        (values_[quantity++].append(row, fill), ...);
        end_row(row, step, time);
    }

    /// The same where every quantity is one number; throws std::logic_error if there are not as
    /// many.
    void append_numbers(std::int64_t step, double time, std::span<const double> numbers);

    /// The same of a sample that others write to the file itself: where, a quantity. It is there
    /// once commit() follows.
    std::vector<hdf5::RowPlaces> reserve();
    void commit(std::int64_t step, double time);
    /// In place of commit(), where somebody could not write.
    void take_back();

    /// Hands the buffered samples to HDF5.
    void write();

    /// Hands what was written to readers: step and time last, so that a row which has them is
    /// whole.
    void flush() const;

    const Value& value(std::size_t quantity) const { return values_[quantity]; }

    /// What a sample takes in the file, step and time included.
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

    hsize_t rows_per_chunk_;
    hsize_t written_ = 0;
    std::vector<std::int64_t> steps_;
    std::vector<double> times_;
    hdf5::Dataset step_, time_;
    std::vector<Value> values_;
};

}  // namespace beadwave::io::h5md
