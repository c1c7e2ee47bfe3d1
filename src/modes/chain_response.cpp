#include "modes/chain_response.hpp"

#include "modes/lapack.hpp"

#include <algorithm>
#include <limits>

namespace beadwave::modes {

bool solve_chain(const linear::ChainOperator& chain, Complex lambda, std::vector<Complex> diagonal,
                 std::vector<Complex>& motion) {
    const std::size_t n = chain.size(), inner = chain.inner.size();
    std::vector<Complex> below(n), above(n);
    for (std::size_t i = 0; i < n; ++i)
        below[i] = above[i] = -(lambda * chain.damping[i + 1] + chain.stiffness[i + 1]);
    for (std::size_t i = 0; i < chain.ground_stiffness.size(); ++i)
        diagonal[i] += lambda * chain.ground_damping[i] + chain.ground_stiffness[i];
    std::vector<Complex> spring(inner), own(inner);
    for (std::size_t k = 0; k < inner; ++k) {
        const linear::InnerMass& mass = chain.inner[k];
        const Complex inertia = lambda * lambda * mass.mass;
        spring[k] = lambda * mass.damping + mass.stiffness;
        own[k] = inertia + spring[k];
        // At its own frequency an undamped mass holds the bead.
        if (own[k] == 0.0) own[k] = std::numeric_limits<double>::epsilon() * mass.stiffness;
        if (own[k] == 0.0) return false;
        diagonal[mass.bead] += inertia * spring[k] / own[k];
        motion[mass.bead] += spring[k] / own[k] * motion[n + k];
    }
    std::vector<Complex> beads(motion.begin(), motion.begin() + static_cast<std::ptrdiff_t>(n));
    if (!lapack::solve_tridiagonal(below, diagonal, above, beads)) return false;
    std::copy(beads.begin(), beads.end(), motion.begin());
    for (std::size_t k = 0; k < inner; ++k)
        motion[n + k] = (motion[n + k] + spring[k] * beads[chain.inner[k].bead]) / own[k];
    return true;
}

}  // namespace beadwave::modes
