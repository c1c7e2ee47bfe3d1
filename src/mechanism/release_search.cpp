// The part of Events that looks within a step for what its ends do not show: a contact at rest that
// would have to pull, friction above mu N, a slip that stops, and friction of joints.
#include "mechanism/events.hpp"
#include "mechanism/step_interpolant.hpp"

#include <boost/math/tools/minima.hpp>

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {
namespace {

/// The largest change by interpolant and rounding where nothing happens, over the margins' scale.
constexpr double noise = 1e-9;
/// How near zero, over the margins' scale, the parabola through three margins has its lowest point
/// if the margins themselves may pass zero.
constexpr double near = 0.02;
/// Pieces of a step. A step has at most an eighth of the period of a load (longest_step.cpp), and
/// of a motion that the accuracy resolves not much more.
constexpr std::size_t pieces = 7;

/// Where the parabola through three points with equal distances has its lowest point, in distances
/// from the middle, and its value there. False if it has none.
bool lowest_point(const std::array<double, 3>& m, double least_curvature, double& at,
                  double& value) {
    const double curvature = m[0] - 2.0 * m[1] + m[2], slope = 0.5 * (m[2] - m[0]);
    if (!(curvature > least_curvature)) return false;
    at = -slope / curvature;
    value = m[1] + 0.5 * slope * at;
    return at >= -1.0 && at <= 1.0;
}

}  // namespace

Events::Span Events::find_release(double step, const std::vector<double>& y) {
    Span whole{.low = 0.0, .high = step};
    const bool contacts = std::ranges::any_of(dynamics_.contact_states, [](const auto& state) {
        return state.phase == ContactState::Phase::resting;
    });
    if (ignore_releases_ || step == 0.0 || (!contacts && dynamics_.joint_frictions.empty()))
        return whole;
    // Contacts, then joints.
    using Margins = std::array<Dynamics::Margin, 2>;
    const auto margins_at = [&](double h, const std::vector<double>& state) -> Margins {
        dydt_.resize(state.size());
        dynamics_.derivatives(stepper_.time() + h, state, dydt_);
        return {dynamics_.resting_margin(), dynamics_.joint_margin()};
    };
    std::array<Margins, pieces + 1> all;
    all.back() = margins_at(step, y);
    const std::vector<double> dydt = dydt_;
    const StepEnd begin{stepper_.begin(), stepper_.first_derivatives()}, end{y, dydt};
    const auto time_of = [&](double piece) { return step * piece / static_cast<double>(pieces); };
    for (std::size_t i = 0; i < pieces; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(pieces);
        interpolate(begin, end, dynamics_.coordinates(), step, part, scratch_);
        all[i] = margins_at(part * step, scratch_);
    }
    Span first = whole;
    for (std::size_t kind = 0; kind < 2; ++kind) {
        double scale = 0.0;
        for (const Margins& margins : all)
            scale = std::max(scale, margins[kind].scale);
        if (!(scale > 0.0) || !std::isfinite(all[0][kind].least)) continue;
        const auto margin = [&](std::size_t i) { return all[i][kind].least; };
        // The steps themselves have the last word.
        const auto true_margin = [&](double h) {
            stepper_.step(h, scratch_);
            return margins_at(h, scratch_)[kind].least;
        };
        for (std::size_t i = 1; i < pieces; ++i) {
            const double before = time_of(static_cast<double>(i) - 1.0);
            if (!(before < first.high)) break;
            const double here = time_of(static_cast<double>(i));
            if (margin(i) < -noise * scale && true_margin(here) < 0.0) {
                if (here < first.high) first = {before, here};
                break;
            }
            double at = 0.0, value = 0.0;
            if (!lowest_point({margin(i - 1), margin(i), margin(i + 1)}, noise * scale, at,
                              value) ||
                value > near * scale)
                continue;
            constexpr int bits = 20;
            const double after = time_of(static_cast<double>(i) + 1.0);
            const auto [lowest, least] =
                boost::math::tools::brent_find_minima(true_margin, before, after, bits);
            if (!(least < -noise * scale)) continue;
            if (lowest < first.high) first = {before, lowest};
            break;
        }
    }
    if (first.high == step) first.low = time_of(static_cast<double>(pieces) - 1.0);
    return first;
}

}  // namespace beadwave::mechanism
