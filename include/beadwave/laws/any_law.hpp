// Every compiled contact law. A new law type is listed here and gets its rows in catalogue.cpp.
#pragma once

#include <variant>

#include "beadwave/laws/hertz.hpp"
#include "beadwave/laws/hysteresis.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "beadwave/laws/wang_liu.hpp"

namespace beadwave::laws {

/// The law of one contact with its parameters.
using AnyLaw = std::variant<Hertz<double>,                                     //
                            Hysteresis<double, ImpactSpeed::uniform>,      //
                            Hysteresis<double, ImpactSpeed::per_contact>,  //
                            WangLiu<double, ImpactSpeed::uniform>,         //
                            WangLiu<double, ImpactSpeed::per_contact>,     //
                            MaLiu<double>>;

/// The static force of a contact loaded for the first time to `overlap` [m] -> [N].
double first_loading_force(const AnyLaw& law, double overlap);

/// The overlap [m] at which first loading reaches `force` [N] > 0; NaN if it never does below 1 m.
double overlap_at_force(const AnyLaw& law, double force);

}  // namespace beadwave::laws
