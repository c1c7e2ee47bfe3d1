// Shapes of a packing's modes.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::modes {

/// Appends the shape and the participation ratio of a mode, given in the freedoms times sqrt(mass).
template <class Number>
void add_shape(const linear::PackingOperator& packing, const Number* weighted, Modes& modes) {
    const std::size_t n = packing.size(), c = packing.components();
    double first = 0.0, second = 0.0;
    for (std::size_t body = 0; body < packing.body.size(); ++body) {
        double energy = 0.0;
        for (std::size_t k = 0; k < c; ++k)
            energy += std::norm(weighted[body * c + k]);
        first += energy;
        second += energy * energy;
    }
    modes.participation_ratio.push_back(first * first /
                                        (static_cast<double>(packing.body.size()) * second));
    Complex largest = 0.0;
    const std::size_t begin = modes.shape.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Complex u = weighted[i] / std::sqrt(packing.mass[i]);
        if (std::norm(u) > 1.0000001 * std::norm(largest)) largest = u;
        modes.shape.push_back(u);
    }
    for (std::size_t i = begin; i < modes.shape.size(); ++i)
        modes.shape[i] /= largest;
}

/// Damping ratios to first order in the damping, for modes without damping whose shapes are known:
/// c/(2 omega m), c and m the damping and the mass of the mode. Adds a warning, with `why`.
inline void add_first_order_damping(const linear::PackingOperator& packing, const std::string& why,
                                    Modes& modes) {
    const std::size_t n = packing.size(), c = packing.components(), count = modes.frequency.size();
    std::vector<double> damping(count);
    for (const linear::Link& link : packing.links) {
        for (const linear::Spring& spring : packing.springs(link)) {
            if (spring.damping == 0.0) continue;
            for (std::size_t mode = 0; mode < count; ++mode) {
                const Complex* u = modes.shape.data() + mode * n;
                Complex stretch = 0.0;
                for (std::size_t k = 0; k < c; ++k) {
                    if (link.first != linear::Link::ground)
                        stretch += spring.first[k] * u[link.first * c + k];
                    if (link.second != linear::Link::ground)
                        stretch += spring.second[k] * u[link.second * c + k];
                }
                damping[mode] += spring.damping * std::norm(stretch);
            }
        }
    }
    double largest = 0.0;
    for (std::size_t mode = 0; mode < count; ++mode) {
        double mass = 0.0;
        for (std::size_t i = 0; i < n; ++i)
            mass += packing.mass[i] * std::norm(modes.shape[mode * n + i]);
        const double omega = 2.0 * std::numbers::pi * modes.frequency[mode];
        modes.damping_ratio.push_back(omega > 0.0 ? damping[mode] / (2.0 * omega * mass) : 0.0);
        largest = std::max(largest, modes.damping_ratio.back());
    }
    modes.warnings.push_back(fmt::format(
        "{}: the frequencies are those without damping, the damping ratios, up to {:.2g}, are to "
        "first order in the damping",
        why, largest));
}

}  // namespace beadwave::modes
