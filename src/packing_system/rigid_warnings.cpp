#include "packing_system/rigid_warnings.hpp"

#include <fmt/format.h>

namespace beadwave::running {

std::vector<std::string> rigid_warnings(const packing::Packing& packing,
                                        const packing::RigidReport& report, double time_step) {
    std::vector<std::string> warnings;
    if (report.unconverged > 0) {
        warnings.push_back(fmt::format(
            "the impulses of {} steps did not converge: their last change was up to {:.1g} of the "
            "largest impulse, beyond law.solver_tolerance; expected more law.solver_iterations "
            "than {:g}, or a larger tolerance",
            report.unconverged, report.largest_change, packing.law.number("solver_iterations")));
    }
    const packing::DeepContact& deepest = report.penetration;
    if (deepest.depth > large_penetration) {
        const bool wall = deepest.second >= packing.particles();
        warnings.push_back(fmt::format(
            "particle {} and {} {} penetrated each other by {:.3g} m at step {} (t = {:.6g} s), "
            "{:.2g} times the smaller radius; {}",
            deepest.first, wall ? "wall" : "particle",
            wall ? deepest.second - packing.particles() : deepest.second, deepest.overlap,
            deepest.step, static_cast<double>(deepest.step) * time_step, deepest.depth,
            deepest.step == 0 ? "expected places that are farther apart at the start"
                              : "expected a smaller time.step"));
    }
    return warnings;
}

}  // namespace beadwave::running
