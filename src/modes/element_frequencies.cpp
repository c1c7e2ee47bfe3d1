#include "modes/element_frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::modes {
namespace {

constexpr double unit_rounding = std::numeric_limits<double>::epsilon();

/// No frequency is above: twice the springs of a mass over the mass [Gershgorin].
double highest_square(const linear::ChainOperator& chain) {
    std::vector<double> springs(chain.size());
    double highest = 0.0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        springs[i] = 2.0 * (chain.stiffness[i] + chain.stiffness[i + 1]);
        if (!chain.ground_stiffness.empty()) springs[i] += chain.ground_stiffness[i];
    }
    for (const linear::InnerMass& each : chain.inner) {
        springs[each.bead] += 2.0 * each.stiffness;
        highest = std::max(highest, 2.0 * each.stiffness / each.mass);
    }
    for (std::size_t i = 0; i < chain.size(); ++i)
        highest = std::max(highest, springs[i] / chain.mass[i]);
    return highest * (1.0 + 1e-6);
}

}  // namespace

std::size_t modes_below(const linear::ChainOperator& chain, double square) {
    std::size_t below = 0;
    double before = 0.0;  // s of the bead before, or the ground
    auto inner = chain.inner.begin();
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const double k = chain.stiffness[i];
        double s = 0.0;
        if (i == 0) {
            s = k;
        } else if (k > 0.0) {
            double pivot = k + before;
            if (pivot == 0.0) pivot = unit_rounding * k;
            if (pivot < 0.0) ++below;
            s = k * (before / pivot);
        } else if (before < 0.0) {
            ++below;
        }
        if (!chain.ground_stiffness.empty()) s += chain.ground_stiffness[i];
        s -= square * chain.mass[i];
        for (; inner != chain.inner.end() && inner->bead == i; ++inner) {
            double own = inner->stiffness - square * inner->mass;
            if (own == 0.0) own = unit_rounding * inner->stiffness;  // a frequency beside it
            if (own < 0.0) ++below;
            if (inner->stiffness > 0.0) s -= square * inner->mass * (inner->stiffness / own);
        }
        before = s;
    }
    return before + chain.stiffness.back() < 0.0 ? below + 1 : below;
}

std::vector<double> element_frequencies(const linear::ChainOperator& chain, std::size_t rigid,
                                        int threads, const Stop& stop) {
    std::vector<double> omega(chain.freedoms());
    const double highest = std::sqrt(highest_square(chain));
    for_each(omega.size() - rigid, threads, stop, [&](std::size_t k) {
        double low = 0.0, high = highest;
        const std::size_t mode = rigid + k;  // modes below it
        while (high - low > 4.0 * unit_rounding * high) {
            const double middle = 0.5 * (low + high);
            if (!(middle > low && middle < high) || high < 1e-100 * highest) break;
            (modes_below(chain, middle * middle) > mode ? high : low) = middle;
        }
        omega[mode] = 0.5 * (low + high);
    });
    std::ranges::sort(omega);
    return omega;
}

}  // namespace beadwave::modes
