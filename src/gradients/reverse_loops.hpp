// The lines of a step, reversed, for all beads or contacts; adjoint_run.hpp has the lines. Beads
// are at i + 1 of `push`, whose ends are 0. A bar is the derivative of the objective by the
// quantity.
#pragma once

#include <cstddef>

namespace beadwave::gradients {

/// v = h + w, and w = kick (F_i - F_(i+1) + load).
void reverse_kick(std::size_t n, const double* __restrict kick,
                  const double* __restrict velocity_bar, const double* __restrict change_bar,
                  const double* __restrict force, const double* __restrict body_force,
                  double* __restrict push, double* __restrict kick_bar,
                  double* __restrict load_bar);

/// The derivatives by the force of each contact, from `push` of the beads on its two sides.
void spread_push(std::size_t contacts, const double* __restrict push, double* __restrict force_bar);

/// Overlap and predicted velocity, p = h + w, u += dt h, h = v + w.
void reverse_drift(std::size_t n, double dt, const double* __restrict overlap_bar,
                   const double* __restrict speed_bar, double* __restrict displacement_bar,
                   double* __restrict velocity_bar, double* __restrict change_bar);

void reverse_drift(std::size_t n, double dt, const double* __restrict overlap_bar,
                   double* __restrict displacement_bar, double* __restrict velocity_bar,
                   double* __restrict change_bar);

void subtract(std::size_t count, const double* __restrict x, double* __restrict from);

}  // namespace beadwave::gradients
