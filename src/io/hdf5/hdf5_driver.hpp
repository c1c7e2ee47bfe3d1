// The file driver of histories: POSIX files as HDF5's own, and somebody who is told before what
// describes the data is overwritten.
#pragma once

#include "io/hdf5/hdf5.hpp"

namespace beadwave::io::hdf5 {

class Overwrites {
  public:
    virtual ~Overwrites() = default;
    /// Before so many bytes from `first` on are written, which describe data; data themselves are
    /// only ever added. What it throws is the error of the write.
    virtual void before(int descriptor, haddr_t first, std::size_t bytes) = 0;
};

/// `told` must outlive the file.
void use_driver(const PropertyList& access, Overwrites& told);

/// From now on nothing of the file reaches the disk, and nobody is told. Files of other drivers
/// stay as they are.
void stop_writing(const File& file);

}  // namespace beadwave::io::hdf5
