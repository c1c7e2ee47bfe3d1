// The impacts at the contact points of a mechanism, /impacts/0, /impacts/1, ...: one dataset per
// quantity, one row per impact.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "mechanism/result.hpp"

#include <string>
#include <vector>

namespace beadwave::io {

/// A quantity of an impact in the file.
struct ImpactColumn {
    const char *name, *unit;
    double mechanism::Impact::*part;
};
inline constexpr ImpactColumn impact_columns[] = {
    {"start", "s", &mechanism::Impact::start},
    {"end", "s", &mechanism::Impact::end},
    {"impact_speed", "m s-1", &mechanism::Impact::impact_speed},
    {"separation_speed", "m s-1", &mechanism::Impact::separation_speed},
    {"peak_force", "N", &mechanism::Impact::peak_force},
    {"peak_time", "s", &mechanism::Impact::peak_time},
    {"largest_overlap", "m", &mechanism::Impact::largest_overlap},
    {"dissipated", "J", &mechanism::Impact::dissipated},
    {"effective_mass", "kg", &mechanism::Impact::mass}};

class MechanismImpacts {
  public:
    /// In a group of their own. `points`: the names of the contact points.
    MechanismImpacts(hid_t group, const std::vector<std::string>& points, h5md::Element kind);

    void append(std::size_t point, const mechanism::Impact& impact);
    /// Makes what was written visible to readers.
    void flush() const;

  private:
    struct PointColumns {
        hsize_t rows = 0;
        std::vector<hdf5::Dataset> columns;
    };
    std::vector<PointColumns> points_;
};

}  // namespace beadwave::io
