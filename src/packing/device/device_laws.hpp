// The normal laws that a device has. Its code is compiled once for each, so this list is short; of
// others a run on a device says that it does not have them.
#pragma once

#include "beadwave/laws/adhesion/dmt.hpp"
#include "beadwave/laws/adhesion/jkr.hpp"
#include "beadwave/laws/hertz.hpp"
#include "beadwave/laws/hooke.hpp"
#include "beadwave/laws/hysteresis.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "beadwave/laws/power_hysteresis.hpp"
#include "beadwave/laws/power_law.hpp"
#include "beadwave/laws/spring_dashpot.hpp"
#include "beadwave/laws/wang_liu.hpp"

#include <tuple>

namespace beadwave::packing::on_device {

using DeviceLaws =
    std::tuple<laws::Hertz<double>,                                       //
               laws::Hysteresis<double, laws::ImpactSpeed::uniform>,      //
               laws::Hysteresis<double, laws::ImpactSpeed::per_contact>,  //
               laws::WangLiu<double, laws::ImpactSpeed::uniform>,         //
               laws::WangLiu<double, laws::ImpactSpeed::per_contact>,     //
               laws::MaLiu<double>, laws::PowerHysteresis<double, laws::ImpactSpeed::uniform>,
               laws::PowerHysteresis<double, laws::ImpactSpeed::per_contact>,
               laws::SpringDashpot<double, laws::Exponent::one, laws::Exponent::zero>,
               laws::SpringDashpot<double, laws::Exponent::three_halves, laws::Exponent::zero>,
               laws::SpringDashpot<double, laws::Exponent::three_halves, laws::Exponent::quarter>,
               laws::SpringDashpot<double, laws::Exponent::three_halves, laws::Exponent::half>,
               laws::SpringDashpot<double, laws::Exponent::three_halves, laws::Exponent::one>,
               laws::PowerLaw<double>, laws::Hooke<double>, laws::Jkr<double>, laws::Dmt<double>>;

}  // namespace beadwave::packing::on_device
