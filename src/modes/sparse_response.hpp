// The response of a linear system to harmonic forces, by a sparse decomposition at each frequency.
#pragma once

#include "linear/entries.hpp"
#include "modes/modes.hpp"

#include <span>
#include <vector>

namespace beadwave::modes {

/// Forces on all freedoms, per unit of an input exp(i omega t) [N].
struct Drive {
    std::vector<double> in_phase;       ///< with the input
    std::vector<double> with_velocity;  ///< times i omega [N s]
};

/// The displacements of all freedoms [m] at an angular frequency [rad/s]; empty where the system is
/// singular, at the frequency of an undamped mode. Several threads may call this at once.
std::vector<Complex> sparse_response(const linear::Entries& system, const Drive& drive,
                                     double omega);

/// The interface of the module with Eigen.
namespace eigen_module {
struct Response {
    std::span<const double> mass;
    std::span<const std::int64_t> row, column;
    std::span<const double> stiffness, damping;
    double omega;
    Complex* motion;  ///< the forces, replaced by the displacements
};
inline constexpr const char* response_name = "beadwave_response";
/// False if the matrix is singular.
using SolveResponse = bool (*)(const Response*);
}  // namespace eigen_module

}  // namespace beadwave::modes
