#include "orbits/multipliers.hpp"

#include "base/random_numbers.hpp"
#include "modes/lapack.hpp"
#include "orbits/gmres.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace beadwave::orbits {
namespace {

/// A half trace that is 1 for a multiplier pair of 1 is double in a chain that floats, so rounding
/// moves it by its square root; multipliers nearer than this to the unit circle count as on it.
constexpr double tolerance = 1e-6;

/// Numbers of eigenvalues that are all computed, half traces of pairs and multipliers.
constexpr std::size_t most_pairs = 1200, most_single = 600;

modes::lapack::Eigenpairs eigenpairs(const Matrix& matrix) {
    std::vector<double> by_columns(matrix.numbers.size());
    for (std::size_t i = 0; i < matrix.rows; ++i)
        for (std::size_t j = 0; j < matrix.columns; ++j)
            by_columns[j * matrix.rows + i] = matrix(i, j);
    return modes::lapack::general(std::move(by_columns), matrix.rows);
}

/// The larger of mu with (mu + 1/mu) / 2 = half, and the other one.
std::pair<Complex, Complex> pair_of(Complex half) {
    // sqrt(half - 1) sqrt(half + 1) keeps the digits near 1.
    const Complex root = std::sqrt(half - 1.0) * std::sqrt(half + 1.0);
    const Complex a = half + root, b = half - root;
    const Complex larger = std::abs(a) >= std::abs(b) ? a : b;
    return {larger, 1.0 / larger};
}

void add_pairs(std::vector<Complex> halves, std::size_t trivial, Stability& result) {
    // Trivial ones last: the nearest to 1.
    std::ranges::sort(halves, std::greater<>(), [](Complex h) { return std::abs(h - 1.0); });
    const std::size_t others = halves.size() - std::min(trivial, halves.size());
    for (std::size_t k = others; k < halves.size(); ++k)
        halves[k] = 1.0;  // exactly, in any orbit
    for (std::size_t k = 0; k < halves.size(); ++k) {
        const Complex half = halves[k];
        const bool real = half.imag() == 0.0;
        if (real && std::fabs(half.real()) <= 1.0) {
            const double sine = std::sqrt((1.0 - half.real()) * (1.0 + half.real()));
            result.multipliers.emplace_back(half.real(), sine);
            result.multipliers.emplace_back(half.real(), -sine);
            continue;
        }
        const auto [larger, smaller] = pair_of(half);
        result.multipliers.push_back(larger);
        result.multipliers.push_back(smaller);
        if (k >= others || std::abs(larger) <= 1.0 + tolerance || half.imag() < 0.0) continue;
        if (real) {
            result.instabilities.push_back(
                {half.real() > 0.0 ? "real" : "period-doubling", larger.real()});
        } else {
            result.instabilities.push_back(
                {"oscillatory", {larger.real(), std::fabs(larger.imag())}});
        }
    }
}

struct Largest {
    std::vector<Complex> values{};
    Complex next{};  ///< an estimate of the largest of the others
};

/// The eigenvalues of largest modulus, by Arnoldi's method: those that have converged before the
/// first that has not. `pairs_of_multipliers`: they are half the sums of reciprocal pairs, and the
/// larger multiplier of a pair counts.
Largest largest_eigenvalues(const Band& matrix, bool pairs_of_multipliers) {
    constexpr std::size_t most = 500;
    constexpr double accuracy = 1e-8;
    Uniform random(1);
    std::vector<double> start(matrix.size);
    for (double& x : start)
        x = random();
    Arnoldi space(std::move(start));
    while (space.size() < most && space.add(multiply(matrix, space.last()))) {
    }
    const std::size_t m = space.size();
    std::vector<double> hessenberg(m * m);  // by columns
    for (std::size_t j = 0; j < m; ++j)
        for (std::size_t k = 0; k <= std::min(j + 1, m - 1); ++k)
            hessenberg[j * m + k] = space.component(k, j);
    const modes::lapack::Eigenpairs pairs = modes::lapack::general(std::move(hessenberg), m);
    std::vector<std::size_t> order(m);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) {
        const Complex value = pairs.values[k];
        return std::abs(pairs_of_multipliers ? pair_of(value).first : value);
    });
    Largest found;
    for (const std::size_t k : order) {
        const double error = space.component(m, m - 1) * std::abs(pairs.vectors[k * m + m - 1]);
        found.next = pairs.values[k];
        if (!(error < accuracy * std::abs(pairs.values[k]))) break;
        found.values.push_back(pairs.values[k]);
    }
    return found;
}

/// Sorts both: largest modulus first.
void sort(Stability& result) {
    std::ranges::stable_sort(result.multipliers, [](Complex a, Complex b) {
        // Conjugate ones have one modulus: side by side, the upper one first.
        const double p = std::abs(a), q = std::abs(b);
        if (std::fabs(p - q) > 1e-13 * p) return p > q;
        if (a.real() != b.real()) return a.real() > b.real();
        return a.imag() > b.imag();
    });
    std::ranges::stable_sort(result.instabilities, std::greater<>(),
                             [](const Instability& each) { return std::abs(each.multiplier); });
}

/// Gives each instability its eigenvector. `pairs`: the eigenvalues are half the sums of reciprocal
/// multipliers.
void add_vectors(Stability& result, const modes::lapack::Eigenpairs& all, bool pairs) {
    const std::size_t n = all.values.size();
    for (Instability& each : result.instabilities) {
        const Complex mu = each.multiplier, wanted = pairs ? 0.5 * (mu + 1.0 / mu) : mu;
        const auto nearest = std::ranges::min_element(
            all.values, {}, [&](Complex value) { return std::abs(value - wanted); });
        const auto first =
            all.vectors.begin() + (nearest - all.values.begin()) * static_cast<std::ptrdiff_t>(n);
        each.vector.assign(first, first + static_cast<std::ptrdiff_t>(n));
    }
}

/// `values`: eigenvalues of the monodromy, or some of them.
Stability stability_of(std::vector<Complex> values, bool pairs, std::size_t trivial) {
    Stability result;
    if (pairs) {
        add_pairs(values, trivial, result);
    } else {
        result.multipliers = values;
        for (const Complex mu : values) {
            if (std::abs(mu) <= 1.0 + 1e-9 || mu.imag() < 0.0) continue;
            const char* const kind = mu.imag() != 0.0  ? "neimark-sacker"
                                     : mu.real() > 0.0 ? "tangent"
                                                       : "period-doubling";
            result.instabilities.push_back({kind, mu});
        }
    }
    sort(result);
    return result;
}

}  // namespace

Stability stability(const Matrix& monodromy, bool pairs, std::size_t trivial) {
    const modes::lapack::Eigenpairs all = eigenpairs(monodromy);
    Stability result = stability_of(all.values, pairs, trivial);
    result.total = result.multipliers.size();
    add_vectors(result, all, pairs);
    return result;
}

Stability stability_within(const Band& monodromy, bool pairs, std::size_t trivial) {
    const std::size_t most = pairs ? most_pairs : most_single;
    if (monodromy.size <= most) return stability(full(monodromy), pairs, trivial);
    const Largest largest = largest_eigenvalues(monodromy, pairs);
    std::vector<Complex> found = largest.values;
    // Those that are 1 in any orbit need not be among them.
    const auto ones = static_cast<std::size_t>(
        std::ranges::count_if(found, [](Complex value) { return std::abs(value - 1.0) < 1e-7; }));
    Stability result = stability_of(std::move(found), pairs, std::min(trivial, ones));
    result.total = pairs ? 2 * monodromy.size : monodromy.size;
    result.others = std::abs(pairs ? pair_of(largest.next).first : largest.next);
    return result;
}

Stability stability_of_wave(const Matrix& monodromy) {
    Stability result;
    const modes::lapack::Eigenpairs all = eigenpairs(monodromy);
    result.multipliers = all.values;
    result.total = result.multipliers.size();
    std::ranges::sort(result.multipliers, std::less<>(),
                      [](Complex mu) { return std::abs(mu - 1.0); });
    constexpr std::size_t trivial = 2;
    for (std::size_t k = 0; k < result.multipliers.size(); ++k) {
        Complex& mu = result.multipliers[k];
        if (k < trivial) mu = 1.0;
        if (k < trivial || std::abs(mu) <= 1.0 + tolerance || mu.imag() < 0.0) continue;
        const char* const kind = mu.imag() != 0.0  ? "oscillatory"
                                 : mu.real() > 0.0 ? "real"
                                                   : "period-doubling";
        result.instabilities.push_back({kind, mu});
    }
    sort(result);
    add_vectors(result, all, false);
    return result;
}

}  // namespace beadwave::orbits
