// The precision of the arithmetic of contacts, and where it runs.
#pragma once

namespace beadwave::packing {

enum class Precision {
    full,  ///< double precision throughout
    /// The geometry of pairs and tangential laws in single precision; see mixed/mixed_kernel.hpp.
    mixed
};

enum class Place {
    host,
    gpu,  ///< the first graphics processor
    twin  ///< the code for graphics processors, compiled for the host: the same bits
};

}  // namespace beadwave::packing
