#include "beadwave/laws/relaxation.hpp"

#include <cmath>

namespace beadwave::laws {

double Relaxation::shear_modulus(double time_since) const {
    return equilibrium_modulus + relaxing_modulus * std::exp(-time_since / time);
}

double Relaxation::bulk_modulus(double time_since) const {
    return 2.0 / 3.0 * (1.0 + poisson_ratio) / (1.0 - 2.0 * poisson_ratio) *
           shear_modulus(time_since);
}

}  // namespace beadwave::laws
