// The dashpot beside Mindlin's tangential spring: how large it is.
//
//     c = damping + scaled sqrt(k),   k = 8 G* sqrt(R delta)
//
// One of four numbers sets it, with m the effective mass of the pair (a held body and a wall count
// as infinitely heavy):
//
//     damping                 c is this [N s/m]
//     damping_ratio           c = 2 ratio sqrt(k m); YADE's betas
//     damping_factor          c = factor 2 sqrt(5/6) beta sqrt(k m), beta = -ln e / sqrt(pi^2 +
//                             ln^2 e), with the restitution e of the normal law; factor 1 is
//                             LIGGGHTS's tangential_damping and EDEM's [Tsuji et al. 1992;
//                             Antypov and Elliott 2011]
//     normal_damping_factor   c = factor times the coefficient of the normal dashpot, of laws where
//                             that grows with delta^(1/4) as sqrt(k) does; LAMMPS's xgammat
#pragma once

namespace beadwave::laws {

struct TangentialDashpot {
    double constant = 0.0;  ///< [N s/m]
    double scaled = 0.0;    ///< times the root of the tangential stiffness [kg^0.5]

    bool acts() const { return constant > 0.0 || scaled > 0.0; }
};

}  // namespace beadwave::laws
