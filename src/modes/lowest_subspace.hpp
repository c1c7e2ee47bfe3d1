// The lowest eigenvectors of a packing's stiffness operator: iteration of a subspace with Chebyshev
// polynomials that are large below a cut and small above it [Zhou, Saad, Tiago and Chelikowsky,
// J. Comput. Phys. 219 (2006) 172].
//
// The subspace begins at random and is larger than what is asked for. So it holds all copies of a
// multiple eigenvalue, which a search by one vector can miss. At the end a second random subspace,
// without the first, is searched for anything lower.
#pragma once

#include "modes/interruptible.hpp"
#include "modes/panels/panel_product.hpp"

#include <vector>

namespace beadwave::modes {

struct LowestSubspace {
    std::vector<double> values;     ///< at least as many as asked for, ascending
    std::vector<double> residuals;  ///< |A v - value v|
    std::vector<Panel> vectors;     ///< orthonormal
    double highest = 0.0;           ///< just above the largest eigenvalue
    bool converged = false;         ///< the residuals are small, and nothing lower was found

    double number(std::size_t vector, std::size_t row) const {
        return vectors[vector / panel_width][row * panel_width + vector % panel_width];
    }
};

/// Iterates until the residuals of the `count` lowest are below 3e-6 of their values, or 1e-13 of
/// the highest. `share`: a guess of the part of the spectrum that holds them. There must be twice
/// as many rows as vectors asked for, and 40 more.
LowestSubspace find_lowest(PanelProduct& product, std::size_t count, double share,
                           const Stop& stop);

}  // namespace beadwave::modes
