#include "modes/far_modes.hpp"

#include "linear/entries.hpp"
#include "modes/lapack.hpp"
#include "modes/sparse_response.hpp"
#include "modes/tridiagonal_of_band.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace beadwave::modes {
namespace {

using linear::ChainOperator;
using linear::Entries;

/// The place of each freedom in a row in which inner masses follow their bead.
std::vector<std::size_t> order_of(const ChainOperator& chain) {
    std::vector<std::size_t> place(chain.freedoms());
    std::size_t next = 0, inner = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        place[i] = next++;
        for (; inner < chain.inner.size() && chain.inner[inner].bead == i; ++inner)
            place[chain.size() + inner] = next++;
    }
    return place;
}

/// Eigenvalues of the stiffness over the square roots of the masses of row and column, ascending.
std::vector<double> squares_of(const ChainOperator& chain, const Entries& entries,
                               const Stop& stop) {
    const std::size_t n = entries.mass.size();
    const std::vector<std::size_t> place = order_of(chain);
    std::size_t width = 0;
    for (std::size_t e = 0; e < entries.row.size(); ++e) {
        const std::size_t i = place[static_cast<std::size_t>(entries.row[e])],
                          j = place[static_cast<std::size_t>(entries.column[e])];
        if (i > j) width = std::max(width, i - j);
    }
    std::vector<double> band(n * (width + 1));
    for (std::size_t e = 0; e < entries.row.size(); ++e) {
        const auto row = static_cast<std::size_t>(entries.row[e]),
                   column = static_cast<std::size_t>(entries.column[e]);
        const std::size_t i = place[row], j = place[column];
        if (i < j) continue;
        band[j * (width + 1) + i - j] +=
            entries.stiffness[e] / std::sqrt(entries.mass[row] * entries.mass[column]);
    }
    if (width < 2) return lapack::banded_values(std::move(band), n, width);
    return lapack::banded_values(tridiagonal_of_band(band, n, width, stop), n, 1);
}

/// Twice the energy of the springs over twice the kinetic energy at unit frequency [1/s^2].
double rayleigh_quotient(const ChainOperator& chain, const std::vector<double>& mass,
                         const std::vector<Complex>& motion) {
    const std::size_t n = chain.size();
    const auto at = [&](std::size_t i) { return motion[i].real(); };
    const auto square = [](double x) { return x * x; };
    double springs =
        chain.stiffness.front() * square(at(0)) + chain.stiffness.back() * square(at(n - 1));
    for (std::size_t c = 1; c < n; ++c)
        springs += chain.stiffness[c] * square(at(c) - at(c - 1));
    for (std::size_t i = 0; i < chain.ground_stiffness.size(); ++i)
        springs += chain.ground_stiffness[i] * square(at(i));
    for (std::size_t k = 0; k < chain.inner.size(); ++k)
        springs += chain.inner[k].stiffness * square(at(n + k) - at(chain.inner[k].bead));
    for (const linear::FarSpring& each : chain.far)
        springs += each.stiffness * square(at(each.second) - at(each.first));
    double kinetic = 0.0;
    for (std::size_t i = 0; i < mass.size(); ++i)
        kinetic += mass[i] * square(at(i));
    return springs / kinetic;
}

/// A better omega^2 than `square`, whose error is at most `bound` and whose neighbours are `apart`,
/// farther than the bound [1/s^2].
double improved(const ChainOperator& chain, const Entries& undamped, double square, double bound,
                double apart) {
    const std::size_t n = undamped.mass.size();
    std::vector<Complex> motion(n);
    for (std::size_t i = 0; i < n; ++i)  // no mode is orthogonal to it
        motion[i] = 1.0 + 0.5 * std::sin(12.9898 * static_cast<double>(i + 1));
    for (int round = 0; round < 3; ++round) {
        Drive drive{.in_phase = std::vector<double>(n), .with_velocity = std::vector<double>(n)};
        for (std::size_t i = 0; i < n; ++i)
            drive.in_phase[i] = undamped.mass[i] * motion[i].real();
        // Not exactly at the frequency, where the matrix is singular, and far from the next one.
        const double beside = std::min(2e-9 * square, 0.02 * apart) * (round + 1);
        std::vector<Complex> next = sparse_response(undamped, drive, std::sqrt(square + beside));
        if (next.empty()) continue;
        double largest = 0.0;
        for (const Complex& u : next)
            largest = std::max(largest, std::fabs(u.real()));
        for (std::size_t i = 0; i < n; ++i)
            motion[i] = next[i].real() / largest;
    }
    const double better = rayleigh_quotient(chain, undamped.mass, motion);
    // Another mode would be farther away.
    return better > 0.0 && std::fabs(better - square) <= bound ? better : square;
}

}  // namespace

std::vector<double> far_frequencies(const ChainOperator& chain, std::size_t rigid, int threads,
                                    const Stop& stop) {
    Entries entries = linear::entries_of(chain);
    const std::vector<double> squares = squares_of(chain, entries, stop);
    const std::size_t n = squares.size();
    std::vector<double> omega(n);
    for (std::size_t k = rigid; k < n; ++k)
        omega[k] = std::sqrt(std::max(squares[k], 0.0));
    // Above, the rounding of the largest eigenvalue is small enough.
    const double low = 1e-3 * squares.back();
    const double bound =
        static_cast<double>(n) * std::numeric_limits<double>::epsilon() * squares.back();
    const auto first = squares.begin() + static_cast<std::ptrdiff_t>(rigid);
    const auto count =
        static_cast<std::size_t>(std::upper_bound(first, squares.end(), low) - first);
    std::ranges::fill(entries.damping, 0.0);
    for_each(count, threads, stop, [&](std::size_t each) {
        const std::size_t k = rigid + each;
        if (!(squares[k] > 0.0)) return;
        double apart = squares[k];
        if (k > rigid) apart = std::min(apart, squares[k] - squares[k - 1]);
        if (k + 1 < n) apart = std::min(apart, squares[k + 1] - squares[k]);
        // The motions of modes that are closer cannot be told apart.
        if (apart > bound) omega[k] = std::sqrt(improved(chain, entries, squares[k], bound, apart));
    });
    std::ranges::sort(omega);
    return omega;
}

}  // namespace beadwave::modes
