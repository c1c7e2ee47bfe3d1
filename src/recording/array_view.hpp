// Recorded numbers in memory, for a reader.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::recording {

/// A contiguous array, valid as long as its owner.
struct ArrayView {
    std::string name;  ///< as in the history: "sensor_force", "impacts/pin/start"
    std::string unit;  ///< H5MD's spelling: "m s-1"; empty: none
    const void* data;
    bool whole;                      ///< true: std::int64_t, false: double
    std::vector<std::size_t> shape;  ///< samples first
};

}  // namespace beadwave::recording
