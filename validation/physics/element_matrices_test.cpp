// Chains whose beads carry something at random: counts of modes, damped modes and transfer
// functions against dense matrices written here.

#include "largest.hpp"
#include "linear/chain_operator.hpp"
#include "modes/chain_modes.hpp"
#include "modes/chain_transfer.hpp"
#include "modes/element_frequencies.hpp"
#include "modes/lapack.hpp"
#include "relative.hpp"
#include "splitmix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::element_matrices_test {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

/// Masses 1, contacts around 1, and what beads carry, at random.
linear::ChainOperator random_chain(std::size_t beads, double damping, std::uint64_t seed,
                                   bool held = true) {
    const auto uniform = [&] {
        seed = mixed(seed);
        return static_cast<double>(seed >> 11) * 0x1p-53;
    };
    linear::ChainOperator chain;
    for (std::size_t i = 0; i < beads; ++i)
        chain.bead.push_back(i);
    for (std::size_t i = 0; i <= beads; ++i) {
        const bool end = i == 0 || i == beads;
        chain.stiffness.push_back(end && !held ? 0.0 : 0.5 + uniform());
        chain.damping.push_back(end && !held ? 0.0 : damping * uniform());
        if (i == beads) break;
        chain.mass.push_back(0.5 + uniform());
        chain.position.push_back(static_cast<double>(i));
        chain.ground_stiffness.push_back(held ? 0.3 * uniform() : 0.0);
        chain.ground_damping.push_back(damping * uniform());
        for (std::size_t k = 0; k < i % 3; ++k)
            chain.inner.push_back({i, 0.2 + uniform(), 0.1 + uniform(), damping * uniform()});
    }
    return chain;
}

/// M, K and C as dense matrices, from the equations of motion.
struct Dense {
    std::size_t n;
    std::vector<double> mass, stiffness, damping;

    explicit Dense(const linear::ChainOperator& chain)
        : n(chain.mass.size() + chain.inner.size()),
          mass(chain.mass),
          stiffness(n * n),
          damping(n * n) {
        const std::size_t beads = chain.mass.size(), ground = n;
        const auto join = [&](std::size_t a, std::size_t b, double k, double c) {
            for (auto [matrix, number] : {std::pair(&stiffness, k), std::pair(&damping, c)}) {
                if (a != ground) (*matrix)[a * n + a] += number;
                if (b != ground) (*matrix)[b * n + b] += number;
                if (a == ground || b == ground) continue;
                (*matrix)[a * n + b] -= number;
                (*matrix)[b * n + a] -= number;
            }
        };
        for (std::size_t c = 0; c <= beads; ++c)
            join(c == 0 ? ground : c - 1, c == beads ? ground : c, chain.stiffness[c],
                 chain.damping[c]);
        for (std::size_t i = 0; i < beads; ++i)
            join(i, ground, chain.ground_stiffness[i], chain.ground_damping[i]);
        for (std::size_t k = 0; k < chain.inner.size(); ++k) {
            mass.push_back(chain.inner[k].mass);
            join(chain.inner[k].bead, beads + k, chain.inner[k].stiffness, chain.inner[k].damping);
        }
    }

    Complex dynamic(std::size_t i, std::size_t j, Complex lambda) const {
        return stiffness[i * n + j] + lambda * damping[i * n + j] +
               (i == j ? lambda * lambda * mass[i] : 0.0);
    }

    /// Eigenvalues with Im >= 0 of the companion matrix, ascending in size.
    std::vector<Complex> eigenvalues() const {
        std::vector<double> matrix(4 * n * n);  // by columns
        for (std::size_t i = 0; i < n; ++i) {
            matrix[(n + i) * 2 * n + i] = 1.0;
            for (std::size_t j = 0; j < n; ++j) {
                matrix[j * 2 * n + n + i] = -stiffness[i * n + j] / mass[i];
                matrix[(n + j) * 2 * n + n + i] = -damping[i * n + j] / mass[i];
            }
        }
        std::vector<Complex> all = modes::lapack::general(std::move(matrix), 2 * n).values;
        std::erase_if(all, [](const Complex& z) { return z.imag() < -1e-12 * std::abs(z); });
        std::ranges::sort(all, {}, [](const Complex& z) { return std::abs(z); });
        return all;
    }

    /// The response to forces at i omega, by elimination with pivots.
    std::vector<Complex> respond(std::vector<Complex> force, double omega) const {
        std::vector<std::vector<Complex>> a(n, std::vector<Complex>(n));
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                a[i][j] = dynamic(i, j, Complex(0.0, omega));
        for (std::size_t c = 0; c < n; ++c) {
            std::size_t pivot = c;
            for (std::size_t i = c; i < n; ++i)
                if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
            std::swap(a[c], a[pivot]);
            std::swap(force[c], force[pivot]);
            for (std::size_t i = c + 1; i < n; ++i) {
                const Complex factor = a[i][c] / a[c][c];
                for (std::size_t j = c; j < n; ++j)
                    a[i][j] -= factor * a[c][j];
                force[i] -= factor * force[c];
            }
        }
        for (std::size_t c = n; c-- > 0;) {
            for (std::size_t j = c + 1; j < n; ++j)
                force[c] -= a[c][j] * force[j];
            force[c] /= a[c][c];
        }
        return force;
    }
};

/// lambda of a listed mode.
Complex lambda_of(const modes::Modes& m, std::size_t k) {
    const double omega = 2.0 * pi * m.frequency[k], ratio = m.damping_ratio[k];
    return omega * Complex(-ratio, std::sqrt(std::max(0.0, 1.0 - ratio * ratio)));
}

}  // namespace

TEST_CASE("counts of modes are those of the dense matrix at any frequency") {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        linear::ChainOperator chain = random_chain(20, 0.0, seed);
        chain.stiffness[7] = 0.0;        // an open contact
        chain.inner[3].stiffness = 0.0;  // a loose mass
        const Dense dense(chain);
        std::vector<double> matrix = dense.stiffness;
        for (std::size_t i = 0; i < dense.n; ++i)
            for (std::size_t j = 0; j < dense.n; ++j)
                matrix[i * dense.n + j] /= std::sqrt(dense.mass[i] * dense.mass[j]);
        const std::vector<double> squares = modes::lapack::symmetric(matrix, dense.n);
        for (std::size_t k = 0; k + 1 < dense.n; ++k)
            CHECK(modes::modes_below(chain, 0.5 * (squares[k] + squares[k + 1])) == k + 1);
        // At the frequency of an inner mass by itself, a pole of the count.
        const double pole = chain.inner[0].stiffness / chain.inner[0].mass;
        const auto below = static_cast<std::size_t>(
            std::ranges::count_if(squares, [&](double x) { return x < pole; }));
        CHECK(modes::modes_below(chain, pole) == below);
        CHECK(chain.rigid_modes() == 1);
        const modes::Modes m = modes::solve(chain);
        for (std::size_t k = 1; k < dense.n; ++k)
            CHECK_RELATIVE(m.frequency[k], std::sqrt(squares[k]) / (2.0 * pi), 1e-11);
    }
}

TEST_CASE("damped modes with springs to the ground and inner masses are those of the matrix") {
    for (const double damping : {1e-3, 0.2, 2.0}) {
        for (const std::uint64_t seed : {1, 2, 3}) {
            CAPTURE(damping);
            CAPTURE(seed);
            const linear::ChainOperator chain = random_chain(14, damping, seed);
            const Dense dense(chain);
            const modes::Modes m = modes::solve(chain);
            const std::vector<Complex> expected = dense.eigenvalues();
            REQUIRE(m.frequency.size() == expected.size());
            REQUIRE(m.freedoms == dense.n);
            for (std::size_t k = 0; k < expected.size(); ++k) {
                const double size = std::abs(expected[k]);
                CHECK_RELATIVE(2.0 * pi * m.frequency[k], size, 1e-9);
                CHECK(std::fabs(m.damping_ratio[k] + expected[k].real() / size) < 1e-9);
                const Complex lambda = lambda_of(m, k);
                for (std::size_t i = 0; i < dense.n; ++i) {
                    Complex left = 0.0;
                    for (std::size_t j = 0; j < dense.n; ++j)
                        left += dense.dynamic(i, j, lambda) * m.shape[k * dense.n + j];
                    CHECK(std::abs(left) < 1e-6);
                }
            }
        }
    }
}

TEST_CASE("a free chain with drag drifts to a stop: one mode at zero and one that decays") {
    const linear::ChainOperator chain = random_chain(8, 0.1, 5, false);
    CHECK(chain.rigid_modes() == 1);
    CHECK(chain.drifting_modes() == 0);
    const modes::Modes m = modes::solve(chain);
    std::vector<Complex> expected = Dense(chain).eigenvalues();
    REQUIRE(m.frequency.size() == expected.size());
    CHECK(m.frequency[0] == 0.0);
    CHECK(m.rigid == 1);
    CHECK(std::abs(expected[0]) < 1e-10);
    for (std::size_t k = 1; k < expected.size(); ++k) {
        CHECK_RELATIVE(2.0 * pi * m.frequency[k], std::abs(expected[k]), 1e-9);
        CHECK(std::fabs(m.damping_ratio[k] + expected[k].real() / std::abs(expected[k])) < 1e-9);
    }
}

TEST_CASE("transfer functions with what beads carry are the solution of the dense system") {
    for (const double damping : {0.0, 0.2}) {
        const linear::ChainOperator chain = random_chain(10, damping, 7);
        const Dense dense(chain);
        const std::vector<std::int64_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        // The last one is the frequency of an inner mass by itself.
        const double own = std::sqrt(chain.inner[1].stiffness / chain.inner[1].mass) / (2.0 * pi);
        for (const double frequency : {0.01, 0.1, 0.3, 2.0, own}) {
            const double omega = 2.0 * pi * frequency;
            for (const std::string input : {"left", "right", "4"}) {
                const auto found = modes::transfer(
                    chain, {.input = input, .frequency = {frequency}, .sensors = all}, "t");
                std::vector<Complex> force(dense.n);
                const auto spring = [&](std::size_t c) {
                    return Complex(chain.stiffness[c], omega * chain.damping[c]);
                };
                if (input == "left") {
                    force[0] = spring(0);
                } else if (input == "right") {
                    force[9] = spring(10);
                } else {
                    force[4] = 1.0;
                }
                const std::vector<Complex> expected = dense.respond(force, omega);
                Largest largest;
                for (std::size_t i = 0; i < 10; ++i)
                    largest.enter(std::abs(expected[i]));
                for (std::size_t i = 0; i < 10; ++i)
                    CHECK(std::abs(found.displacement[i] - expected[i]) < 1e-11 * largest);
            }
        }
    }
}

}  // namespace beadwave::validation::element_matrices_test
