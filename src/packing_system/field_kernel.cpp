#include "packing_system/field_kernel.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::observers {
namespace {

constexpr double gaussian_reach = 3.0, lucy_reach = 2.0;

double gaussian(double u) {
    static const double whole = std::erf(gaussian_reach / std::numbers::sqrt2);
    return 0.5 + 0.5 * std::erf(u / std::numbers::sqrt2) / whole;
}

double lucy(double u) {
    const double q = 1.0 - std::abs(u) / lucy_reach;
    const double beyond = 0.25 * q * q * q * q * (5.0 - 3.0 * q);
    return u < 0.0 ? beyond : 1.0 - beyond;
}

}  // namespace

const std::vector<FieldKernel>& field_kernels() {
    static const std::vector<FieldKernel> all{{"gaussian", gaussian_reach, &gaussian},
                                              {"lucy", lucy_reach, &lucy}};
    return all;
}

}  // namespace beadwave::observers
