#include "orbits/band.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::orbits {
namespace {

bool of_state(const Motion& motion) {
    return motion.derivative == Derivative::state_by_state;
}

/// The tangent after the motion, one column for each number in `column`, of which each place along
/// the chain has one or none. Those of changes of the velocity follow.
Tangent moved(const Motion& motion, const std::vector<std::size_t>& column, std::size_t columns) {
    const std::vector<std::size_t>& order = motion.map.along_chain();
    const std::size_t width = of_state(motion) ? 2 * columns : columns;
    Tangent tangent{Matrix(order.size(), width), Matrix(order.size(), width)};
    for (std::size_t place = 0; place < order.size(); ++place) {
        if (column[place] == none) continue;
        tangent.displacement(order[place], column[place]) = 1.0;
        if (of_state(motion))
            tangent.velocity(order[place], columns + column[place]) = 1.0 / motion.time;
    }
    State state = motion.start;
    motion.map.run(state, motion.time_step, motion.steps, &tangent);
    for (double& v : tangent.velocity.numbers)
        v *= motion.time;
    return tangent;
}

/// The distance in freedoms along the chain at which a change has fallen below `relative`, as seen
/// from some places of it.
std::size_t reach_of(const Motion& motion, double relative) {
    constexpr std::size_t most = 8;
    const std::size_t n = motion.map.freedoms(), probes = std::min(n, most);
    std::vector<std::size_t> column(n, none), places(probes);
    for (std::size_t k = 0; k < probes; ++k) {
        places[k] = (2 * k + 1) * n / (2 * probes);
        column[places[k]] = k;
    }
    const Tangent after = moved(motion, column, probes);
    const std::vector<std::size_t>& order = motion.map.along_chain();
    std::size_t reach = 0;
    for (std::size_t c = 0; c < after.displacement.columns; ++c) {
        const auto size = [&](std::size_t place) {
            const double u = std::fabs(after.displacement(order[place], c)),
                         v = std::fabs(after.velocity(order[place], c));
            if (of_state(motion)) return std::max(u, v);
            return motion.derivative == Derivative::velocity_by_displacement ? v : u;
        };
        double largest = 0.0;
        for (std::size_t place = 0; place < n; ++place)
            largest = std::max(largest, size(place));
        for (std::size_t place = 0; place < n; ++place) {
            const std::size_t from = places[c % probes];
            if (size(place) > relative * largest)
                reach = std::max(reach, place > from ? place - from : from - place);
        }
    }
    return std::min(reach + 1, n - 1);
}

/// The derivative up to this distance; what is farther is added to what is near.
Band derivative_within(const Motion& motion, std::size_t reach) {
    const std::vector<std::size_t>& order = motion.map.along_chain();
    const std::size_t n = order.size(), columns = std::min(2 * reach + 1, n);
    std::vector<std::size_t> column(n);
    for (std::size_t place = 0; place < n; ++place)
        column[place] = place % columns;
    const Tangent after = moved(motion, column, columns);
    const bool both = of_state(motion);
    Band band(both ? 2 * n : n, both ? 2 * reach + 1 : reach);
    for (std::size_t p = 0; p < n; ++p) {
        const std::size_t first = p < reach ? 0 : p - reach, end = std::min(p + reach + 1, n);
        for (std::size_t q = first; q < end; ++q) {
            const double u = after.displacement(order[p], column[q]),
                         v = after.velocity(order[p], column[q]);
            if (both) {
                band(2 * p, 2 * q) = u;
                band(2 * p, 2 * q + 1) = after.displacement(order[p], columns + column[q]);
                band(2 * p + 1, 2 * q) = v;
                band(2 * p + 1, 2 * q + 1) = after.velocity(order[p], columns + column[q]);
            } else {
                band(p, q) = motion.derivative == Derivative::velocity_by_displacement ? v : u;
            }
        }
    }
    return band;
}

/// The largest number at the edges of the band, over the largest of its column [1].
double edge_of(const Band& band, std::size_t places) {
    std::vector<double> largest(band.size), edge(band.size);
    for (std::size_t i = 0; i < band.size; ++i) {
        for (std::size_t j = band.first(i); j < band.end(i); ++j) {
            const double number = std::fabs(band(i, j));
            largest[j] = std::max(largest[j], number);
            if ((i > j ? i - j : j - i) + places > band.width) edge[j] = std::max(edge[j], number);
        }
    }
    double most = 0.0;
    for (std::size_t j = 0; j < band.size; ++j)
        if (edge[j] > 0.0) most = std::max(most, edge[j] / largest[j]);
    return most;
}

}  // namespace

std::vector<double> multiply(const Band& band, const std::vector<double>& x) {
    std::vector<double> product(band.size);
    for (std::size_t i = 0; i < band.size; ++i)
        for (std::size_t j = band.first(i); j < band.end(i); ++j)
            product[i] += band(i, j) * x[j];
    return product;
}

Matrix full(const Band& band) {
    Matrix all(band.size, band.size);
    for (std::size_t i = 0; i < band.size; ++i)
        for (std::size_t j = band.first(i); j < band.end(i); ++j)
            all(i, j) = band(i, j);
    return all;
}

Band derivative_to(const Motion& motion, double relative) {
    // Where places that were not looked at reach farther, the edge of the band has larger numbers.
    const double limit = 100.0 * relative;
    const std::size_t farthest = motion.map.freedoms() - 1;
    for (std::size_t reach = reach_of(motion, relative);; reach += reach / 2 + 1) {
        reach = std::min(reach, farthest);
        Band band = derivative_within(motion, reach);
        if (reach == farthest || edge_of(band, of_state(motion) ? 2 : 1) <= limit) return band;
    }
}

}  // namespace beadwave::orbits
