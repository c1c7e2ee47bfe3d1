// Chains of magnets whose forces reach beyond the next bead, and the dense matrices of these
// forces, built from the force law and the places of the beads alone.
#pragma once

#include "mode_chains.hpp"
#include "modes/lapack.hpp"
#include "subjects/chain/chain_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation {

inline constexpr double far_mass = 2e-3, far_strength = 0.5, far_spacing = 0.02;

/// Magnets between two that are held, in equilibrium.
inline std::string magnet_row(int beads, int neighbours, double exponent,
                              const std::string& more = "") {
    return materials + fmt::format(R"(
[[segment]]
beads = {}
radius = 5e-3
mass = {}
gap = 0.01
material = "steel"
[law]
name = "hertz"
[boundary]
left = "fixed"
right = "fixed"
[[pair_force]]
force = {}
distance = {}
exponent = {}
neighbours = {}
equilibrium = true
{}
)",
                                   beads, far_mass, far_strength, far_spacing, exponent, neighbours,
                                   more);
}

inline chain::Chain far_chain_of(const std::string& text) {
    const auto job = jobs::read_job_text(text, "modes.toml", ".", {});
    return dynamic_cast<const jobs::ChainJob&>(*job).system();
}

/// The stiffness of one pair at the distance r, and its force.
inline double pair_stiffness(double r, double exponent) {
    return exponent * far_strength * std::pow(far_spacing / r, exponent) / r;
}
inline double pair_push(double r, double exponent) {
    return far_strength * std::pow(far_spacing / r, exponent);
}

/// A square matrix, row by row.
struct FarMatrix {
    explicit FarMatrix(std::size_t size) : n(size), at(size * size) {}
    double& operator()(std::size_t i, std::size_t j) { return at[i * n + j]; }
    void spring(std::size_t i, std::size_t j, double k) {
        (*this)(i, i) += k, (*this)(j, j) += k, (*this)(i, j) -= k, (*this)(j, i) -= k;
    }
    std::size_t n;
    std::vector<double> at;
};

/// Of all pairs of a magnet row, with all beads.
inline FarMatrix pair_matrix(const std::vector<double>& x, std::size_t neighbours,
                             double exponent) {
    FarMatrix k(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = i + 1; j < x.size() && j <= i + neighbours; ++j)
            k.spring(i, j, pair_stiffness(x[j] - x[i], exponent));
    }
    return k;
}

/// Without some rows and columns.
inline FarMatrix without(FarMatrix whole, const std::vector<std::size_t>& held) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < whole.n; ++i)
        if (!std::ranges::count(held, i)) kept.push_back(i);
    FarMatrix part(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
        for (std::size_t j = 0; j < kept.size(); ++j)
            part(i, j) = whole(kept[i], kept[j]);
    return part;
}

/// Ascending [Hz].
inline std::vector<double> dense_frequencies_of(FarMatrix k, const std::vector<double>& masses) {
    for (std::size_t i = 0; i < k.n; ++i)
        for (std::size_t j = 0; j < k.n; ++j)
            k(i, j) /= std::sqrt(masses[i] * masses[j]);
    std::vector<double> squares = modes::lapack::symmetric(k.at, k.n);
    for (double& each : squares)
        each = std::sqrt(std::max(each, 0.0)) / (2.0 * std::numbers::pi);
    return squares;
}

}  // namespace beadwave::validation
