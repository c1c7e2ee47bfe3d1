// How exact a hysteresis factor is, by the exact relation for its output restitution.
#pragma once

#include <string>
#include <vector>

namespace beadwave::laws {

/// Restitutions from `from` to `to`, in steps of 0.01.
struct RestitutionRange {
    double from, to;
};

/// Where, on e = 0.01, 0.02 ... 1 above `least`, the output restitution is within 1 % of e.
std::vector<RestitutionRange> faithful_restitutions(double (*chi)(double restitution),
                                                    double least);

/// "returns a restitution within 1 % of e for e from 0.96 to 1; it is 0.909 for e = 0.9, ...".
std::string measured_validity(double (*chi)(double restitution), double least);

}  // namespace beadwave::laws
