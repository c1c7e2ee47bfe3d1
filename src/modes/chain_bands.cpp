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

/// The largest relative difference by rounding of masses and stiffnesses that repeat.
constexpr double rounding = 1e-9;

bool equal(double a, double b, double tolerance = rounding) {
    return std::fabs(a - b) <= tolerance * std::max(std::fabs(a), std::fabs(b));
}

struct Cell {
    std::size_t first, beads;
};

/// What beads carry, and what pulls them from afar, bead by bead.
class Carried {
  public:
    explicit Carried(const ChainOperator& chain)
        : chain_(chain),
          first_(chain.size() + 1),
          first_far_(chain.size() + 1),
          own_ground_(chain.size()),
          cut_(chain.size()) {
        for (const linear::InnerMass& each : chain.inner)
            ++first_[each.bead + 1];
        for (const linear::FarSpring& each : chain.far) {
            ++first_far_[each.second + 1];
            reach_ = std::max(reach_, each.second - each.first);
        }
        for (std::size_t i = 0; i < chain.size(); ++i) {
            first_[i + 1] += first_[i];
            first_far_[i + 1] += first_far_[i];
            own_ground_[i] = ground(i);
        }
        for (const linear::HeldSpring& each : chain.far_held)
            own_ground_[each.bead] -= each.stiffness;
        for (const linear::HeldBetween& each : chain.held)
            cut_[each.contact] = true;
    }

    /// The largest distance of beads that feel each other, in beads.
    std::size_t reach() const { return reach_; }
    /// The springs to beads before this one that are no neighbours.
    std::span<const linear::FarSpring> far(std::size_t bead) const {
        return std::span(chain_.far)
            .subspan(first_far_[bead], first_far_[bead + 1] - first_far_[bead]);
    }

    double ground(std::size_t bead) const {
        return chain_.ground_stiffness.empty() ? 0.0 : chain_.ground_stiffness[bead];
    }
    std::span<const linear::InnerMass> inner(std::size_t bead) const {
        return std::span(chain_.inner).subspan(first_[bead], first_[bead + 1] - first_[bead]);
    }
    /// Whether two beads are alike in what they are and carry, wherever they rest.
    bool beads_equal(std::size_t a, std::size_t b) const {
        // To the rounding of the sum that contains the forces of held beads.
        const double largest = std::max(std::fabs(ground(a)), std::fabs(ground(b)));
        return equal(chain_.mass[a], chain_.mass[b]) && cut_[a] == cut_[b] &&
               std::fabs(own_ground_[a] - own_ground_[b]) <= rounding * largest &&
               std::ranges::equal(
                   inner(a), inner(b),
                   [](const linear::InnerMass& left, const linear::InnerMass& right) {
                       return equal(left.mass, right.mass) &&
                              equal(left.stiffness, right.stiffness);
                   });
    }
    /// The contact before the bead, and what pulls it from afar.
    bool forces_equal(std::size_t a, std::size_t b, double tolerance = rounding) const {
        return equal(chain_.stiffness[a], chain_.stiffness[b], tolerance) &&
               equal(ground(a), ground(b), tolerance) &&
               std::ranges::equal(
                   far(a), far(b),
                   [&](const linear::FarSpring& left, const linear::FarSpring& right) {
                       return left.second - left.first == right.second - right.first &&
                              equal(left.stiffness, right.stiffness, tolerance);
                   });
    }

  private:
    const ChainOperator& chain_;
    std::vector<std::size_t> first_, first_far_;
    std::vector<double> own_ground_;  // without the forces of far beads that are held [N/m]
    std::vector<char> cut_;           // from the bead before by a driven one
    std::size_t reach_ = 1;
};

/// Beads that may be others at both ends together.
constexpr std::size_t end_beads = 8;

/// Whether nothing but the places of the beads makes the ends differ from the middle. Forces that
/// reach far move beads near the ends. What that changes fades like the powers of a number, by more
/// than 1.3 decades per reach, and so must what differs here: another half of the chain does not.
bool only_ends_differ(const Carried& carried, std::size_t n, std::size_t period) {
    const std::size_t middle = (n - period) / 2;
    std::size_t begin = middle, end = middle;
    while (begin > 0 && carried.beads_equal(begin - 1, begin - 1 + period))
        --begin;
    while (end + period < n && carried.beads_equal(end, end + period))
        ++end;
    if (end - begin + period + end_beads < n) return false;
    const std::size_t reach = carried.reach(), near = end_beads / 2 + reach;
    for (std::size_t i = near; i + period + near < n; ++i) {
        const std::size_t from_end = std::min(i, n - 1 - (i + period));
        const double reaches = static_cast<double>(from_end - near) / static_cast<double>(reach);
        const double tolerance = std::max(rounding, std::pow(10.0, -1.3 * reaches));
        if (!carried.forces_equal(i, i + period, tolerance)) return false;
    }
    return true;
}

/// Looks from the middle outwards, so that a chain that does not repeat is left at once.
std::optional<Cell> repeated_cell(const ChainOperator& chain, const Carried& carried) {
    const std::size_t n = chain.size();
    const bool far = carried.reach() > 1;
    for (std::size_t period = 1; 3 * period <= n; ++period) {
        // Bead i and the contact before it repeat; that contact may be an end only at i = 0.
        const auto repeats = [&](std::size_t i) {
            return carried.beads_equal(i, i + period) && carried.forces_equal(i, i + period);
        };
        const std::size_t middle = (n - period) / 2;
        std::size_t begin = middle, end = middle;
        while (begin > 0 && repeats(begin - 1))
            --begin;
        while (end + period < n && repeats(end))
            ++end;
        const std::size_t repeated = end - begin + period;
        if (repeated < 3 * period) continue;
        if (far) {
            if (repeated > carried.reach() && only_ends_differ(carried, n, period))
                return Cell{middle, period};
        } else if (repeated + end_beads >= n && chain.stiffness[middle] > 0.0) {
            return Cell{std::max<std::size_t>(begin, 1), period};
        }
    }
    return std::nullopt;
}

class BlochChain {
  public:
    BlochChain(const ChainOperator& chain, const Carried& carried, Cell cell) : cell_(cell) {
        for (std::size_t i = 0; i < cell.beads; ++i) {
            // Contact before the bead, and the masses on either side.
            const double k = std::fabs(chain.stiffness[cell.first + i]);
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
            if (carried.ground(bead) != 0.0) held_ = true;
            for (const linear::FarSpring& each : carried.far(bead)) {
                const std::size_t distance = each.second - each.first;
                const std::size_t back =
                    distance > i ? (distance - i + cell.beads - 1) / cell.beads : 0;
                const std::size_t left = i + back * cell.beads - distance;
                far_.push_back({.left = left,
                                .right = i,
                                .back = back,
                                .left_root = 1.0 / std::sqrt(chain.mass[cell.first + left]),
                                .right_root = 1.0 / std::sqrt(chain.mass[bead]),
                                .stiffness = each.stiffness});
            }
        }
        // Not of real roots: neighbours may push a bead away that others hold.
        for (std::size_t i = 0; i < cell.beads; ++i)
            next_.push_back(chain.stiffness[cell.first + i] < 0.0 ? -1.0 : 1.0);
    }

    bool reaches_far() const { return !far_.empty(); }

    std::size_t size() const { return cell_.beads + inner_.size(); }  ///< bodies

    /// Angular frequencies at the wave number 0 or pi per cell, ascending [rad/s].
    std::vector<double> at_edge(double sign) const {
        if (held_ || !inner_.empty() || !far_.empty()) return at_edge_with_elements(sign);
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
    /// The point at the phase [rad] per cell, in (0, pi).
    Point at(double phase) const {
        const std::size_t n = size();
        const Complex turn = std::polar(1.0, -phase);  // of the bead in the cell before
        std::vector<Complex> matrix = matrix_at(turn);
        std::vector<double> squares = lapack::hermitian(matrix, n);
        Point point;
        for (std::size_t b = 0; b < n; ++b) {
            const double omega = std::sqrt(std::max(squares[b], 0.0));
            const Complex* shape = matrix.data() + b * n;
            const Complex turned = Complex(0.0, next_[0]) * before_[0] * behind_[0] * turn;
            double change = 2.0 * (std::conj(shape[0]) * turned * shape[cell_.beads - 1]).real();
            for (const Far& each : far_) {
                const Complex pulled = Complex(0.0, static_cast<double>(each.back)) *
                                       each.stiffness * each.left_root * each.right_root *
                                       turns(turn, each.back);
                change += 2.0 * (std::conj(shape[each.right]) * pulled * shape[each.left]).real();
            }
            point.omega.push_back(omega);
            point.slope.push_back(omega > 0.0 ? change / (2.0 * omega) : 0.0);
        }
        return point;
    }

  private:
    /// A spring to a bead `back` cells before; roots of the inverse masses.
    struct Far {
        std::size_t left, right, back;
        double left_root, right_root, stiffness;
    };
    static Complex turns(const Complex& turn, std::size_t times) {
        Complex product = 1.0;
        for (std::size_t k = 0; k < times; ++k)
            product *= turn;
        return product;
    }

    /// The dynamical matrix by columns: beads, then the masses inside them.
    std::vector<Complex> matrix_at(const Complex& turn) const {
        const std::size_t n = size(), beads = cell_.beads;
        std::vector<Complex> matrix(n * n);
        for (std::size_t c = 0; c < beads; ++c) {
            const std::size_t left = (c + beads - 1) % beads;
            const Complex beside = -next_[c] * before_[c] * behind_[c] * (c == 0 ? turn : 1.0);
            matrix[c * n + c] += next_[c] * behind_[c] * behind_[c];
            matrix[left * n + left] += next_[c] * before_[c] * before_[c];
            matrix[left * n + c] += beside;             // row c, column left
            matrix[c * n + left] += std::conj(beside);  // row left, column c
        }
        for (const Far& each : far_) {
            const Complex beside =
                -each.stiffness * each.left_root * each.right_root * turns(turn, each.back);
            matrix[each.right * n + each.right] +=
                each.stiffness * each.right_root * each.right_root;
            matrix[each.left * n + each.left] += each.stiffness * each.left_root * each.left_root;
            matrix[each.left * n + each.right] += beside;
            matrix[each.right * n + each.left] += std::conj(beside);
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

    /// An inner mass; `own` and `beside` are squares of frequencies.
    struct Inner {
        std::size_t bead;
        double own, beside;
    };

    Cell cell_;
    std::vector<double> before_, behind_;
    std::vector<double> next_;  // signs of the contacts' stiffnesses
    std::vector<Far> far_{};
    std::vector<double> ground_;  // of all springs of a bead besides contacts
    std::vector<Inner> inner_;
    bool held_ = false;  // by springs to the ground
};

/// Widens bands to extrema between the points of the path, where forces reach far: by sections of
/// the intervals about the points that are higher or lower than both beside them.
void widen_bands(const BlochChain& bloch, double step, Dispersion& dispersion) {
    const std::size_t branches = dispersion.branches;
    const std::size_t points = dispersion.wave_vector.size();
    constexpr double turn = 2.0 * std::numbers::pi;
    for (std::size_t b = 0; b < branches; ++b) {
        const auto at = [&](std::size_t p) { return dispersion.frequency[p * branches + b]; };
        for (std::size_t p = 1; p + 1 < points; ++p) {
            const double sign = at(p) > at(p - 1) && at(p) >= at(p + 1)   ? 1.0
                                : at(p) < at(p - 1) && at(p) <= at(p + 1) ? -1.0
                                                                          : 0.0;
            if (sign == 0.0) continue;
            const auto height = [&](double phase) { return sign * bloch.at(phase).omega[b]; };
            double low = step * static_cast<double>(p - 1),
                   high = step * static_cast<double>(p + 1);
            constexpr double golden = 0.6180339887498949;
            double left = high - golden * (high - low), right = low + golden * (high - low);
            double of_left = height(left), of_right = height(right);
            while (high - low > 1e-8) {
                if (of_left > of_right) {
                    high = right, right = left, of_right = of_left;
                    of_left = height(left = high - golden * (high - low));
                } else {
                    low = left, left = right, of_left = of_right;
                    of_right = height(right = low + golden * (high - low));
                }
            }
            const double found = sign * std::max(of_left, of_right) / turn;
            dispersion.bands[b].lower = std::min(dispersion.bands[b].lower, found);
            dispersion.bands[b].upper = std::max(dispersion.bands[b].upper, found);
        }
    }
}

/// The slopes at an edge of the zone. Waves that run forwards and backwards are alike there, so
/// that a branch is flat; not where two branches meet, or where it begins at 0: there the slope is
/// that of a wave very `near` the edge.
std::vector<double> slopes_at_edge(const std::vector<double>& omega,
                                   const std::vector<double>& near) {
    const double same = 1e-9 * omega.back(), zero = 1e-7 * omega.back();
    std::vector<double> slope(omega.size(), 0.0);
    for (std::size_t b = 0; b < omega.size(); ++b) {
        const bool meets = (b > 0 && omega[b] - omega[b - 1] <= same) ||
                           (b + 1 < omega.size() && omega[b + 1] - omega[b] <= same);
        if (meets || omega[b] <= zero) slope[b] = near[b];
    }
    return slope;
}

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
    if (branches > most_branches) {
        if (bloch.reaches_far()) return std::nullopt;  // edges may be between both phases
        return result;
    }
    constexpr int points = 200;
    for (int p = 0; p <= points; ++p) {
        const double phase = std::numbers::pi * p / points;
        const bool edge = p == 0 || p == points;
        const auto near = bloch.at(std::clamp(phase, 1e-4, std::numbers::pi - 1e-4));
        const std::vector<double>& of_edge = p == 0 ? centre : border;
        const auto at =
            edge ? BlochChain::Point{of_edge, slopes_at_edge(of_edge, near.slope)} : near;
        result.wave_vector.push_back(phase / length);
        for (std::size_t b = 0; b < branches; ++b) {
            result.frequency.push_back(at.omega[b] / turn);
            result.group_velocity.push_back(at.slope[b] * length);
        }
    }
    if (bloch.reaches_far()) widen_bands(bloch, std::numbers::pi / points, result);
    return result;
}

}  // namespace beadwave::modes
