// The bodies that this process has, of a system that several share; of one process all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::running {

/// At one step. Vectors of chains have one component, those of packings three, one body after
/// another.
struct OwnPart {
    std::int64_t step;
    double time;                             ///< [s]
    std::size_t components;                  ///< 1 or 3
    std::vector<std::size_t> numbers{};      ///< of the bodies, ascending
    std::vector<double> position{};          ///< [m]
    std::vector<double> velocity{};          ///< [m/s]
    std::vector<double> angular_velocity{};  ///< [rad/s]; of chains empty
};

}  // namespace beadwave::running
