// The lowest modes of a large packing, without its matrices.
//
// Lanczos' method (Spectra) on a Chebyshev polynomial of the stiffness operator that is large below
// a cut and small above it [Saad 1984, Zhou and others 2006]. The operator is applied contact by
// contact; nothing is factorised, so memory grows as the number of particles.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/interruptible.hpp"
#include "modes/modes.hpp"

#include <functional>
#include <string>

namespace beadwave::modes {

/// The `count` lowest modes with shapes, without damping. Frequencies are accurate to 1e-8 of their
/// own, or a warning says how much less. Bodies that touch nothing have one mode of zero frequency
/// for each of their freedoms; these come first. Throws InputError that starts with `name` if the
/// other bodies do not have twice as many freedoms as modes are left.
Modes solve_lowest(const linear::PackingOperator& packing, std::size_t count, int threads,
                   const std::string& name, const Stop& stop = {});

/// The interface of the module with Spectra.
namespace spectra_module {
struct Problem {
    std::size_t size, count, subspace;
    std::function<void(const double*, double*)> filtered;  ///< the polynomial of the operator
    std::function<void(const double*, double*)> plain;     ///< the operator
    double tolerance;  ///< of the filtered eigenvalues, relative
    int most_restarts;
    // Results
    std::vector<double> values{};     ///< of the operator, ascending
    std::vector<double> vectors{};    ///< size x count, one after another
    std::vector<double> residuals{};  ///< |A v - value v|
    bool converged = false;
};
inline constexpr const char* lanczos_name = "beadwave_lanczos";
/// Returns an error message, or null.
using Lanczos = const char* (*)(Problem*);
}  // namespace spectra_module

}  // namespace beadwave::modes
