#include "packing/symmetric_tensor.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

void SymmetricTensor::add(Vec3 n, double along, double across) {
    const double d = along - across;
    xx += across + d * n.x * n.x;
    yy += across + d * n.y * n.y;
    zz += across + d * n.z * n.z;
    xy += d * n.x * n.y;
    xz += d * n.x * n.z;
    yz += d * n.y * n.z;
}

double SymmetricTensor::largest_eigenvalue() const {
    const double mean = trace() / 3.0;
    const double x = xx - mean, y = yy - mean, z = zz - mean;
    const double off = xy * xy + xz * xz + yz * yz;
    const double p = std::sqrt((x * x + y * y + z * z + 2.0 * off) / 6.0);
    if (!(p > 0.0)) return mean;
    const double half_determinant =
        0.5 * (x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz)) /
        (p * p * p);
    return mean + 2.0 * p * std::cos(std::acos(std::clamp(half_determinant, -1.0, 1.0)) / 3.0);
}

}  // namespace beadwave::packing
