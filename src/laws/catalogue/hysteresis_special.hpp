// Hysteresis laws whose damping factor is not a function of e alone.
#pragma once

#include "beadwave/laws/catalogue.hpp"

namespace beadwave::laws {

/// Zhiying-Qishao's factor with c* = 1 - 0.26 K* delta_dot_0^(1/3) in the place of e.
Entry wang_c_star_entry();

/// Zhang-Sharf's factor on a stiffness from the shape of the common area.
Entry luo_nahon_entry();

/// The factor that returns e exactly, on a spring of any exponent.
Entry exact_hysteresis_entry();

}  // namespace beadwave::laws
