// Random places in the region of a pour where a particle touches nothing.
#pragma once

#include "packing/edges.hpp"
#include "packing/walls/mesh_place.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace beadwave::packing {

class FreePlaces {
  public:
    /// moved [m]: of the walls at `time` [s]. All must outlive it. `box`: its edges then.
    FreePlaces(const Packing& packing, const Pour& pour, std::span<const Vec3> moved,
               const Edges& box, double time);

    /// A particle that is there already, with its periodic images. Returns whether one in the
    /// region can touch any of them.
    bool occupy(const Vec3& centre, double radius);
    /// A place for a particle of this radius, at most the largest of the pour [m]; none: there was
    /// no room at any of so many places. It depends on the seed, the number of the particle in its
    /// pour, the step, and on what is there.
    std::optional<Vec3> find(double radius, std::size_t number, std::int64_t step,
                             std::uint64_t attempts) const;

  private:
    struct Sphere {
        Vec3 centre;
        double radius;
    };

    bool occupy_one(const Vec3& centre, double radius);
    std::int64_t cell(double x, std::size_t axis) const;
    bool is_free(const Vec3& centre, double radius) const;
    bool is_free_of_walls(const Vec3& centre, double radius) const;

    const Packing& packing_;
    const Pour& pour_;
    std::span<const Vec3> moved_;
    double time_;
    Edges box_;                          // the lattice of the box with the least tilt
    std::vector<ClosestInBox> closest_;  // of each wall
    double largest_;                     // radius of the pour's particles [m]
    std::array<std::int64_t, 3> count_{1, 1, 1};
    // Each cell of the region has all spheres that one with its centre in the cell can touch.
    std::vector<std::vector<Sphere>> cells_;
};

}  // namespace beadwave::packing
