// The precision of the arithmetic of contacts.
#pragma once

namespace beadwave::packing {

enum class Precision {
    full,  ///< double precision throughout
    /// The geometry of pairs and tangential laws in single precision; see mixed/mixed_kernel.hpp.
    mixed
};

}  // namespace beadwave::packing
