// The impacts of a mechanism's spots, /impacts/0, /impacts/1, ...: a dataset a number, a row an
// impact.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "mechanism/result.hpp"

#include <string>
#include <vector>

namespace beadwave::io {

class MechanismImpacts {
  public:
    /// In a group of their own. `spots`: their names.
    MechanismImpacts(hid_t group, const std::vector<std::string>& spots, h5md::Element kind);

    void append(std::size_t spot, const mechanism::Impact& impact);
    /// Hands what was written to readers.
    void flush() const;

  private:
    struct Spot {
        hsize_t rows = 0;
        std::vector<hdf5::Dataset> columns;
    };
    std::vector<Spot> spots_;
};

}  // namespace beadwave::io
