// Damping factors that are roots of an equation; for e in (0, 1].
#pragma once

namespace beadwave::laws {

/// chi = d/e, where (1 + d/e) / (1 - d) = exp(d (1 + 1/e)), 0 < d < 1
/// [Poursina2020 Eqs (18), (19)].
double zhang_sharf_factor(double restitution);

/// chi = 1/q, where 1 + e = q ln|(q + 1) / (q - e)| [CorralReview Eq. (5.31)]. The modulus allows
/// a second root q < e, for a body that separates faster than physically possible: q > e is meant.
double khatiwada_factor(double restitution);

}  // namespace beadwave::laws
