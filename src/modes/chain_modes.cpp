#include "modes/chain_modes.hpp"

#include "jobs/on_threads.hpp"
#include "modes/damped_modes.hpp"
#include "modes/lapack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

bool is_its_mirror_image(const linear::ChainOperator& chain) {
    const auto symmetric = [](const std::vector<double>& all) {
        return std::equal(all.begin(), all.end(), all.rbegin());
    };
    return symmetric(chain.mass) && symmetric(chain.stiffness);
}

/// The left half of a symmetric chain that moves opposite to the right half, or like it. Without a
/// middle bead the middle contact is stretched twice as far, or not at all. A middle bead rests, or
/// moves with half of its mass.
linear::ChainOperator half_of(const linear::ChainOperator& chain, bool opposite) {
    const std::size_t n = chain.size(), middle = n / 2;
    const bool has_middle = n % 2 == 1;
    const std::size_t beads = middle + (has_middle && !opposite ? 1 : 0);
    const auto at = [](std::size_t k) { return static_cast<std::ptrdiff_t>(k); };
    linear::ChainOperator half;
    half.mass.assign(chain.mass.begin(), chain.mass.begin() + at(beads));
    half.stiffness.assign(chain.stiffness.begin(), chain.stiffness.begin() + at(beads + 1));
    if (has_middle && !opposite) half.mass.back() *= 0.5;
    if (!opposite) half.stiffness.back() = 0.0;
    if (!has_middle && opposite) half.stiffness.back() *= 2.0;
    return half;
}

/// [Hz], ascending. The work grows as the square of the beads, so a symmetric chain is solved as
/// two halves, on two threads.
std::vector<double> all_frequencies(const linear::ChainOperator& chain) {
    constexpr std::size_t worth_halving = 4000;
    if (chain.size() < worth_halving || !is_its_mirror_image(chain)) return frequencies_of(chain);
    std::array<std::vector<double>, 2> halves;
    jobs::for_each_on_threads(
        2, 2, [&](std::size_t k) { halves[k] = frequencies_of(half_of(chain, k == 1)); });
    std::vector<double> all(chain.size());
    std::ranges::merge(halves[0], halves[1], all.begin());
    return all;
}

/// Rows of y = u sqrt(m), as shapes u with the largest number 1.
void set_shapes(const linear::ChainOperator& chain, std::vector<std::vector<Complex>> shapes,
                Modes& modes) {
    const std::size_t n = chain.size();
    modes.freedoms = n;
    for (std::vector<Complex>& shape : shapes) {
        double first = 0.0, second = 0.0;
        Complex largest = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            const double energy = chain.mass[i] * std::norm(shape[i]);
            first += energy;
            second += energy * energy;
            if (std::norm(shape[i]) > std::norm(largest)) largest = shape[i];
        }
        modes.participation_ratio.push_back(first * first / (static_cast<double>(n) * second));
        for (const Complex& u : shape)
            modes.shape.push_back(u / largest);
    }
}

std::vector<std::vector<Complex>> undamped_shapes(const linear::ChainOperator& chain) {
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

Modes solve(const linear::ChainOperator& chain, const Stop& stop) {
    Modes modes;
    modes.warnings = chain.warnings;
    modes.rigid = chain.rigid_modes();
    modes.frequency = all_frequencies(chain);
    std::fill_n(modes.frequency.begin(), modes.rigid, 0.0);

    const bool with_shapes = chain.size() <= most_with_shapes;
    if (!with_shapes) {
        modes.warnings.push_back(fmt::format(
            "{} degrees of freedom are too many for shapes and participation ratios, which are "
            "computed for up to {}",
            chain.size(), most_with_shapes));
    }
    if (!chain.damped()) {
        if (with_shapes) set_shapes(chain, undamped_shapes(chain), modes);
        return modes;
    }
    if (chain.size() > most_with_damping) {
        modes.warnings.push_back(fmt::format(
            "{} beads are too many for damping ratios, which are computed for up to {}; the "
            "frequencies are those without damping",
            chain.size(), most_with_damping));
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
    if (lambda.size() > chain.size()) {
        modes.warnings.push_back(
            fmt::format("{} modes are overdamped; each is listed twice, with its two decay rates "
                        "2 pi times frequency and the damping ratio 1",
                        lambda.size() - chain.size()));
    }
    if (with_shapes) set_shapes(chain, std::move(shapes), modes);
    return modes;
}

}  // namespace beadwave::modes
