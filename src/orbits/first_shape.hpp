// Where the orbits of a conservative chain begin.
#pragma once

#include "orbits/find.hpp"

#include <string>
#include <vector>

namespace beadwave::orbits {

struct FirstShape {
    std::vector<double> displacement;  ///< of the freedoms [m]
    double frequency;                  ///< [Hz]; of a loose chain a rough one
    bool small;                        ///< a linear mode of small amplitude; false: a loose chain
    std::string what;                  ///< "mode 3 at 1234.5 Hz"
};

/// A mode of the map alone, by its derivative at rest: the lowest one above the frequency in which
/// many beads move. For maps of some hundred freedoms, without drive and damping.
FirstShape first_shape_of(const Search& search);

/// Throws InputError that starts with the name.
FirstShape first_shape(const Search& search);

}  // namespace beadwave::orbits
