// Keys of friction that depends on the slip speed (laws/tangential/sliding_coefficient.hpp), for
// every table of friction.
#pragma once

#include "io/scenario/table.hpp"

namespace beadwave::io {

inline Key stribeck_speed_key() {
    return named("stribeck_speed", above_zero("m/s"),
                 "Stribeck's curve: at the slip speed v the coefficient is mu + (mu_s - mu) "
                 "exp(-(v / `stribeck_speed`)^`stribeck_exponent`), from `static_coefficient` mu_s "
                 "to `coefficient` mu");
}
inline Key stribeck_exponent_key() {
    return named("stribeck_exponent", above_zero("-"), "exponent of Stribeck's curve");
}
inline Key viscous_coefficient_key() {
    return named("viscous_coefficient", from_zero("s/m"),
                 "viscous part: the coefficient grows by this times the slip speed");
}

/// The three keys, for a table whose target has these members.
template <class Friction>
void add_slip_speed(Table<Friction>& table) {
    table.add(stribeck_speed_key().otherwise("no curve"), &Friction::stribeck_speed);
    table.add(stribeck_exponent_key(), &Friction::stribeck_exponent);
    table.add(viscous_coefficient_key(), &Friction::viscous_coefficient);
}

}  // namespace beadwave::io
