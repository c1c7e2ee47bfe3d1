#include "modes/damped_modes.hpp"

#include "modes/chain_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace beadwave::modes {
namespace {

/// The dynamical matrix, divided by sqrt(m_i m_j) and with lambda in units of `scale`: all numbers
/// are of the size of 1.
class Polynomial {
  public:
    Polynomial(const linear::ChainOperator& chain, double scale)
        : n_(chain.size()), inner_of_(n_ + 1) {
        for (std::size_t i = 0; i < n_; ++i) {
            const double m = chain.mass[i];
            k_.push_back((chain.stiffness[i] + chain.stiffness[i + 1]) / (m * scale * scale));
            c_.push_back((chain.damping[i] + chain.damping[i + 1]) / (m * scale));
            if (i + 1 == n_) break;
            const double mean = std::sqrt(m * chain.mass[i + 1]);
            k_beside_.push_back(chain.stiffness[i + 1] / (mean * scale * scale));
            c_beside_.push_back(chain.damping[i + 1] / (mean * scale));
        }
        for (std::size_t i = 0; i < chain.ground_stiffness.size(); ++i) {
            k_[i] += chain.ground_stiffness[i] / (chain.mass[i] * scale * scale);
            c_[i] += chain.ground_damping[i] / (chain.mass[i] * scale);
        }
        for (const linear::InnerMass& each : chain.inner) {
            const double k = each.stiffness / (each.mass * scale * scale),
                         c = each.damping / (each.mass * scale),
                         share = each.mass / chain.mass[each.bead];
            inner_.push_back({.k = k, .c = c, .share = share});
            ++inner_of_[each.bead + 1];
            k_[each.bead] += share * k;
            c_[each.bead] += share * c;
        }
        for (std::size_t i = 0; i < n_; ++i)
            inner_of_[i + 1] += inner_of_[i];
    }

    /// p'/p at lambda; infinite at a zero.
    Complex logarithmic_derivative(Complex lambda) const {
        Complex sum = 0.0, pivot = 0.0, slope = 0.0;
        for (std::size_t i = 0; i < n_; ++i) {
            Complex d = lambda * (lambda + c_[i]) + k_[i];
            Complex d_slope = 2.0 * lambda + c_[i];
            for (std::size_t k = inner_of_[i]; k < inner_of_[i + 1]; ++k) {
                const Inner& inner = inner_[k];
                const Complex beside = lambda * inner.c + inner.k;
                Complex own = lambda * lambda + beside;
                if (own == 0.0) own = std::numeric_limits<double>::epsilon();
                const Complex own_slope = 2.0 * lambda + inner.c, factor = beside / own;
                d -= inner.share * factor * beside;
                d_slope -= inner.share * factor * (2.0 * inner.c - factor * own_slope);
                sum += own_slope / own;
            }
            if (i > 0) {
                const Complex beside = lambda * c_beside_[i - 1] + k_beside_[i - 1];
                const Complex factor = beside / pivot;
                d -= factor * beside;
                d_slope -= factor * (2.0 * c_beside_[i - 1] - factor * slope);
            }
            if (d == 0.0) d = std::numeric_limits<double>::epsilon();
            pivot = d;
            slope = d_slope;
            sum += slope / pivot;
        }
        return sum;
    }

    /// The sum of all zeros, and of their squares.
    Complex sum() const {
        double trace = 0.0;
        for (const double c : c_)
            trace -= c;
        for (const Inner& inner : inner_)
            trace -= inner.c;
        return trace;
    }
    Complex sum_of_squares() const {
        double trace = 0.0;
        for (std::size_t i = 0; i < n_; ++i) {
            trace += c_[i] * c_[i] - 2.0 * k_[i];
            if (i + 1 < n_) trace += 2.0 * c_beside_[i] * c_beside_[i];
        }
        for (const Inner& inner : inner_)
            trace += (1.0 + 2.0 * inner.share) * inner.c * inner.c - 2.0 * inner.k;
        return trace;
    }

  private:
    /// An inner mass: k and c over its own mass; `share`: its mass over that of the bead.
    struct Inner {
        double k, c, share;
    };

    std::size_t n_;
    std::vector<Inner> inner_;           // bead by bead
    std::vector<std::size_t> inner_of_;  // the first of each bead
    std::vector<double> k_, c_, k_beside_, c_beside_;
};

constexpr double eps = std::numeric_limits<double>::epsilon();

/// One correction of every zero that still moves. Returns whether any does.
bool improve(const Polynomial& polynomial, std::size_t fixed, std::vector<Complex>& zeros,
             std::vector<char>& done, const Stop& stop) {
    bool moves = false;
    for (std::size_t j = fixed; j < zeros.size(); ++j) {
        if (done[j] != 0) continue;
        end_if(stop);
        Complex others = 0.0;
        for (std::size_t i = 0; i < zeros.size(); ++i)
            if (i != j && zeros[i] != zeros[j]) others += 1.0 / (zeros[j] - zeros[i]);
        const Complex step = 1.0 / (polynomial.logarithmic_derivative(zeros[j]) - others);
        if (!std::isfinite(step.real()) || !std::isfinite(step.imag())) {
            zeros[j] *= Complex(1.0, 1e-6);
            moves = true;
            continue;
        }
        zeros[j] -= step;
        if (std::abs(step) <= 4.0 * eps * std::abs(zeros[j])) {
            done[j] = 1;
        } else {
            moves = true;
        }
    }
    return moves;
}

/// The error of the sum over 1/(s - z) at places s > 0, where p'/p is exact to rounding: small and
/// large zeros are tested alike. `at_zero`: zeros at s = 0.
double error_beside(const Polynomial& polynomial, std::span<const Complex> zeros,
                    std::size_t at_zero) {
    double least = 1.0, most = 1.0;
    for (const Complex& z : zeros) {
        least = std::min(least, std::abs(z));
        most = std::max(most, std::abs(z));
    }
    double worst = 0.0;
    for (double s = least; s < 4.0 * most; s *= 4.0) {
        Complex sum = static_cast<double>(at_zero) / s;
        double size = std::abs(sum);
        for (const Complex& z : zeros) {
            sum += 1.0 / (s - z);
            size += 1.0 / std::abs(s - z);
        }
        worst = std::max(worst, std::abs(sum - polynomial.logarithmic_derivative(s)) / size);
    }
    return worst;
}

}  // namespace

std::vector<Complex> damped_eigenvalues(const linear::ChainOperator& chain,
                                        std::span<const double> undamped, std::size_t rigid,
                                        const Stop& stop) {
    const double scale = 2.0 * std::numbers::pi * undamped.back();
    const Polynomial polynomial(chain, scale);
    // In pairs. The damping of a start is that of stiffness-proportional damping with the whole
    // chain's mean ratio.
    double stiffness = 0.0, damping = 0.0;
    for (std::size_t c = 0; c < chain.stiffness.size(); ++c) {
        stiffness += chain.stiffness[c];
        damping += chain.damping[c];
    }
    for (const linear::InnerMass& each : chain.inner) {
        stiffness += each.stiffness;
        damping += each.damping;
    }
    const double ratio = damping / stiffness * scale;
    // The damping of drag is proportional to the mass.
    double mass = 0.0, drag = 0.0;
    for (const double m : chain.masses())
        mass += m;
    for (const double c : chain.ground_damping)
        drag += c;
    const double decay_of_drag = 0.5 * drag / (mass * scale);
    // The zeros of rigid modes are exactly zero, twice where no dashpot stops a drift.
    const std::size_t drifting = chain.drifting_modes(), at_zero = rigid + drifting;
    std::vector<Complex> zeros(at_zero);
    for (std::size_t k = drifting; k < rigid; ++k) {
        const double decay = 2.0 * decay_of_drag + 0.5 * ratio;
        zeros.push_back(-decay * Complex(1.0 + 0.1 * static_cast<double>(k - drifting), 1e-9));
    }
    for (std::size_t k = rigid; k < undamped.size(); ++k) {
        const double omega = undamped[k] / undamped.back();
        const double decay = 0.5 * ratio * omega * omega + decay_of_drag;
        const Complex root = std::sqrt(Complex(decay * decay - omega * omega, 0.0));
        // Slightly beside symmetry, so that two real zeros can leave the axis and return to it.
        zeros.push_back((-decay + root) * Complex(1.0, 1e-9));
        zeros.push_back((-decay - root) * Complex(1.0, -2e-9));
    }
    std::vector<char> done(zeros.size());
    constexpr int most_rounds = 100;
    for (int round = 0; round < most_rounds; ++round)
        if (!improve(polynomial, at_zero, zeros, done, stop)) break;

    // A zero that was found twice, or not at all, would change these sums.
    Complex sum = 0.0, squares = 0.0;
    double size = 0.0;
    for (const Complex& z : zeros) {
        sum += z;
        squares += z * z;
        size += std::norm(z);
    }
    const double error =
        std::max({std::abs(sum - polynomial.sum()) / std::sqrt(size),
                  std::abs(squares - polynomial.sum_of_squares()) / size,
                  error_beside(polynomial, std::span(zeros).subspan(at_zero), at_zero)});
    if (!(error < 1e-8)) {
        throw std::runtime_error(fmt::format(
            "the damped modes could not be found: sums over them are wrong by {:.1g} of their "
            "size; the dashpots may be too strong: the damping ratios are of the size of {:.2g}",
            error, 0.5 * ratio));
    }

    std::vector<Complex> kept;
    std::size_t above = 0, below = 0;  // the real axis
    for (std::size_t k = 0; k < rigid; ++k)
        kept.emplace_back(0.0);
    for (std::size_t j = at_zero; j < zeros.size(); ++j) {
        // Real zeros side by side are found with imaginary parts of rounding. A complex one so
        // near the axis has the damping ratio 1 to nine digits.
        const bool real = std::fabs(zeros[j].imag()) <= 4e-5 * std::abs(zeros[j]);
        if (real) {
            kept.emplace_back(zeros[j].real() * scale, 0.0);
        } else if (zeros[j].imag() > 0.0) {
            kept.push_back(zeros[j] * scale);
            ++above;
        } else {
            ++below;
        }
    }
    if (above != below)
        throw std::runtime_error("the damped modes could not be found: a pair has lost its half");
    std::ranges::stable_sort(kept, {}, [](const Complex& z) { return std::abs(z); });
    return kept;
}

std::vector<Complex> damped_shape(const linear::ChainOperator& chain, Complex eigenvalue) {
    const std::size_t n = chain.size();
    const std::vector<double> masses = chain.masses();
    std::vector<Complex> shape(masses.size());
    for (std::size_t i = 0; i < shape.size(); ++i)  // no mode is orthogonal to it
        shape[i] = 1.0 + 0.5 * std::sin(12.9898 * static_cast<double>(i + 1));
    // Not exactly at the eigenvalue, where the matrix is singular.
    const double highest = std::sqrt(*std::ranges::max_element(chain.stiffness) / chain.mass[0]);
    const Complex lambda = eigenvalue == 0.0 ? 1e-9 * highest : eigenvalue * (1.0 + 1e-11);
    for (int round = 0; round < 3; ++round) {
        std::vector<Complex> diagonal(n);
        for (std::size_t i = 0; i < n; ++i) {
            diagonal[i] =
                lambda * (lambda * chain.mass[i] + chain.damping[i] + chain.damping[i + 1]) +
                chain.stiffness[i] + chain.stiffness[i + 1];
        }
        for (std::size_t i = 0; i < shape.size(); ++i)
            shape[i] *= masses[i];
        if (!solve_chain(chain, lambda, std::move(diagonal), shape)) break;
        double largest = 0.0;
        for (const Complex& u : shape)
            largest = std::max(largest, std::abs(u));
        for (Complex& u : shape)
            u /= largest;
    }
    return shape;
}

}  // namespace beadwave::modes
