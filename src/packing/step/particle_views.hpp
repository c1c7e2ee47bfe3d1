// The numbers of all particles that steps, kicks and exchanges share, wherever a back end has them.
#pragma once

#include "packing/packing.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace beadwave::packing {

/// A vector of each particle, at equal distances in memory. Vector: Vec3 or const Vec3.
template <class Vector>
class EachVector {
  public:
    template <class Vectors>
    requires requires(Vectors& all) { all.data(); }
    explicit EachVector(Vectors& all) : EachVector(all.data(), sizeof(Vec3)) {}
    /// A member of each of an array of structs.
    template <class Struct>
    EachVector(Struct* first, Vec3 std::remove_const_t<Struct>::*member)
        : EachVector(&(first->*member), sizeof(Struct)) {}

    Vector& operator[](std::size_t i) const {
        return *reinterpret_cast<Vector*>(first_ + i * distance_);
    }

  private:
    using Byte = std::conditional_t<std::is_const_v<Vector>, const std::byte, std::byte>;

    EachVector(Vector* first, std::size_t distance)
        : first_(reinterpret_cast<Byte*>(first)), distance_(distance) {}

    Byte* first_;
    std::size_t distance_;  // [bytes]
};

template <class Vector>
struct ParticleViews {
    EachVector<Vector> velocity;         ///< [m/s]
    EachVector<Vector> velocity_change;  ///< in half a step [m/s]
    EachVector<Vector> force, torque;    ///< of the contacts [N, N m]
    // In the middle of the step and at its end, predicted [m/s, rad/s].
    EachVector<Vector> half, predicted, half_spin, predicted_spin;
};

}  // namespace beadwave::packing
