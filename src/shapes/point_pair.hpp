// Newton's method on two points, one on each of two superellipsoids: see
// superellipsoid_contact.hpp.
#pragma once

#include "shapes/turned_shape.hpp"

#include <optional>

namespace beadwave::shapes {

/// Two points, and how far they miss the conditions for a common normal.
struct PointPair {
    Vector arm_1{}, arm_2{};  ///< from the centres [m]
    Vector normal{};          ///< unit, from the first to the second
    double misfit = 0.0;      ///< of the normals [-], and of the line over the sizes: the larger
};

struct PointSteps {
    double enough;         ///< a misfit that ends the search [-]
    int most;              ///< steps
    int most_idle;         ///< steps in a row without a smaller misfit
    int* count = nullptr;  ///< steps are added to it
};

/// Both reaches and the distance of the centres [m]: misfits are relative to it.
double size_of_pair(const TurnedShape& first, const TurnedShape& second, const Vector& between);

/// Starts where the surfaces are met along the arms of `start`; `between`: from the first centre to
/// the second [m]. None if no misfit was below 1e-12.
std::optional<PointPair> common_point_pair(const TurnedShape& first, const TurnedShape& second,
                                           const Vector& between, const PointPair& start,
                                           const PointSteps& steps);

}  // namespace beadwave::shapes
