// What walls of triangles got of the dissipation of contacts, triangle by triangle.
#pragma once

#include "packing/heat/dissipation_changes.hpp"
#include "packing/walls/triangle_numbers.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

struct ContactState;

/// A wall has half of what each of its contacts dissipates. Of a step its triangles get this in
/// proportion to the normal forces with which the particle pushes them at the end of the step. What
/// belongs to a contact that has just opened goes to the triangle that it touched last.
class TouchedTriangles {
  public:
    explicit TouchedTriangles(const Packing& packing)
        : triangles_(packing), particles_(packing.particles()), energy_(triangles_.count()) {}

    void receive(std::span<const DissipationChange> changes,
                 std::span<const ContactState> contacts);
    std::span<const double> energy() const { return energy_; }  ///< of each since the start [J]

    /// The state, for checkpoints.
    std::vector<double> numbers() const;
    /// Throws std::invalid_argument if these are not numbers of this packing.
    void restore(std::span<const double> numbers);

  private:
    using Bodies = std::pair<std::size_t, std::size_t>;  // particle and wall
    struct Touch {
        std::size_t triangle;
        double force;  // [N]
    };

    TriangleNumbers triangles_;
    std::size_t particles_;
    std::vector<double> energy_;
    std::multimap<Bodies, Touch> touch_;    // of this step
    std::map<Bodies, std::size_t> latest_;  // the triangle touched last
};

}  // namespace beadwave::packing
