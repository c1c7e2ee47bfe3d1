// The history of a run in memory: the contents of its file as arrays that can be read in place.
#pragma once

#include "io/files/output_path.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::jobs {

/// A view of recorded numbers, valid as long as the recording.
struct ArrayView {
    std::string name;  ///< as in the history: "sensor_force", "impacts/pin/start"
    std::string unit;  ///< H5MD's spelling: "m s-1"; empty: none
    const void* data;
    bool whole;                           ///< true: std::int64_t, false: double
    std::vector<std::size_t> shape;       ///< samples first
    std::vector<std::ptrdiff_t> strides;  ///< [bytes]
};

/// Steps and times of samples.
struct SampleTimes {
    std::vector<std::int64_t> step;
    std::vector<double> time;  ///< [s]

    void add(std::int64_t at, double when) {
        step.push_back(at);
        time.push_back(when);
    }
    void clear_for(double samples) {
        step.clear(), time.clear();
        step.reserve(static_cast<std::size_t>(samples));
        time.reserve(static_cast<std::size_t>(samples));
    }
    std::size_t count() const { return time.size(); }
};

/// Made by a job; it must not outlive the job.
class Recording {
  public:
    virtual ~Recording() = default;
    virtual std::vector<ArrayView> arrays() const = 0;
    /// Writes the history that the run would have written. Throws InputError if the path cannot be
    /// used, std::runtime_error if writing fails.
    virtual void save(const io::Output& output) const = 0;
};

/// Throws InputError if the memory of this machine is smaller than this [bytes].
void check_memory_for(double bytes);

/// A contiguous array of doubles; `shape` is that of one sample.
ArrayView rows_of(std::string name, std::string unit, const double* data, std::size_t samples,
                  const std::vector<std::size_t>& shape);
/// "PREFIX_step" and "PREFIX_time".
void add_times(std::vector<ArrayView>& arrays, const std::string& prefix, const SampleTimes& times);

/// One double per record; a record has `record_bytes` bytes. `shape`: samples, then records per
/// sample.
inline ArrayView column_of(std::string name, std::string unit, const double* first,
                           std::size_t record_bytes, std::vector<std::size_t> shape) {
    std::vector<std::ptrdiff_t> strides(shape.size());
    auto stride = static_cast<std::ptrdiff_t>(record_bytes);
    for (std::size_t d = shape.size(); d-- > 0;) {
        strides[d] = stride;
        stride *= static_cast<std::ptrdiff_t>(shape[d]);
    }
    return {.name = std::move(name),
            .unit = std::move(unit),
            .data = first,
            .whole = false,
            .shape = std::move(shape),
            .strides = std::move(strides)};
}

/// `numbers` adjacent doubles per record.
inline ArrayView columns_of(std::string name, std::string unit, const double* first,
                            std::size_t record_bytes, std::vector<std::size_t> shape,
                            std::size_t numbers) {
    ArrayView view =
        column_of(std::move(name), std::move(unit), first, record_bytes, std::move(shape));
    view.shape.push_back(numbers);
    view.strides.push_back(sizeof(double));
    return view;
}

}  // namespace beadwave::jobs
