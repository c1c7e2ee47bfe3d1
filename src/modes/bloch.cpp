#include "modes/bloch.hpp"

#include "modes/lapack.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <span>

namespace beadwave::modes {
namespace {

using lapack::Complex;
using linear::Link;
using linear::PackingOperator;
using packing::Vec3;

/// The eigenvalue problem of one wave vector, in the freedoms of a cell times the roots of their
/// masses.
class Problem {
  public:
    Problem(const PackingOperator& packing, const PrimitiveCell& cell, const Vec3& wave)
        : packing_(packing),
          cell_(cell),
          wave_(wave),
          c_(packing.components()),
          root_(c_ * cell.bodies.size()) {
        for (std::size_t i = 0; i < root_.size(); ++i)
            root_[i] = std::sqrt(packing.mass[cell.bodies[i / c_] * c_ + i % c_]);
        for (const PrimitiveCell::Contact& contact : cell_.contacts) {
            const Complex turn = std::polar(1.0, dot(wave_, contact.branch));
            for (const linear::Spring& spring : packing_.springs(contact.link))
                springs_.push_back({contact, spring, turn});
        }
    }

    std::size_t size() const { return root_.size(); }

    /// Replaces `vectors` by the eigenvectors, one per column.
    std::vector<double> solve(std::vector<Complex>& vectors) const {
        vectors = matrix();
        return lapack::hermitian(vectors, size());
    }

    /// The eigenvalues, without eigenvectors.
    std::vector<double> values() const {
        std::vector<Complex> all = matrix();
        return lapack::hermitian_values(all, size());
    }

    /// A branch among all eigenvalues and their vectors.
    BranchCurve curve(std::span<const double> squares, std::span<const Complex> vectors,
                      std::size_t branch) const {
        const std::size_t n = size();
        BranchCurve curve{.square = squares[branch]};
        // <m| dD/dk |branch> for all m, and <branch| d^2 D/dk^2 |branch>.
        std::vector<std::array<Complex, 3>> mixed(n);
        for_each_difference(vectors, [&](double stiffness, const Vec3& vector,
                                         std::span<const Complex> first,
                                         std::span<const Complex> second) {
            const double along[] = {vector.x, vector.y, vector.z};
            const Complex one = first[branch], other = second[branch];
            for (std::size_t m = 0; m < n; ++m) {
                const Complex pulled = Complex(0.0, stiffness) *
                                       (std::conj(first[m]) * other - std::conj(second[m]) * one);
                for (std::size_t i = 0; i < 3; ++i)
                    mixed[m][i] += along[i] * pulled;
            }
            const double bends = -2.0 * stiffness * (std::conj(one) * other).real();
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    curve.curvature[i][j] += bends * along[i] * along[j];
        });
        double nearest = INFINITY;
        for (std::size_t m = 0; m < n; ++m) {
            if (m == branch) continue;
            const double apart = squares[branch] - squares[m];
            nearest = std::min(nearest, std::fabs(apart));
            if (apart == 0.0) continue;
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    curve.curvature[i][j] +=
                        2.0 * (std::conj(mixed[m][i]) * mixed[m][j]).real() / apart;
        }
        for (std::size_t i = 0; i < 3; ++i)
            curve.slope[i] = mixed[branch][i].real();
        curve.alone = nearest > 1e-8 * squares.back();
        return curve;
    }

    /// The derivatives v.(dD/dk) v of the dynamical matrix D for vectors v, one per column, that
    /// have one eigenvalue. They are changed so that the matrix of the derivative along `along` is
    /// diagonal.
    std::vector<Vec3> slopes(std::span<Complex> vectors, const Vec3& along) const {
        const std::size_t n = size(), count = vectors.size() / n;
        if (count > 1) {
            std::vector<Complex> mixed(count * count);
            for_each_difference(
                vectors, [&](double stiffness, const Vec3& branch, std::span<const Complex> first,
                             std::span<const Complex> second) {
                    const double factor = stiffness * dot(branch, along);
                    for (std::size_t q = 0; q < count; ++q) {
                        for (std::size_t p = 0; p < count; ++p) {
                            mixed[q * count + p] +=
                                factor * Complex(0.0, 1.0) *
                                (std::conj(first[p]) * second[q] - std::conj(second[p]) * first[q]);
                        }
                    }
                });
            lapack::hermitian(mixed, count);
            std::vector<Complex> turned(vectors.size());
            for (std::size_t q = 0; q < count; ++q)
                for (std::size_t p = 0; p < count; ++p)
                    for (std::size_t i = 0; i < n; ++i)
                        turned[q * n + i] += mixed[q * count + p] * vectors[p * n + i];
            std::ranges::copy(turned, vectors.begin());
        }
        std::vector<Vec3> all(count);
        for_each_difference(vectors, [&](double stiffness, const Vec3& branch,
                                         std::span<const Complex> first,
                                         std::span<const Complex> second) {
            for (std::size_t p = 0; p < count; ++p)
                all[p] += (-2.0 * stiffness * (std::conj(first[p]) * second[p]).imag()) * branch;
        });
        return all;
    }

  private:
    /// The dynamical matrix, by columns.
    std::vector<Complex> matrix() const {
        const std::size_t n = size();
        std::vector<Complex> vectors(n * n);
        struct Entry {
            std::size_t at;
            Complex value;
        };
        std::vector<Entry> row;
        for_each_spring([&](const PrimitiveCell::Contact& contact, const linear::Spring& spring,
                            const Complex& turn) {
            row.clear();
            for (std::size_t k = 0; k < c_; ++k) {
                if (contact.link.first != Link::ground)
                    row.push_back({contact.first * c_ + k, spring.first[k]});
                if (contact.link.second != Link::ground)
                    row.push_back({contact.second * c_ + k, spring.second[k] * turn});
            }
            for (const Entry& a : row) {
                const Complex scaled = contact.share * spring.stiffness * std::conj(a.value);
                if (scaled == 0.0) continue;
                for (const Entry& b : row)
                    vectors[b.at * n + a.at] += scaled * b.value;
            }
        });
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < n; ++i)
                vectors[j * n + i] /= root_[i] * root_[j];
        return vectors;
    }

    struct Row {
        const PrimitiveCell::Contact& contact;
        linear::Spring spring;
        Complex turn;
    };
    template <class Use>
    void for_each_spring(const Use& use) const {
        for (const Row& row : springs_)
            use(row.contact, row.spring, row.turn);
    }

    /// use(stiffness, branch, parts of the first body in the spring's length, of the second one),
    /// each part for all vectors. A spring's energy is stiffness |first + second|^2 / 2, and only
    /// the second part depends on the wave vector, as exp(i k.branch).
    template <class Use>
    void for_each_difference(std::span<const Complex> vectors, const Use& use) const {
        const std::size_t n = size(), count = vectors.size() / n;
        std::vector<Complex> first(count), second(count);
        for_each_spring([&](const PrimitiveCell::Contact& contact, const linear::Spring& spring,
                            const Complex& turn) {
            if (contact.link.first == Link::ground || contact.link.second == Link::ground) return;
            for (std::size_t p = 0; p < count; ++p) {
                first[p] = second[p] = 0.0;
                for (std::size_t k = 0; k < c_; ++k) {
                    const std::size_t i = contact.first * c_ + k, j = contact.second * c_ + k;
                    first[p] += spring.first[k] / root_[i] * vectors[p * n + i];
                    second[p] += spring.second[k] / root_[j] * turn * vectors[p * n + j];
                }
            }
            use(contact.share * spring.stiffness, contact.branch, first, second);
        });
    }

    const PackingOperator& packing_;
    const PrimitiveCell& cell_;
    const Vec3 wave_;
    const std::size_t c_;
    std::vector<double> root_;
    std::vector<Row> springs_{};
};

std::vector<double> frequencies_of(std::vector<double> squares) {
    const double zero = 1e-11 * squares.back();
    for (double& x : squares)
        x = std::fabs(x) > zero ? std::copysign(std::sqrt(std::fabs(x)), x) : 0.0;
    return squares;
}

/// The waves without the limits at zero frequency.
BlochWaves waves_at(const Problem& problem, const Vec3& along) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::size_t n = problem.size();
    std::vector<Complex> vectors;
    const std::vector<double> squares = problem.solve(vectors);
    BlochWaves waves{.omega = frequencies_of(squares), .velocity = {}};
    const double same = 1e-10 * squares.back();
    for (std::size_t first = 0; first < n;) {
        std::size_t end = first + 1;
        while (end < n && squares[end] - squares[end - 1] <= same)
            ++end;
        const auto slopes =
            problem.slopes(std::span(vectors).subspan(first * n, (end - first) * n), along);
        for (std::size_t k = first; k < end; ++k) {
            const double omega = waves.omega[k];
            waves.velocity.push_back(omega > 0.0 ? (0.5 / omega) * slopes[k - first]
                                                 : Vec3{nan, nan, nan});
        }
        first = end;
    }
    return waves;
}

}  // namespace

std::vector<double> bloch_frequencies(const PackingOperator& packing, const PrimitiveCell& cell,
                                      const Vec3& wave) {
    return frequencies_of(Problem(packing, cell, wave).values());
}

BlochState::BlochState(const PackingOperator& packing, const PrimitiveCell& cell, const Vec3& wave)
    : packing_(packing), cell_(cell), wave_(wave) {
    squares_ = Problem(packing, cell, wave).solve(vectors_);
}

BranchCurve BlochState::curve(std::size_t branch) const {
    return Problem(packing_, cell_, wave_).curve(squares_, vectors_, branch);
}

BlochWaves bloch_waves(const PackingOperator& packing, const PrimitiveCell& cell, const Vec3& wave,
                       const Vec3& along) {
    BlochWaves waves = waves_at(Problem(packing, cell, wave), along);
    if (std::ranges::find(waves.omega, 0.0) == waves.omega.end()) return waves;
    double longest = 0.0;
    for (const PrimitiveCell::Contact& contact : cell.contacts)
        longest = std::max(longest, dot(contact.branch, contact.branch));
    if (longest == 0.0) return waves;
    // A small wave number: the dispersion bends as its square, the rounding grows as its inverse.
    const double small = 1e-3 / std::sqrt(longest);
    const BlochWaves near = waves_at(Problem(packing, cell, wave + small * along), along);
    for (std::size_t k = 0; k < waves.omega.size(); ++k)
        if (waves.omega[k] == 0.0) waves.velocity[k] = near.velocity[k];
    return waves;
}

}  // namespace beadwave::modes
