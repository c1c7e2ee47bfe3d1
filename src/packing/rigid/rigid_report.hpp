// What the solver of rigid contacts did in a run.
#pragma once

#include "packing/contacts/deep_contact.hpp"

#include <cstdint>

namespace beadwave::packing {

struct RigidReport {
    std::int64_t iterations = 0;   ///< of all steps
    std::int64_t unconverged = 0;  ///< steps that needed more iterations than allowed
    double largest_change = 0.0;   ///< RigidSolution::change where it did not converge [-]
    /// The deepest penetration at the beginning of a step, and the step.
    DeepContact penetration{};
};

}  // namespace beadwave::packing
