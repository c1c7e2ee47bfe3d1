// --over-time: which recorded numbers of each run of a sweep its table keeps, at which times.
#pragma once

#include "io/tables/columns.hpp"
#include "recording/array_view.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace beadwave::tasks {

class OverTime {
  public:
    OverTime() = default;
    /// Names as in the history, with items counted from 0: "kinetic_energy", "angle.1",
    /// "position.1.0", or "position" for all its items. The times are those of these arrays, of one
    /// run. Throws InputError.
    OverTime(std::span<const std::string> names, const std::vector<recording::ArrayView>& arrays);

    const std::vector<io::Quantity>& quantities() const { return quantities_; }
    const std::vector<double>& times() const { return times_; }

    /// Appends the numbers of a run, each quantity at all times; linear between samples where the
    /// run was sampled at other times, and NaN more than an interval before its first sample
    /// or after its last. Throws running::RunError if the run records an array of another form.
    void append(const std::vector<recording::ArrayView>& arrays, std::vector<double>& to) const;

  private:
    struct Source {
        std::string array;
        std::vector<std::size_t> shape;  ///< of a sample
        std::size_t offset;              ///< in a sample
    };
    std::vector<Source> sources_;
    std::vector<io::Quantity> quantities_;
    std::vector<double> times_;
};

}  // namespace beadwave::tasks
