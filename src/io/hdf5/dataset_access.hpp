// Access properties of growing datasets.
#pragma once

#include <hdf5.h>

namespace beadwave::io::hdf5 {

/// An access list without a chunk cache. Callers write whole chunks. A write that fails (disk full)
/// must fail at once, and nothing may remain in a cache that fails again on closing. The list is
/// shared by all datasets and never closed.
hid_t without_chunk_cache();

}  // namespace beadwave::io::hdf5
