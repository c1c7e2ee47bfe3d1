#include "modes/packing_modes.hpp"

#include "beadwave/input_error.hpp"
#include "modes/hertz.hpp"
#include "modes/lapack.hpp"
#include "modes/packing_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::modes {
namespace {

using linear::Link;
using linear::PackingOperator;

/// Freedoms without stiffness: zero to the rounding of the eigenvalues.
double zero_of(double largest) {
    return 1e-11 * largest;
}

void solve_damped(const PackingOperator& packing, const DenseMatrices& matrices,
                  const std::vector<double>& vectors, Modes& modes) {
    const std::size_t n = packing.size();
    Modes damped{.rigid = modes.rigid,
                 .unstable = modes.unstable,
                 .freedoms = n,
                 .warnings = std::move(modes.warnings)};
    for (std::size_t k = 0; k < modes.rigid; ++k) {
        damped.frequency.push_back(0.0);
        damped.damping_ratio.push_back(0.0);
        add_shape(packing, vectors.data() + k * n, damped);
    }
    for (const DampedMode& mode :
         dense_damped_modes(matrices, vectors, modes.rigid, modes.frequency.back())) {
        const double size = std::abs(mode.lambda);
        damped.frequency.push_back(hertz(size));
        damped.damping_ratio.push_back(-mode.lambda.real() / size);
        add_shape(packing, mode.shape.data(), damped);
    }
    note_overdamped(damped);
    modes = std::move(damped);
}

}  // namespace

DenseMatrices dense_matrices(const PackingOperator& packing) {
    const std::size_t n = packing.size(), c = packing.components();
    DenseMatrices m{.stiffness = std::vector<double>(n * n), .damping = {}};
    if (packing.damped()) m.damping.resize(n * n);
    std::vector<double> inverse_root(n);
    for (std::size_t i = 0; i < n; ++i)
        inverse_root[i] = 1.0 / std::sqrt(packing.mass[i]);
    struct Entry {
        std::size_t at;
        double value;
    };
    for (const Link& link : packing.links) {
        for (const linear::Spring& spring : packing.springs(link)) {
            std::vector<Entry> row;
            const auto add = [&](std::uint32_t body, const std::array<double, 6>& numbers) {
                if (body == Link::ground) return;
                for (std::size_t k = 0; k < c; ++k) {
                    const std::size_t at = body * c + k;
                    if (numbers[k] != 0.0) row.push_back({at, numbers[k] * inverse_root[at]});
                }
            };
            add(link.first, spring.first);
            add(link.second, spring.second);
            for (const Entry& a : row) {
                for (const Entry& b : row) {
                    m.stiffness[a.at * n + b.at] += spring.stiffness * a.value * b.value;
                    if (!m.damping.empty())
                        m.damping[a.at * n + b.at] += spring.damping * a.value * b.value;
                }
            }
        }
    }
    return m;
}

Modes solve(const PackingOperator& packing, const std::string& name) {
    const std::size_t n = packing.size();
    if (n > most_dense) {
        throw InputError(fmt::format(
            "{}: {} particles with {} freedoms each are too many for all modes; expected at most "
            "{} freedoms, or the lowest modes only, such as --lowest 50",
            name, packing.body.size(), packing.components(), most_dense));
    }
    Modes modes{.freedoms = n, .warnings = packing.warnings};
    const DenseMatrices matrices = dense_matrices(packing);
    std::vector<double> vectors = matrices.stiffness;
    const std::vector<double> squares = lapack::symmetric(vectors, n);
    const double zero = zero_of(squares.back());
    for (const double square : squares) {
        modes.frequency.push_back(square > zero ? hertz(std::sqrt(square)) : 0.0);
        if (square <= zero) ++modes.rigid;
        if (square < -zero) ++modes.unstable;
    }
    if (modes.unstable > 0) {
        modes.warnings.push_back(fmt::format(
            "{} modes grow under the static load, the fastest at {:.4g} 1/s: the packing buckles; "
            "their frequencies are listed as 0",
            modes.unstable, std::sqrt(-squares.front())));
    }
    if (packing.damped() && n <= most_dense_damped) {
        solve_damped(packing, matrices, vectors, modes);
        return modes;
    }
    for (std::size_t k = 0; k < n; ++k)
        add_shape(packing, vectors.data() + k * n, modes);
    if (packing.damped()) {
        add_first_order_damping(packing,
                                fmt::format("{} freedoms are too many for damped modes, which are "
                                            "computed for up to {}",
                                            n, most_dense_damped),
                                modes);
    }
    return modes;
}

}  // namespace beadwave::modes
