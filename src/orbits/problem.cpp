#include "orbits/problem.hpp"

#include "orbits/solver.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace beadwave::orbits {
namespace {

/// Unknowns; with more of them products take less time.
constexpr std::size_t most_by_matrix = 130;

}  // namespace

std::vector<double> numbers_of(const State& state) {
    std::vector<double> x = state.displacement;
    x.insert(x.end(), state.velocity.begin(), state.velocity.end());
    return x;
}

Problem::Problem(Family family, double parameter, std::int64_t steps, std::size_t cell,
                 Method method)
    : family_(std::move(family)), steps_(steps), cell_(cell), method_(method) {
    const Setting setting = family_(parameter);
    turns_ = !travels() && !setting.map->driven() && !setting.map->damped();
    floats_ = setting.map->floats();
    freedoms_ = setting.map->freedoms();
    size_ = turns_ ? freedoms_ : 2 * freedoms_;
    by_products_ = !travels() && (method == Method::products ||
                                  (method == Method::by_size && size_ > most_by_matrix));
}

Units Problem::units(std::span<const double> x, double parameter, double least) const {
    return {.length = std::max(largest(x.first(freedoms_)), least),
            .time = family_(parameter).period / (2.0 * std::numbers::pi)};
}

std::vector<double> Problem::scale(const Units& units) const {
    std::vector<double> all(size_, units.length);
    for (std::size_t i = freedoms_; i < size_; ++i)
        all[i] = units.length / units.time;
    return all;
}

State Problem::state(std::span<const double> x) const {
    const auto middle = x.begin() + static_cast<std::ptrdiff_t>(freedoms_);
    State state{{x.begin(), middle}, {middle, x.end()}};
    state.velocity.resize(freedoms_);
    return state;
}

State Problem::shifted(const State& state) const {
    if (!travels()) return state;
    State moved{std::vector<double>(freedoms_), std::vector<double>(freedoms_)};
    for (std::size_t i = 0; i + cell_ < freedoms_; ++i) {
        moved.displacement[i] = state.displacement[i + cell_];
        moved.velocity[i] = state.velocity[i + cell_];
    }
    return moved;
}

void Problem::evaluate(std::span<const double> x, double parameter, const Units& units,
                       std::vector<double>& residual, Matrix* jacobian) const {
    const Setting setting = family_(parameter);
    PeriodMap& map = *setting.map;
    const std::size_t n = freedoms_;
    State state = this->state(x);
    const double step = setting.period / static_cast<double>(steps_);
    Tangent tangent;
    if (jacobian != nullptr) {
        tangent = {Matrix(n, size_), Matrix(n, size_)};
        for (std::size_t i = 0; i < n; ++i) {
            tangent.displacement(i, i) = 1.0;
            if (!turns_) tangent.velocity(i, n + i) = 1.0 / units.time;
        }
    }
    map.run(state, step, turns_ ? steps_ / 2 : steps_, jacobian != nullptr ? &tangent : nullptr);
    state = shifted(state);
    const double speed = units.length / units.time;
    const bool centred = this->centred();
    residual.assign(size_ + (centred || travels() ? 1 : 0), 0.0);
    if (jacobian != nullptr) *jacobian = Matrix(residual.size(), size_);
    double mass = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        mass += map.mass(i);
    for (std::size_t i = 0; i < n; ++i) {
        if (turns_) {
            residual[i] = state.velocity[i] / speed;
        } else {
            residual[i] = (state.displacement[i] - x[i]) / units.length;
            residual[n + i] = (state.velocity[i] - x[n + i]) / speed;
        }
        if (centred) residual[n] += map.mass(i) / mass * x[i] / units.length;
        if (jacobian == nullptr) continue;
        for (std::size_t j = 0; j < size_; ++j) {
            if (turns_) {
                (*jacobian)(i, j) = tangent.velocity(i, j) * units.time;
            } else {
                const bool moves = i + cell_ < n;
                (*jacobian)(i, j) =
                    (moves ? tangent.displacement(i + cell_, j) : 0.0) - (i == j ? 1.0 : 0.0);
                (*jacobian)(n + i, j) =
                    (moves ? tangent.velocity(i + cell_, j) * units.time : 0.0) -
                    (n + i == j ? 1.0 : 0.0);
            }
        }
        if (centred) (*jacobian)(n, i) = map.mass(i) / mass;
    }
    if (!travels()) return;
    const std::size_t middle = n + n / 2;  // velocity of the bead behind the contact
    residual[size_] = (x[middle - 1] - x[middle]) / speed;
    if (jacobian == nullptr) return;
    (*jacobian)(size_, middle - 1) = 1.0;
    (*jacobian)(size_, middle) = -1.0;
}

std::vector<double> Problem::along(std::span<const double> x, double parameter, const Units& units,
                                   std::span<const double> direction) const {
    const Setting setting = family_(parameter);
    const std::size_t n = freedoms_;
    Tangent tangent{Matrix(n, 1), Matrix(n, 1)};
    for (std::size_t i = 0; i < n; ++i) {
        tangent.displacement.numbers[i] = direction[i];
        if (!turns_) tangent.velocity.numbers[i] = direction[n + i] / units.time;
    }
    Motion motion = this->motion(setting, x, units.time);
    motion.map.run(motion.start, motion.time_step, motion.steps, &tangent);
    std::vector<double> product(size_ + (centred() ? 1 : 0));
    double mass = 0.0, centre = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        mass += motion.map.mass(i);
        centre += motion.map.mass(i) * direction[i];
        product[turns_ ? i : n + i] = tangent.velocity.numbers[i] * units.time;
        if (!turns_) product[i] = tangent.displacement.numbers[i] - direction[i];
        if (!turns_) product[n + i] -= direction[n + i];
    }
    if (centred()) product[n] = centre / mass;
    return product;
}

Motion Problem::motion(const Setting& setting, std::span<const double> x, double time) const {
    return {
        .map = *setting.map,
        .start = state(x),
        .time_step = setting.period / static_cast<double>(steps_),
        .steps = turns_ ? steps_ / 2 : steps_,
        .derivative = turns_ ? Derivative::velocity_by_displacement : Derivative::state_by_state,
        .time = time};
}

Band Problem::monodromy_within(std::span<const double> x, double parameter) const {
    constexpr double rounding = 1e-15;
    const Setting setting = family_(parameter);
    Motion motion = this->motion(setting, x, units(x, parameter, 1e-30).time);
    motion.steps = steps_;
    if (turns_) motion.derivative = Derivative::displacement_by_displacement;
    return derivative_to(motion, rounding);
}

Matrix Problem::monodromy(std::span<const double> x, double parameter) const {
    const Units by = units(x, parameter, 1e-30);
    if (!turns_) {
        std::vector<double> residual;
        Matrix matrix;
        evaluate(x, parameter, by, residual, &matrix);
        for (std::size_t i = 0; i < size_; ++i)
            matrix(i, i) += 1.0;
        matrix.rows = size_;  // without the equation for the moment
        matrix.numbers.resize(size_ * size_);
        return matrix;
    }
    const Setting setting = family_(parameter);
    State state = this->state(x);
    Tangent tangent{Matrix(freedoms_, freedoms_), Matrix(freedoms_, freedoms_)};
    for (std::size_t i = 0; i < freedoms_; ++i)
        tangent.displacement(i, i) = 1.0;
    setting.map->run(state, setting.period / static_cast<double>(steps_), steps_, &tangent);
    return tangent.displacement;
}

double Problem::periodicity_error(std::span<const double> x, double parameter) const {
    const Setting setting = family_(parameter);
    const State start = state(x);
    State end = start;
    double u = 0.0, v = 0.0;
    setting.map->run(end, setting.period / static_cast<double>(steps_), steps_, nullptr,
                     [&](const State& now) {
                         u = std::max(u, largest(now.displacement));
                         v = std::max(v, largest(now.velocity));
                     });
    end = shifted(end);
    double error = 0.0;
    for (std::size_t i = 0; i < freedoms_; ++i) {
        error = std::max({error, std::fabs(end.displacement[i] - start.displacement[i]) / u,
                          std::fabs(end.velocity[i] - start.velocity[i]) / v});
    }
    return error;
}

Problem::Family repeated(Problem::Family family, std::size_t times) {
    if (times == 1) return family;
    return [family = std::move(family), times](double parameter) {
        Setting setting = family(parameter);
        setting.period *= static_cast<double>(times);
        return setting;
    };
}

NewtonResult newton(const Problem& problem, std::vector<double> x, double parameter, double least) {
    constexpr int most_steps = 30;
    NewtonResult result{.x = std::move(x)};
    const Units units = problem.units(result.x, parameter, least);
    const std::vector<double> scale = problem.scale(units);
    std::vector<double> residual, tried;
    Solver solver(problem);
    solver.set(result.x, parameter, units, residual);
    double error = largest(residual);
    result.errors.push_back(error);
    for (int step = 0; step < most_steps && std::isfinite(error); ++step) {
        const std::vector<double> change = solver.solve(residual);
        const double length = largest(change);
        // A shorter step where a whole one leads away.
        double part = 1.0, next = 0.0;
        std::vector<double> to(result.x.size());
        for (int halving = 0; halving < 8; ++halving, part *= 0.5) {
            for (std::size_t i = 0; i < to.size(); ++i)
                to[i] = result.x[i] - part * scale[i] * change[i];
            solver.set(to, parameter, units, tried);
            next = largest(tried);
            if (std::isfinite(next) && (next < 1.2 * error || error < 1e-9)) break;
        }
        if (!std::isfinite(next)) break;
        const bool stalled = error < 1e-9 && next >= 0.5 * error;
        if (stalled && next > error) {
            result.converged = true;
            break;
        }
        result.x = std::move(to);
        residual = tried;
        error = next;
        result.errors.push_back(error);
        // A wave has one equation more than unknowns: nearest to it is not on it.
        const bool still = length < 1e-13 && part == 1.0 && (error < 1e-9 || !problem.travels());
        if (stalled || still || error < 1e-15) {
            result.converged = true;
            break;
        }
    }
    return result;
}

}  // namespace beadwave::orbits
