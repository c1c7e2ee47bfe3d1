#include "mechanism/loops.hpp"

#include "mechanism/finite_numbers.hpp"
#include "mechanism/redundant_loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace beadwave::mechanism {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::vector<double> negative(std::vector<double> numbers) {
    for (double& number : numbers)
        number = -number;
    return numbers;
}

}  // namespace

Loops::Loops(const std::vector<simbody::Branch>& branches, std::vector<Closure> closures,
             simbody::Tree& tree)
    : conditions_(branches, std::move(closures), tree),
      tree_(tree),
      rank_(rank_of_redundant_loops(conditions_, tree)),
      moves_(allow_motion(conditions_, tree)) {}

void Loops::update() {
    if (current_) return;
    current_ = true;
    const std::size_t n = tree_.coordinates(), all = conditions_.size();
    rows_ = conditions_.jacobian(tree_.bodies(), false);
    responses_.assign(all, std::vector<double>(n));
    std::vector<std::vector<std::size_t>> used(all);  // most coordinates move no given loop
    for (std::size_t r = 0; r < all; ++r) {
        tree_.coordinate_response(rows_[r].data(), responses_[r].data());
        for (std::size_t k = 0; k < n; ++k) {
            if (rows_[r][k] != 0.0) used[r].push_back(k);
        }
    }
    LoopConditions::Rows matrix(all, std::vector<double>(all, 0.0));
    for (std::size_t r = 0; r < all; ++r) {
        for (std::size_t c = 0; c <= r; ++c) {
            for (const std::size_t k : used[r])
                matrix[r][c] += rows_[r][k] * responses_[c][k];
            matrix[c][r] = matrix[r][c];
        }
    }
    system_ = Semidefinite(std::move(matrix), rank_.value_or(all));
}

void Loops::add_response(const std::vector<double>& forces, double* change) const {
    for (std::size_t r = 0; r < forces.size(); ++r) {
        if (forces[r] == 0.0) continue;
        for (std::size_t k = 0; k < responses_[r].size(); ++k)
            change[k] += forces[r] * responses_[r][k];
    }
}

double Loops::largest(const std::vector<double>& numbers) const {
    double size = 0.0;
    if (rank_) {
        for (const std::size_t row : system_.rows())
            size = std::max(size, std::abs(numbers[row]));
    } else {
        for (const double number : numbers)
            size = std::max(size, std::abs(number));
    }
    return size;
}

bool Loops::close(double time, std::span<double> q, std::span<double> u, double tolerance) {
    return close_positions(time, q, u, tolerance) && close_speeds(u, tolerance) &&
           (!rank_ || agree(u));
}

bool Loops::close_positions(double time, std::span<double> q, std::span<double> u,
                            double tolerance) {
    constexpr int most_steps = 20;
    for (int step = 0; step < most_steps; ++step) {
        if (!is_finite(q) || !is_finite(u)) return false;
        tree_.set(time, q.data(), u.data());
        state_changed();
        update();
        const std::vector<double> errors = conditions_.errors(tree_.bodies());
        double extent = conditions_.length();
        for (const BodyState& body : tree_.bodies())
            extent = std::max(extent, length(body.centre));
        if (largest(errors) <= std::max(tolerance, 16.0 * epsilon * extent)) {
            std::copy_n(tree_.speeds(), u.size(), u.begin());
            return true;
        }
        add_response(system_.solve(negative(errors)), q.data());
    }
    return false;
}

bool Loops::close_speeds(std::span<double> u, double tolerance) {
    const LoopConditions::Rows jacobian = conditions_.jacobian(tree_.bodies(), true);
    constexpr int most_steps = 3;  // one, and what its rounding needs
    for (int step = 0; step <= most_steps; ++step) {
        std::vector<double> speeds(jacobian.size(), 0.0);
        double rounding = 0.0;
        for (std::size_t r = 0; r < jacobian.size(); ++r) {
            double size = 0.0;
            for (std::size_t k = 0; k < u.size(); ++k) {
                speeds[r] += jacobian[r][k] * u[k];
                size += std::abs(jacobian[r][k] * u[k]);
            }
            rounding = std::max(rounding, 64.0 * epsilon * size);
        }
        if (largest(speeds) <= std::max(tolerance, rounding)) return true;
        add_response(system_.solve(negative(speeds)), u.data());
    }
    return false;
}

bool Loops::agree(std::span<const double> u) {
    constexpr double least = 1e-9, least_speed = 1e-6;
    contradiction_ = 0.0;
    for (const double error : conditions_.errors(tree_.bodies()))
        contradiction_ = std::max(contradiction_, std::abs(error));
    if (!(contradiction_ <= least * conditions_.length())) return false;
    contradiction_ = 0.0;
    for (const std::vector<double>& row : conditions_.jacobian(tree_.bodies(), true)) {
        double speed = 0.0, largest = 0.0;
        for (std::size_t k = 0; k < row.size(); ++k) {
            speed += row[k] * u[k];
            largest = std::max(largest, std::abs(row[k] * u[k]));
        }
        // Where the mechanism turns back, its speeds are rounding.
        const double rounding = least * conditions_.length();  // per second
        if (!(std::abs(speed) <= least_speed * largest + rounding)) return false;
    }
    return true;
}

void Loops::accelerate(std::span<const Load> given, double* accelerations) {
    update();
    forces_.assign(conditions_.size(), 0.0);
    loads_.assign(given.begin(), given.end());
    tree_.accelerate(loads_.data(), accelerations);
    for (int pass = 0; pass < 2; ++pass) {  // the second removes the rounding of the first
        const std::vector<double> more =
            system_.solve(negative(conditions_.accelerations(tree_.bodies())));
        for (std::size_t r = 0; r < more.size(); ++r)
            forces_[r] += more[r];
        // Rigid bodies do not say how joints that repeat conditions share their forces: the
        // smallest ones have no part that moves no coordinate.
        if (rank_) forces_ = in_column_space(rows_, *rank_, forces_);
        loads_.assign(given.begin(), given.end());
        conditions_.add_loads(tree_.bodies(), forces_, loads_);
        tree_.accelerate(loads_.data(), accelerations);
    }
}

LoopConditions::Rows Loops::jacobian() {
    update();
    if (!rank_) return rows_;
    LoopConditions::Rows counting;
    for (const std::size_t row : system_.rows())
        counting.push_back(rows_[row]);
    return counting;
}

std::vector<Load> Loops::reactions() const {
    return conditions_.reactions(tree_.bodies(), forces_);
}

void Loops::hold(std::vector<double>& change) {
    update();
    std::vector<double> speeds(rows_.size(), 0.0);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        for (std::size_t k = 0; k < change.size(); ++k)
            speeds[r] += rows_[r][k] * change[k];
    }
    add_response(system_.solve(negative(speeds)), change.data());
}

}  // namespace beadwave::mechanism
