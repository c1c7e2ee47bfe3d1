// The axes along which a motion is prescribed.
#pragma once

#include "packing/elements/elements.hpp"
#include "packing/vector_length.hpp"

namespace beadwave::packing {

/// Calls visit(component) for those that the motion prescribes.
template <class Visit>
void each_driven(const PrescribedMotion& motion, Visit visit) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (motion.along[k]) visit(axes[k]);
    }
}

}  // namespace beadwave::packing
