// What a checkpoint asks of the history that it is to hold.
#pragma once

#include "io/hdf5/hdf5.hpp"

#include <string>

namespace beadwave::io {

class ContinuableHistory {
  public:
    virtual ~ContinuableHistory() = default;
    /// See HistoryFile.
    virtual void copy_to(const hdf5::File& copy) = 0;
    virtual std::string leave() = 0;
};

}  // namespace beadwave::io
