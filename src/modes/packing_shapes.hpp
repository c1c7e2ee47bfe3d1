// Shapes of a packing's modes.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/dense_damped.hpp"
#include "modes/modes.hpp"

#include <algorithm>
#include <cmath>
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

/// Damping ratios to first order in the damping, for modes without damping whose shapes are known.
/// Adds a warning, with `why`.
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
    add_first_order_damping(packing.mass, damping, why, modes);
}

}  // namespace beadwave::modes
