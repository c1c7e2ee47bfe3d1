// Where an elastoplastic law, as printed, returns more energy than loading took. The catalogue
// computes these ranges from the law, so the two cannot differ.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace beadwave::laws {

/// A law's two curves over the largest overlap, which is in units of delta_y throughout.
struct PrintedCurves {
    std::function<double(double largest)> force;               ///< of loading, in any unit
    std::function<double(double largest)> printed_span;        ///< delta_e as printed
    std::function<double(double largest)> span;                ///< delta_e of the law
    std::function<double(double largest)> unloading_exponent;  ///< n
};

/// The curves of an elastoplastic law with printed_span() besides what elastoplastic.hpp requires.
template <class Law>
PrintedCurves printed_curves(const Law& law) {
    const double y = law.overlap_yield;
    const auto force = [law, y](double w) { return law.loading_force(w * y); };
    return {
        .force = force,
        .printed_span = [law, y, force](double w) { return law.printed_span(w * y, force(w)) / y; },
        .span = [law, y, force](double w) { return law.recovered_span(w * y, force(w)) / y; },
        .unloading_exponent =
            [law, y]([[maybe_unused]] double w) {
                if constexpr (requires { law.unloading_exponent(w); })
                    return law.unloading_exponent(w * y);
                else
                    return 1.5;
            }};
}

/// Largest overlaps between two, over delta_y.
struct OverlapRange {
    double from, to;
};

struct EnergyFault {
    std::vector<OverlapRange> creates;    ///< where the printed law creates energy
    double most_created = 0.0;            ///< the most of it over the work of loading [-]
    std::vector<OverlapRange> shortened;  ///< where the law's span is below the printed one

    /// "from 1 to 3.11 delta_y and ...", with this number of digits.
    static std::string text(const std::vector<OverlapRange>& ranges, int digits);
};

/// Turns from `onset` to 100 delta_y, in steps of a ten-thousandth; elastic up to `onset`.
EnergyFault energy_fault(const PrintedCurves& curves, double onset = 1.0);

}  // namespace beadwave::laws
