// The impacts of a mechanism's spots, /impacts/0, /impacts/1, ...: a dataset a number, a row an
// impact.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "mechanism/result.hpp"

#include <string>
#include <vector>

namespace beadwave::io {

/// What is written of an impact.
struct ImpactColumn {
    const char *name, *unit;
    double mechanism::Impact::*part;
};
inline constexpr ImpactColumn impact_columns[] = {
    {"start", "s", &mechanism::Impact::start},
    {"end", "s", &mechanism::Impact::end},
    {"closing_speed", "m s-1", &mechanism::Impact::closing_speed},
    {"leaving_speed", "m s-1", &mechanism::Impact::leaving_speed},
    {"peak_force", "N", &mechanism::Impact::peak_force},
    {"peak_time", "s", &mechanism::Impact::peak_time},
    {"largest_overlap", "m", &mechanism::Impact::largest_overlap},
    {"dissipated", "J", &mechanism::Impact::dissipated},
    {"effective_mass", "kg", &mechanism::Impact::mass}};

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
