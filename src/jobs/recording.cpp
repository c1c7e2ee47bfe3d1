#include "jobs/recording.hpp"

#include "beadwave/input_error.hpp"
#include "machine_memory.hpp"

#include <fmt/format.h>

namespace beadwave::jobs {

void check_memory_for(double bytes) {
    const double memory = machine_memory();
    if (bytes <= memory) return;
    throw InputError(fmt::format(
        "the history needs {:.3g} GB of memory; this machine has {:.3g} GB: write it to a file, or "
        "sample less often (sensors.interval, snapshots.interval, energy.interval)",
        bytes / 1e9, memory / 1e9));
}

ArrayView rows_of(std::string name, std::string unit, const double* data, std::size_t samples,
                  const std::vector<std::size_t>& shape) {
    std::vector<std::size_t> whole{samples};
    whole.insert(whole.end(), shape.begin(), shape.end());
    return column_of(std::move(name), std::move(unit), data, sizeof(double), std::move(whole));
}

void add_times(std::vector<ArrayView>& arrays, const std::string& prefix,
               const SampleTimes& times) {
    arrays.push_back({.name = prefix + "_step",
                      .unit = {},
                      .data = times.step.data(),
                      .whole = true,
                      .shape = {times.count()},
                      .strides = {sizeof(std::int64_t)}});
    arrays.push_back(rows_of(prefix + "_time", "s", times.time.data(), times.count(), {}));
}

}  // namespace beadwave::jobs
