// Floquet multipliers and what they say.
#pragma once

#include "orbits/band.hpp"
#include "orbits/matrix.hpp"

#include <complex>
#include <string>
#include <vector>

namespace beadwave::orbits {

using Complex = std::complex<double>;

struct Instability {
    /// Conservative: "real" (a pair on the positive axis), "period-doubling" (on the negative
    /// axis), "oscillatory" (four off the axes and the unit circle). Otherwise "tangent" (above 1),
    /// "period-doubling" (below -1), "neimark-sacker" (two conjugate ones).
    std::string kind;
    Complex multiplier;  ///< outside of the unit circle, with the imaginary part from 0
    /// An eigenvector of the matrix that stability() was given, or in the order of the band that
    /// stability_within() was given; empty: only values were computed.
    std::vector<Complex> vector{};
};

struct Stability {
    std::vector<Complex> multipliers;          ///< largest modulus first
    std::vector<Instability> instabilities{};  ///< largest modulus first
    /// How many multipliers the orbit has; where that is more than are listed, a Krylov method has
    /// found these, and there may be others.
    std::size_t total = 0;
    bool complete() const { return multipliers.size() >= total; }
    double others = 0.0;  ///< estimate of the largest modulus of the others, if not complete
    bool stable() const { return instabilities.empty(); }
};

/// `monodromy`: Problem::monodromy(). `pairs`: conservative, of that the half traces; `trivial`:
/// how many of these are 1 in any orbit, and are set to it: one for its phase, one more if the
/// chain floats.
Stability stability(const Matrix& monodromy, bool pairs, std::size_t trivial);

/// The same of a long chain; of a very long one the largest multipliers only.
Stability stability_within(const Band& monodromy, bool pairs, std::size_t trivial);

/// `monodromy`: of a wave that travels through a conservative chain. Two multipliers are 1 and set
/// to it, for the moment and the strength of the wave. What leaves the chain behind the wave has
/// multipliers inside the unit circle.
Stability stability_of_wave(const Matrix& monodromy);

}  // namespace beadwave::orbits
