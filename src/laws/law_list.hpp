// Every compiled contact law. A new type is listed here and gets its rows in the catalogue. Only
// code that steps or evaluates laws includes this; everything else holds laws as data
// (any_law.hpp).
#pragma once

#include "beadwave/laws/adhesion/capillary.hpp"
#include "beadwave/laws/adhesion/dmt.hpp"
#include "beadwave/laws/adhesion/jkr.hpp"
#include "beadwave/laws/elastoplastic/brake.hpp"
#include "beadwave/laws/elastoplastic/burgoyne_daraio.hpp"
#include "beadwave/laws/elastoplastic/du_wang.hpp"
#include "beadwave/laws/elastoplastic/goldsmith.hpp"
#include "beadwave/laws/elastoplastic/guarded_ma_liu.hpp"
#include "beadwave/laws/elastoplastic/jackson_green.hpp"
#include "beadwave/laws/elastoplastic/kogut_etsion.hpp"
#include "beadwave/laws/elastoplastic/stronge.hpp"
#include "beadwave/laws/elastoplastic/tabulated.hpp"
#include "beadwave/laws/elastoplastic/thornton.hpp"
#include "beadwave/laws/elastoplastic/vu_quoc_zhang.hpp"
#include "beadwave/laws/elastoplastic/walton_braun.hpp"
#include "beadwave/laws/elastoplastic/yigit.hpp"
#include "beadwave/laws/expression/expression.hpp"
#include "beadwave/laws/hertz.hpp"
#include "beadwave/laws/hooke.hpp"
#include "beadwave/laws/hysteresis.hpp"
#include "beadwave/laws/jankowski.hpp"
#include "beadwave/laws/jian.hpp"
#include "beadwave/laws/lee_wang_viscous.hpp"
#include "beadwave/laws/line_force.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "beadwave/laws/poursina_nikravesh.hpp"
#include "beadwave/laws/power_dashpot.hpp"
#include "beadwave/laws/power_hysteresis.hpp"
#include "beadwave/laws/power_law.hpp"
#include "beadwave/laws/roy_carretero.hpp"
#include "beadwave/laws/speed_power_dashpot.hpp"
#include "beadwave/laws/spring_dashpot.hpp"
#include "beadwave/laws/wang_liu.hpp"
#include "beadwave/laws/xiong.hpp"

#include <tuple>

namespace beadwave::laws {

/// A list of laws; that each is one is checked here.
template <ContactLaw... Law>
using ListOf = std::tuple<Law...>;

/// AnyLaw::index() counts in this list.
using LawList =
    ListOf<Hertz<double>,                                 //
           Hysteresis<double, ImpactSpeed::uniform>,      //
           Hysteresis<double, ImpactSpeed::per_contact>,  //
           WangLiu<double, ImpactSpeed::uniform>,         //
           WangLiu<double, ImpactSpeed::per_contact>,     //
           MaLiu<double>,
           // hysteresis with any exponent
           PowerHysteresis<double, ImpactSpeed::uniform>,
           PowerHysteresis<double, ImpactSpeed::per_contact>,
           // viscous
           SpringDashpot<double, Exponent::one, Exponent::zero>,
           SpringDashpot<double, Exponent::three_halves, Exponent::zero>,
           SpringDashpot<double, Exponent::three_halves, Exponent::quarter>,
           SpringDashpot<double, Exponent::three_halves, Exponent::half>,
           SpringDashpot<double, Exponent::three_halves, Exponent::one>,
           PowerDashpot<double>,       //
           SpeedPowerDashpot<double>,  //
           PoursinaNikravesh<double>,  //
           Jankowski<double>,          //
           LeeWangViscous<double>,     //
           RoyCarretero<double>,       //
           Xiong<double>,              //
           Jian<double>,
           // elastoplastic/, and power_law.hpp
           GuardedMaLiu<double>, Thornton<double>, Stronge<double>, VuQuocZhang<double>,
           KogutEtsion<double>, JacksonGreen<double>, DuWang<double>, Brake<double>,
           BurgoyneDaraio<double>, Yigit<double>, YigitLinear<double>, Goldsmith<double>,
           WaltonBraun<double>, Tabulated<double>, PowerLaw<double>, Hooke<double>,
           // line contacts
           LineForce<double, ImpactSpeed::uniform>, LineForce<double, ImpactSpeed::per_contact>,
           // adhesion/
           Jkr<double>, Dmt<double>, Capillary<double>,
           // the user's own
           Expression<double, ExpressionKind::elastic>, Expression<double, ExpressionKind::rated>,
           Expression<double, ExpressionKind::remembering>>;

}  // namespace beadwave::laws
