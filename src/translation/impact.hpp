// One collision under a model of another program: plain integration of its published force.
#pragma once

#include "translation/model.hpp"

namespace beadwave::translation {

struct Impact {
    double restitution;  ///< rebound speed / impact speed [-]; 0: the bodies do not part
    double duration;     ///< from closing to the end of contact [s]; infinite: they do not part
};

/// The impact at this speed [m/s] and the mass of `touch`; `overlap` [m] is its order of magnitude.
/// The time step of the program is left out: this is what it tends to as its steps get short.
Impact impact(const Model& model, const Numbers& numbers, const Touch& touch, double speed,
              double overlap);

}  // namespace beadwave::translation
