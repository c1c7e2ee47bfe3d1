// Forces, torques and springs of mechanisms: [[force]], [[torque]], [[spring]], [[torsion_spring]].
#pragma once

#include "io/scenario/table.hpp"
#include "mechanism/mechanism.hpp"

namespace beadwave::io {

/// The keys of forces, torques and springs; the names of bodies are those of Reading::names.
Table<mechanism::Mechanism> force_tables();

}  // namespace beadwave::io
