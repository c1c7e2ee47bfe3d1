// What gives reason to doubt a run before it starts, of one contact: chains and packings share it.
#pragma once

#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/laws/any_law.hpp"
#include "packing/packing.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::running {

/// That the force of a contact with this effective mass [kg] jumps where its motion turns. Empty:
/// nothing to say.
std::string steep_damping(const laws::AnyLaw& law, double mass,
                          const dynamics::TimeStep& time_step);

/// Something driven, as "end" or "wall", that touches and starts gently closes its contact at
/// whatever speed it has after one step: an impact speed that means nothing, unless the floor is
/// above it. Its approach [m/s]: at the start, and after a step. Empty: nothing to say.
std::string gentle_start(std::string_view driven, const laws::AnyLaw& law, double at_once,
                         double after_a_step);

/// As doubts_before of a chain.
std::vector<std::string> doubts_before(const packing::Packing& packing,
                                       const dynamics::TimeStep& time_step);

}  // namespace beadwave::running
