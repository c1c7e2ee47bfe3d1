// A program as a careful researcher would write it, for comparison: elastic Hertz, equal beads,
// displacement form, leapfrog, two loops without branches.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace beadwave::bench {

class Baseline {
  public:
    /// Stiffness K [N/m^1.5], mass [kg], overlap of the precompression [m], time step [s].
    Baseline(std::size_t beads, double stiffness, double mass, double overlap, double dt)
        : n_(beads),
          stiffness_(stiffness),
          kick_(dt / mass),
          overlap_(overlap),
          dt_(dt),
          u_(beads + 2, 0.0),
          v_(beads + 2, 0.0),
          force_(beads + 2, 0.0) {}

    std::vector<double>& velocity() { return v_; }

    void advance(long steps) {
        for (long s = 0; s < steps; ++s) {
            forces();
            motion();
        }
    }

  private:
    void forces() {
        const double* const u = u_.data();
        double* const force = force_.data();
        const double stiffness = stiffness_, overlap = overlap_;
        for (std::size_t c = 0; c <= n_; ++c) {
            const double delta = u[c] - u[c + 1] + overlap;
            const double x = delta < 0.0 ? 0.0 : delta;
            force[c] = stiffness * (x * std::sqrt(x));
        }
    }

    void motion() {
        double* const u = u_.data() + 1;
        double* const v = v_.data() + 1;
        const double* const force = force_.data();
        const double kick = kick_, dt = dt_;
#pragma GCC ivdep
        for (std::size_t i = 0; i < n_; ++i) {
            v[i] += kick * (force[i] - force[i + 1]);
            u[i] += dt * v[i];
        }
    }

    std::size_t n_;
    double stiffness_, kick_, overlap_, dt_;
    std::vector<double> u_, v_, force_;
};

}  // namespace beadwave::bench
