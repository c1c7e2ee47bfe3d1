#include "beadwave/laws/ma_liu.hpp"

#include <cmath>

namespace beadwave::laws {

MaLiu<double> make_ma_liu(const Contact& contact, double psi, double xi) {
    const MaLiuConstants c(contact, psi, xi);
    const double K = contact.stiffness;
    const double hertz_plastic = K * power_3_2(c.overlap_plastic);
    return {.stiffness = K,
            .inverse_stiffness = 1.0 / K,
            .overlap_yield = c.overlap_yield,
            .inverse_overlap_yield = 1.0 / c.overlap_yield,
            .overlap_plastic = c.overlap_plastic,
            .c1 = c.c1,
            .c2 = c.c2,
            .c3 = c.c3,
            .k1 = c.k1,
            .force_plastic = c.force_plastic,
            .plastic_unloading_stiffness = K * std::sqrt(hertz_plastic / c.force_plastic)};
}

}  // namespace beadwave::laws
