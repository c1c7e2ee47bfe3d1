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

/// Throws InputError that starts with the name.
FirstShape first_shape(const Search& search);

}  // namespace beadwave::orbits
