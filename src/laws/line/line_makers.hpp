// The elastic force of each line law from the cylinders and the law's own parameters.
#pragma once

#include "beadwave/laws/line_contact.hpp"
#include "beadwave/laws/line_springs.hpp"
#include "beadwave/laws/settings.hpp"

namespace beadwave::laws::line {

/// delta = (2F/(pi E* L)) (ln(pi E* Delta R L / F) - 1)        [Skrinjar2018 Eq. (33)]
LineSpring hertz(const LineContact&, const Settings&);

/// delta = (F/(pi E* L)) (ln(4 pi E* Delta R L / F) - 1)       [Skrinjar2018 Eq. (36)]
LineSpring johnson(const LineContact&, const Settings&);

/// delta = (F/(pi E* L)) (2/3 + ln(8 E* Delta R L / (b0^2 F)))  [Skrinjar2018 Eq. (41)]
///
/// Eqs (37)-(39), with half-width b = b0 sqrt(F R/(L E*)), have 16 in place of 8 when multiplied
/// out: b0 = 1.60 belongs to diameters there (form = "eq37"). And b0 = 2.15 is 1.60 for Young's
/// modulus in place of E* at nu = 0.3, not a second constant in addition to E*.
LineSpring radzimovsky(const LineContact&, const Settings&);

/// delta = (F/(E* L)) (ln(E* L^m / (F R)) + 1)                  [Skrinjar2018 Eq. (42)]
///
/// The units agree for m = 1 only if the "relative curvature" R is 1/Delta R (curvature =
/// "clearance"); "radius" puts the effective radius there, as Eq. (40) reads, with lengths in
/// metres.
LineSpring goldsmith(const LineContact&, const Settings&);

/// delta = (F/(E* L)) (ln(E* L^3 / (F R)) + 1)                  [Skrinjar2018 Eq. (43)]
LineSpring dubowsky_freudenstein(const LineContact&, const Settings&);

/// delta = (F/(E* L)) (ln(4 E* L Delta R / F) + 1)              [Skrinjar2018 Eq. (44)]
LineSpring esdu_78035(const LineContact&, const Settings&);

/// LiuLine.
LineSpring liu(const LineContact&, const Settings&);

/// PerssonLine, E* times `modulus_factor`: 1 as printed, 2 for the modulus of one of two equal
/// bodies.
LineSpring persson(const LineContact&, const Settings&);

/// F = ((a Delta R + b) L E* / Delta R) delta^n, lengths in mm and E* in MPa [Skrinjar2018 Eqs
/// (47), (48), Table 3]. Y is 1.51 (ln(1000 Delta R))^-0.151: only this form is continuous at
/// 0.34954 mm.
LineSpring pereira(const LineContact&, const Settings&);

/// F = (4/3) E* sqrt(R) delta^n                                 [Skrinjar2018 Eq. (46)]
/// The length does not enter. For n other than 3/2 overlaps count in metres.
LineSpring lankarani_nikravesh(const LineContact&, const Settings&);

}  // namespace beadwave::laws::line
