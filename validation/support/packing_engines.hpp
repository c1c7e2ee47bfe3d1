// Both engines of packings, for tests that run on each.
#pragma once

#include "packing/packing_engine.hpp"

#include <array>
#include <functional>
#include <memory>

namespace beadwave::validation {

/// Makes an engine for one thread with this time step [s].
using EngineMaker =
    std::function<std::unique_ptr<packing::PackingEngine>(const packing::Packing&, double)>;

inline const std::array<EngineMaker, 2> engine_makers{
    [](const packing::Packing& p, double dt) { return packing::make_plain_packing_engine(p, dt); },
    [](const packing::Packing& p, double dt) { return packing::make_packing_engine(p, dt, 1); }};

}  // namespace beadwave::validation
