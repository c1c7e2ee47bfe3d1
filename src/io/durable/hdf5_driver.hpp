// The HDF5 file driver of histories: POSIX files like HDF5's own driver, with a hook that is called
// before metadata are written.
#pragma once

#include "io/hdf5/hdf5.hpp"

namespace beadwave::io::hdf5 {

class MetadataWriteHook {
  public:
    virtual ~MetadataWriteHook() = default;
    /// Called before `bytes` bytes of metadata are written at `first`. Metadata describe the data;
    /// the data themselves are only appended. An exception becomes the error of the write.
    virtual void before(int descriptor, haddr_t first, std::size_t bytes) = 0;
    /// HDF5 never cuts the file below this length [bytes].
    virtual haddr_t shortest() const = 0;
};

/// `hook` must outlive the file.
void use_driver(const PropertyList& access, MetadataWriteHook& hook);

/// From now on nothing of the file reaches the disk, and the hook is not called. Has no effect on
/// files of other drivers.
void stop_writing(const File& file);

}  // namespace beadwave::io::hdf5
