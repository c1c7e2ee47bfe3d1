#include "orbits/leave.hpp"

#include "modes/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace beadwave::orbits {
namespace {

/// The right singular vector of the least singular value; none: this value is not small.
std::optional<std::vector<double>> null_vector(const Matrix& matrix) {
    const std::size_t n = matrix.columns;
    std::vector<double> squares(n * n);
    for (std::size_t k = 0; k < matrix.rows; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                squares[i * n + j] += matrix(k, i) * matrix(k, j);
    const std::vector<double> values = modes::lapack::symmetric(squares, n);
    const double least = std::sqrt(std::max(values[0], 0.0)),
                 next = n > 1 ? std::sqrt(std::max(values[1], 0.0)) : 1.0;
    // Bifurcations are located to 1e-5 of a step along the branch.
    if (!(least < 0.05 * next && least < 0.01)) return std::nullopt;
    return std::vector<double>(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(n));
}

/// With the sign that makes its largest number positive.
void set_sign(std::vector<double>& direction, bool opposite) {
    const auto most =
        std::ranges::max_element(direction, {}, [](double d) { return std::fabs(d); });
    if ((*most < 0.0) == opposite) return;
    for (double& d : direction)
        d = -d;
}

}  // namespace

std::size_t periods_of_departure(const std::string& kind) {
    if (kind == "period-doubling") return 2;
    return kind == "tangent" || kind == "real" ? 1 : 0;
}

std::optional<CurvePoint> leave(const Problem& problem, const Bifurcation& bifurcation,
                                double least, bool opposite) {
    std::vector<std::vector<double>> starts{bifurcation.x};
    if (problem.turns() && periods_of_departure(bifurcation.kind) == 2) {
        // Orbits of twice the period turn at one of the two turning points of this orbit only.
        const Setting setting = problem.at(bifurcation.value_of_steps);
        State other = problem.state(bifurcation.x);
        setting.map->run(other, setting.period / static_cast<double>(problem.steps()),
                         problem.steps() / 4);
        starts.push_back(std::move(other.displacement));
    }
    for (std::vector<double>& x : starts) {
        const double value = bifurcation.value_of_steps;
        const Units units = problem.units(x, value, least);
        std::vector<double> residual;
        Matrix jacobian;
        problem.evaluate(x, value, units, residual, &jacobian);
        std::optional<std::vector<double>> direction = null_vector(jacobian);
        if (!direction) continue;
        set_sign(*direction, opposite);
        const std::vector<double> scale = problem.scale(units);
        for (std::size_t i = 0; i < scale.size(); ++i)
            (*direction)[i] *= scale[i];
        return CurvePoint{
            .x = std::move(x), .parameter = value, .direction = std::move(*direction)};
    }
    return std::nullopt;
}

}  // namespace beadwave::orbits
