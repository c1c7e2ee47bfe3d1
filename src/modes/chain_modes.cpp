#include "modes/chain_modes.hpp"

#include "linear/entries.hpp"
#include "modes/damped_modes.hpp"
#include "modes/element_frequencies.hpp"
#include "modes/lapack.hpp"
#include "modes/sliced_frequencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::modes {
namespace {

/// The bidiagonal matrix with one row more than columns, made square and upper bidiagonal by
/// rotations of its rows. They only multiply, so every number keeps its relative accuracy.
struct Bidiagonal {
    std::vector<double> diagonal, above;
};

Bidiagonal bidiagonal_of(const linear::ChainOperator& chain) {
    const std::size_t n = chain.size();
    Bidiagonal upper{std::vector<double>(n), std::vector<double>(n)};
    double diagonal = std::sqrt(chain.stiffness[0] / chain.mass[0]);
    for (std::size_t i = 0; i < n; ++i) {
        const double below = -std::sqrt(chain.stiffness[i + 1] / chain.mass[i]);
        const double length = std::hypot(diagonal, below);
        const double cosine = length > 0.0 ? diagonal / length : 1.0;
        const double sine = length > 0.0 ? below / length : 0.0;
        upper.diagonal[i] = length;
        if (i + 1 == n) break;
        const double next = std::sqrt(chain.stiffness[i + 1] / chain.mass[i + 1]);
        upper.above[i] = sine * next;
        diagonal = cosine * next;
    }
    return upper;
}

constexpr double hertz(double omega) {
    return omega / (2.0 * std::numbers::pi);
}

std::vector<double> frequencies_of(const linear::ChainOperator& chain) {
    Bidiagonal matrix = bidiagonal_of(chain);
    lapack::bidiagonal_values(matrix.diagonal, matrix.above);
    std::ranges::reverse(matrix.diagonal);
    std::ranges::transform(matrix.diagonal, matrix.diagonal.begin(), hertz);
    return std::move(matrix.diagonal);
}

/// [Hz], ascending.
std::vector<double> all_frequencies(const linear::ChainOperator& chain, int threads,
                                    const Stop& stop) {
    const bool springs = chain.has_element_springs();
    if (chain.size() <= most_with_shapes && !springs) return frequencies_of(chain);
    std::vector<double> all = springs
                                  ? element_frequencies(chain, chain.rigid_modes(), threads, stop)
                                  : sliced_frequencies(chain, threads, stop);
    std::ranges::transform(all, all.begin(), hertz);
    return all;
}

/// Rows of y = u sqrt(m), as shapes u with the largest number 1.
void set_shapes(const linear::ChainOperator& chain, std::vector<std::vector<Complex>> shapes,
                Modes& modes) {
    const std::vector<double> mass = chain.masses();
    const std::size_t n = mass.size();
    modes.freedoms = n;
    for (std::vector<Complex>& shape : shapes) {
        double first = 0.0, second = 0.0;
        Complex largest = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            const double energy = mass[i] * std::norm(shape[i]);
            first += energy;
            second += energy * energy;
            if (std::norm(shape[i]) > std::norm(largest)) largest = shape[i];
        }
        modes.participation_ratio.push_back(first * first / (static_cast<double>(n) * second));
        for (const Complex& u : shape)
            modes.shape.push_back(u / largest);
    }
}

/// By the eigenvectors of the matrix, ascending.
std::vector<std::vector<Complex>> shapes_with_elements(const linear::ChainOperator& chain) {
    const linear::Entries entries = linear::entries_of(chain);
    const std::size_t n = entries.mass.size();
    std::vector<double> matrix(n * n);
    for (std::size_t e = 0; e < entries.row.size(); ++e) {
        const auto i = static_cast<std::size_t>(entries.row[e]),
                   j = static_cast<std::size_t>(entries.column[e]);
        matrix[j * n + i] += entries.stiffness[e] / std::sqrt(entries.mass[i] * entries.mass[j]);
    }
    lapack::symmetric(matrix, n);
    std::vector<std::vector<Complex>> shapes;
    for (std::size_t mode = 0; mode < n; ++mode) {
        std::vector<Complex>& shape = shapes.emplace_back(n);
        for (std::size_t i = 0; i < n; ++i)
            shape[i] = matrix[mode * n + i] / std::sqrt(entries.mass[i]);
    }
    return shapes;
}

std::vector<std::vector<Complex>> undamped_shapes(const linear::ChainOperator& chain) {
    if (chain.has_element_springs()) return shapes_with_elements(chain);
    const std::size_t n = chain.size();
    Bidiagonal matrix = bidiagonal_of(chain);
    const std::vector<double> right = lapack::bidiagonal_vectors(matrix.diagonal, matrix.above);
    std::vector<std::vector<Complex>> shapes;
    for (std::size_t mode = n; mode-- > 0;) {  // descending singular values
        std::vector<Complex>& shape = shapes.emplace_back(n);
        for (std::size_t i = 0; i < n; ++i)
            shape[i] = right[mode * n + i] / std::sqrt(chain.mass[i]);
    }
    return shapes;
}

}  // namespace

Modes solve(const linear::ChainOperator& chain, int threads, const Stop& stop) {
    Modes modes;
    modes.warnings = chain.warnings;
    modes.rigid = chain.rigid_modes();
    modes.frequency = all_frequencies(chain, threads, stop);
    std::fill_n(modes.frequency.begin(), modes.rigid, 0.0);

    const std::size_t freedoms = chain.freedoms();
    const bool with_shapes = freedoms <= most_with_shapes;
    if (!with_shapes) {
        modes.warnings.push_back(fmt::format(
            "{} degrees of freedom are too many for shapes and participation ratios, which are "
            "computed for up to {}",
            freedoms, most_with_shapes));
    }
    if (!chain.damped()) {
        if (with_shapes) set_shapes(chain, undamped_shapes(chain), modes);
        return modes;
    }
    if (freedoms > most_with_damping) {
        modes.warnings.push_back(fmt::format(
            "{} freedoms are too many for damping ratios, which are computed for up to {}; the "
            "frequencies are those without damping",
            freedoms, most_with_damping));
        if (with_shapes) set_shapes(chain, undamped_shapes(chain), modes);
        return modes;
    }
    const std::vector<Complex> lambda =
        damped_eigenvalues(chain, modes.frequency, modes.rigid, stop);
    modes.frequency.clear();
    std::vector<std::vector<Complex>> shapes;
    for (const Complex& each : lambda) {
        const double size = std::abs(each);
        modes.frequency.push_back(hertz(size));
        modes.damping_ratio.push_back(size > 0.0 ? -each.real() / size : 0.0);
        if (with_shapes) shapes.push_back(damped_shape(chain, each));
    }
    if (lambda.size() > freedoms) {
        modes.warnings.push_back(
            fmt::format("{} modes are overdamped; each is listed twice, with its two decay rates "
                        "2 pi times frequency and the damping ratio 1",
                        lambda.size() - freedoms));
    }
    if (with_shapes) set_shapes(chain, std::move(shapes), modes);
    return modes;
}

}  // namespace beadwave::modes
