// A symmetric tensor over space.
#pragma once

#include "packing/walls/surface_point.hpp"

namespace beadwave::packing {

struct SymmetricTensor {
    double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;

    /// Adds `along` in direction n and `across` perpendicular to it.
    void add(Vec3 n, double along, double across);
    double trace() const { return xx + yy + zz; }
    SymmetricTensor operator/(double by) const {
        return {xx / by, yy / by, zz / by, xy / by, xz / by, yz / by};
    }
    /// Closed form [O. K. Smith, Communications of the ACM 4 (1961) 168].
    double largest_eigenvalue() const;
};

}  // namespace beadwave::packing
