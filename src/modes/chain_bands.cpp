#include "modes/chain_bands.hpp"

#include "modes/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace beadwave::modes {
namespace {

using linear::ChainOperator;

/// Masses and stiffnesses equal to rounding.
bool equal(double a, double b) {
    return std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b));
}

struct Cell {
    std::size_t first, beads;
};

/// What beads carry, bead by bead.
class Carried {
  public:
    explicit Carried(const ChainOperator& chain) : chain_(chain), first_(chain.size() + 1) {
        for (const linear::InnerMass& each : chain.inner)
            ++first_[each.bead + 1];
        for (std::size_t i = 0; i < chain.size(); ++i)
            first_[i + 1] += first_[i];
    }

    double ground(std::size_t bead) const {
        return chain_.ground_stiffness.empty() ? 0.0 : chain_.ground_stiffness[bead];
    }
    std::span<const linear::InnerMass> inner(std::size_t bead) const {
        return std::span(chain_.inner).subspan(first_[bead], first_[bead + 1] - first_[bead]);
    }
    bool are_equal(std::size_t a, std::size_t b) const {
        return equal(ground(a), ground(b)) &&
               std::ranges::equal(
                   inner(a), inner(b),
                   [](const linear::InnerMass& left, const linear::InnerMass& right) {
                       return equal(left.mass, right.mass) &&
                              equal(left.stiffness, right.stiffness);
                   });
    }

  private:
    const ChainOperator& chain_;
    std::vector<std::size_t> first_;
};

/// Looks from the middle outwards, so that a chain that does not repeat is left at once.
std::optional<Cell> repeated_cell(const ChainOperator& chain, const Carried& carried) {
    const std::size_t n = chain.size();
    constexpr std::size_t end_beads = 4;
    for (std::size_t period = 1; 3 * period <= n; ++period) {
        // Bead i and the contact before it repeat; that contact may be an end only at i = 0.
        const auto repeats = [&](std::size_t i) {
            return equal(chain.mass[i], chain.mass[i + period]) &&
                   equal(chain.stiffness[i], chain.stiffness[i + period]) &&
                   carried.are_equal(i, i + period);
        };
        const std::size_t middle = (n - period) / 2;
        std::size_t begin = middle, end = middle;
        while (begin > 0 && repeats(begin - 1))
            --begin;
        while (end + period < n && repeats(end))
            ++end;
        const std::size_t repeated = end - begin + period;
        if (repeated >= 3 * period && repeated + 2 * end_beads >= n &&
            chain.stiffness[middle] > 0.0)
            return Cell{std::max<std::size_t>(begin, 1), period};
    }
    return std::nullopt;
}

class BlochChain {
  public:
    BlochChain(const ChainOperator& chain, const Carried& carried, Cell cell) : cell_(cell) {
        for (std::size_t i = 0; i < cell.beads; ++i) {
            // Contact before the bead, and the masses on either side.
            const double k = chain.stiffness[cell.first + i];
            before_.push_back(
                std::sqrt(k / chain.mass[cell.first + (i + cell.beads - 1) % cell.beads]));
            const std::size_t bead = cell.first + i;
            behind_.push_back(std::sqrt(k / chain.mass[bead]));
            ground_.push_back(carried.ground(bead) / chain.mass[bead]);
            for (const linear::InnerMass& each : carried.inner(bead)) {
                ground_[i] += each.stiffness / chain.mass[bead];
                inner_.push_back(
                    {.bead = i,
                     .own = each.stiffness / each.mass,
                     .beside = each.stiffness / std::sqrt(each.mass * chain.mass[bead])});
            }
            if (carried.ground(bead) > 0.0) held_ = true;
        }
    }

    std::size_t size() const { return cell_.beads + inner_.size(); }  ///< bodies

    /// Angular frequencies at the wave number 0 or pi per cell, ascending [rad/s].
    std::vector<double> at_edge(double sign) const {
        if (held_ || !inner_.empty()) return at_edge_with_elements(sign);
        const std::size_t n = cell_.beads;
        std::vector<double> matrix(n * n);  // contacts x beads, by columns
        for (std::size_t c = 0; c < n; ++c) {
            matrix[c * n + c] += behind_[c];
            const std::size_t left = (c + n - 1) % n;
            matrix[left * n + c] -= before_[c] * (c == 0 ? sign : 1.0);
        }
        std::vector<double> omega = lapack::singular_values(matrix, n);
        std::ranges::reverse(omega);
        if (sign > 0.0) omega.front() = 0.0;  // the whole chain moves
        return omega;
    }

    struct Point {
        std::vector<double> omega, slope;  // d omega / d phase
    };
    /// At the phase [rad] per cell, in (0, pi).
    Point at(double phase) const {
        const std::size_t n = size();
        const Complex turn = std::polar(1.0, -phase);  // of the bead in the cell before
        std::vector<Complex> matrix = matrix_at(turn);
        std::vector<double> squares = lapack::hermitian(matrix, n);
        Point point;
        for (std::size_t b = 0; b < n; ++b) {
            const double omega = std::sqrt(std::max(squares[b], 0.0));
            const Complex* shape = matrix.data() + b * n;
            const Complex turned = Complex(0.0, 1.0) * before_[0] * behind_[0] * turn;
            const double change =
                2.0 * (std::conj(shape[0]) * turned * shape[cell_.beads - 1]).real();
            point.omega.push_back(omega);
            point.slope.push_back(omega > 0.0 ? change / (2.0 * omega) : 0.0);
        }
        return point;
    }

  private:
    /// The dynamical matrix by columns: beads, then the masses inside them.
    std::vector<Complex> matrix_at(const Complex& turn) const {
        const std::size_t n = size(), beads = cell_.beads;
        std::vector<Complex> matrix(n * n);
        for (std::size_t c = 0; c < beads; ++c) {
            const std::size_t left = (c + beads - 1) % beads;
            const Complex beside = -before_[c] * behind_[c] * (c == 0 ? turn : 1.0);
            matrix[c * n + c] += behind_[c] * behind_[c];
            matrix[left * n + left] += before_[c] * before_[c];
            matrix[left * n + c] += beside;             // row c, column left
            matrix[c * n + left] += std::conj(beside);  // row left, column c
        }
        for (std::size_t c = 0; c < beads; ++c)
            matrix[c * n + c] += ground_[c];
        for (std::size_t k = 0; k < inner_.size(); ++k) {
            const std::size_t at = beads + k, bead = inner_[k].bead;
            matrix[at * n + at] = inner_[k].own;
            matrix[at * n + bead] = matrix[bead * n + at] = -inner_[k].beside;
        }
        return matrix;
    }

    std::vector<double> at_edge_with_elements(double sign) const {
        std::vector<Complex> matrix = matrix_at(sign);
        std::vector<double> omega = lapack::hermitian(matrix, size());
        for (double& each : omega)
            each = std::sqrt(std::max(each, 0.0));
        std::size_t free = static_cast<std::size_t>(
            std::ranges::count(inner_, 0.0, &Inner::own));  // masses without a spring
        if (sign > 0.0 && !held_) ++free;                   // the whole chain moves
        std::fill_n(omega.begin(), free, 0.0);
        return omega;
    }

    /// Squares of frequencies.
    struct Inner {
        std::size_t bead;
        double own, beside;
    };

    Cell cell_;
    std::vector<double> before_, behind_;
    std::vector<double> ground_;  // of all springs of a bead besides contacts
    std::vector<Inner> inner_;
    bool held_ = false;  // by springs to the ground
};

}  // namespace

std::optional<Dispersion> dispersion(const ChainOperator& chain) {
    const Carried carried(chain);
    const auto cell = repeated_cell(chain, carried);
    if (!cell) return std::nullopt;
    const double length = chain.position[cell->first + cell->beads] - chain.position[cell->first];
    const BlochChain bloch(chain, carried, *cell);
    const std::size_t branches = bloch.size();
    constexpr double turn = 2.0 * std::numbers::pi;
    Dispersion result;
    result.cell_bodies = result.branches = branches;
    result.lattice = {{length}};

    const std::vector<double> centre = bloch.at_edge(1.0), border = bloch.at_edge(-1.0);
    for (std::size_t b = 0; b < branches; ++b)
        result.bands.push_back(
            {std::min(centre[b], border[b]) / turn, std::max(centre[b], border[b]) / turn});

    constexpr std::size_t most_branches = 200;
    if (branches > most_branches) return result;
    constexpr int points = 200;
    for (int p = 0; p <= points; ++p) {
        const double phase = std::numbers::pi * p / points;
        const bool edge = p == 0 || p == points;
        // At an edge the slope is that of a wave very near it.
        const auto near = bloch.at(std::clamp(phase, 1e-4, std::numbers::pi - 1e-4));
        const auto at = edge ? BlochChain::Point{p == 0 ? centre : border, near.slope} : near;
        result.wave_vector.push_back(phase / length);
        for (std::size_t b = 0; b < branches; ++b) {
            result.frequency.push_back(at.omega[b] / turn);
            result.group_velocity.push_back(at.slope[b] * length);
        }
    }
    return result;
}

}  // namespace beadwave::modes
