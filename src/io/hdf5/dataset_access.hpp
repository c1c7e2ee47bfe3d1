// How datasets that grow are opened.
#pragma once

#include <hdf5.h>

namespace beadwave::io::hdf5 {

/// No chunk cache: callers write whole chunks, and a write that fails (disk full) must fail at once
/// and leave nothing behind that would fail again on closing. One list for all, which nobody
/// closes.
hid_t without_chunk_cache();

}  // namespace beadwave::io::hdf5
