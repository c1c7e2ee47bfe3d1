#include "modes/chain_modes.hpp"

#include "linear/entries.hpp"
#include "modes/damped_modes.hpp"
#include "modes/dense_damped.hpp"
#include "modes/element_frequencies.hpp"
#include "modes/far_modes.hpp"
#include "modes/hertz.hpp"
#include "modes/lapack.hpp"
#include "modes/sliced_frequencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

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
    if (!chain.far.empty()) {
        std::vector<double> all = far_frequencies(chain, chain.rigid_modes(), threads, stop);
        std::ranges::transform(all, all.begin(), hertz);
        return all;
    }
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

/// `numbers`: stiffness or damping of the entries.
std::vector<double> dense_matrix(const linear::Entries& entries,
                                 const std::vector<double>& numbers) {
    const std::size_t n = entries.mass.size();
    std::vector<double> matrix(n * n);
    for (std::size_t e = 0; e < entries.row.size(); ++e) {
        const auto i = static_cast<std::size_t>(entries.row[e]),
                   j = static_cast<std::size_t>(entries.column[e]);
        matrix[j * n + i] += numbers[e] / std::sqrt(entries.mass[i] * entries.mass[j]);
    }
    return matrix;
}

/// Shapes from vectors in freedoms times sqrt(m), one per column.
template <class Number>
std::vector<Complex> shape_of(const std::vector<double>& mass, const Number* weighted) {
    std::vector<Complex> shape(mass.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
        shape[i] = weighted[i] / std::sqrt(mass[i]);
    return shape;
}

/// The shapes by the eigenvectors of the matrix, ascending.
std::vector<std::vector<Complex>> dense_shapes(const linear::ChainOperator& chain) {
    const linear::Entries entries = linear::entries_of(chain);
    const std::size_t n = entries.mass.size();
    std::vector<double> matrix = dense_matrix(entries, entries.stiffness);
    lapack::symmetric(matrix, n);
    std::vector<std::vector<Complex>> shapes;
    for (std::size_t mode = 0; mode < n; ++mode)
        shapes.push_back(shape_of(entries.mass, matrix.data() + mode * n));
    return shapes;
}

std::vector<std::vector<Complex>> undamped_shapes(const linear::ChainOperator& chain) {
    if (chain.has_element_springs() || !chain.far.empty()) return dense_shapes(chain);
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

/// Where forces reach beyond the next bead: by dense matrices, or to first order in the damping.
void solve_far_damped(const linear::ChainOperator& chain, bool with_shapes, Modes& modes) {
    const std::size_t n = chain.freedoms();
    const linear::Entries entries = linear::entries_of(chain);
    if (n > most_dense_damped) {
        const std::string why = fmt::format(
            "{} freedoms are too many for damped modes of forces that reach beyond the next bead, "
            "which are computed for up to {}",
            n, most_dense_damped);
        if (!with_shapes) {
            modes.warnings.push_back(why + "; the frequencies are those without damping");
            return;
        }
        set_shapes(chain, undamped_shapes(chain), modes);
        std::vector<double> damping(modes.frequency.size());
        for (std::size_t mode = 0; mode < damping.size(); ++mode) {
            const Complex* u = modes.shape.data() + mode * n;
            for (std::size_t e = 0; e < entries.row.size(); ++e)
                damping[mode] += entries.damping[e] *
                                 (std::conj(u[entries.row[e]]) * u[entries.column[e]]).real();
        }
        add_first_order_damping(entries.mass, damping, why, modes);
        return;
    }
    const DenseMatrices matrices{.stiffness = dense_matrix(entries, entries.stiffness),
                                 .damping = dense_matrix(entries, entries.damping)};
    std::vector<double> vectors = matrices.stiffness;
    lapack::symmetric(vectors, n);
    const double highest = modes.frequency.back();
    modes.frequency.assign(modes.rigid, 0.0);
    modes.damping_ratio.assign(modes.rigid, 0.0);
    std::vector<std::vector<Complex>> shapes;
    for (std::size_t k = 0; k < modes.rigid; ++k)
        shapes.push_back(shape_of(entries.mass, vectors.data() + k * n));
    for (const DampedMode& mode : dense_damped_modes(matrices, vectors, modes.rigid, highest)) {
        const double size = std::abs(mode.lambda);
        modes.frequency.push_back(hertz(size));
        modes.damping_ratio.push_back(-mode.lambda.real() / size);
        shapes.push_back(shape_of(entries.mass, mode.shape.data()));
    }
    set_shapes(chain, std::move(shapes), modes);
    note_overdamped(modes);
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
    if (!chain.far.empty()) {
        solve_far_damped(chain, with_shapes, modes);
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
    modes.freedoms = freedoms;
    note_overdamped(modes);
    if (with_shapes) set_shapes(chain, std::move(shapes), modes);
    return modes;
}

}  // namespace beadwave::modes
