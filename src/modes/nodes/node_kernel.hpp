// The vector code that counts the nodes of a chain's motion at many frequencies at once.
//
// With the left end given, a motion u_i cos(omega t) of a chain follows bead by bead:
//
//     f_(i+1) = f_i - m_i omega^2 u_i,   u_(i+1) = u_i + f_(i+1) / k_(i+1)
//
// f_i: force of contact i. As many modes are slower than omega as this motion has nodes, changes of
// the sign of u [Gantmacher and Krein]. Every rounding is a small relative change of a mass or a
// stiffness, so even the lowest frequencies are accurate to rounding.
#pragma once

#include "simd/instruction_sets.hpp"

#include <cstddef>

namespace beadwave::modes {

/// Frequencies that are done at once, on every instruction set.
inline constexpr std::size_t node_lanes = 32;

/// A chain in units of its own, so that numbers are around 1.
struct NodeChain {
    std::size_t beads;
    const double* mass;
    const double* compliance;  ///< 1/stiffness of the contact behind each bead but the last
    double left, right;        ///< stiffness to the ground; 0: free
    std::size_t block;         ///< beads after which the numbers are scaled
};

/// The count of modes in each lane.
struct NodeCounts {
    alignas(64) double square[node_lanes];  ///< omega^2
    alignas(64) double nodes[node_lanes];   ///< modes below it
    /// The force on the ground behind the last bead, or what would hold a free end: it changes sign
    /// at each mode. Times 2^exponent.
    alignas(64) double end[node_lanes];
    alignas(64) double exponent[node_lanes];
};

using CountNodes = void (*)(const NodeChain&, NodeCounts&);

/// Defined by vector_code.cpp for each instruction set.
template <simd::Target>
CountNodes node_kernel();

}  // namespace beadwave::modes
