#include "mechanism/joint_friction.hpp"

#include "mechanism/coulomb_forces.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {
namespace {

/// Forces of friction where the limits are known: at their limit in the joints that move, and in
/// the others as the linear complementarity problem |force| <= limit says.
std::optional<std::vector<double>> forces_within(const JointFrictionProblem& problem,
                                                 const std::vector<double>& limits) {
    const std::size_t count = limits.size();
    std::vector<double> forces(count, 0.0);
    std::vector<std::size_t> held;
    for (std::size_t j = 0; j < count; ++j) {
        forces[j] = -problem.directions[j] * limits[j];
        if (problem.directions[j] == 0.0) held.push_back(j);
    }
    const std::size_t n = held.size();
    if (n == 0) return forces;
    // With force = x - limit: 0 <= x, 0 <= forward; 0 <= 2 limit - x, 0 <= backward, each pair with
    // a zero. The acceleration is forward - backward.
    Matrix m(2 * n);
    std::vector<double> q(2 * n);
    for (std::size_t row = 0; row < n; ++row) {
        double free = problem.accelerations[held[row]];
        for (std::size_t j = 0; j < count; ++j) {
            const double force = problem.directions[j] == 0.0 ? -limits[j] : forces[j];
            free += problem.response(held[row], j) * force;
        }
        for (std::size_t column = 0; column < n; ++column)
            m(row, column) = problem.response(held[row], held[column]);
        m(row, n + row) = 1.0;
        m(n + row, row) = -1.0;
        q[row] = free;
        q[n + row] = 2.0 * limits[held[row]];
    }
    const auto found = solve_lemke(m, q);
    if (!found) return std::nullopt;
    for (std::size_t k = 0; k < n; ++k)
        forces[held[k]] =
            std::clamp((*found)[k] - limits[held[k]], -limits[held[k]], limits[held[k]]);
    return forces;
}

}  // namespace

double friction_limit(const Joint& joint, double coefficient, const JointReaction& reaction,
                      const Vector& axis) {
    const JointFriction& friction = *joint.friction;
    if (joint.kind == JointKind::revolute)
        return coefficient * friction.radius * length(reaction.force);
    return coefficient * std::max(std::abs(cross(axis, reaction.force)),
                                  2.0 * std::abs(reaction.torque) / friction.length);
}

std::optional<JointFrictionForces> solve(const JointFrictionProblem& problem) {
    const std::size_t count = problem.joints.size();
    std::vector<double> forces(count, 0.0), limits(count, 0.0);
    // Where a larger limit makes the next one smaller, by more than itself, only a part of each
    // change converges. Where it makes the next one larger by more than itself, none does.
    constexpr int passes_of_a_part = 200, parts = 12;
    constexpr double rounding = 1e-14;
    for (int pass = 0; pass < parts * passes_of_a_part; ++pass) {
        const double part = std::ldexp(1.0, -(pass / passes_of_a_part));
        for (std::size_t j = 0; j < count; ++j) {
            JointReaction reaction = problem.reactions[j];
            for (std::size_t k = 0; k < count; ++k) {
                const JointReaction& change = problem.changes[j * count + k];
                reaction.force = reaction.force + forces[k] * change.force;
                reaction.torque += forces[k] * change.torque;
            }
            limits[j] = friction_limit(*problem.joints[j], problem.coefficients[j], reaction,
                                       problem.axes[j]);
            if (!std::isfinite(limits[j])) return std::nullopt;
        }
        const auto next = forces_within(problem, limits);
        if (!next) return std::nullopt;
        bool same = true;
        for (std::size_t j = 0; j < count; ++j)
            same = same && std::abs((*next)[j] - forces[j]) <= rounding * limits[j];
        for (std::size_t j = 0; j < count; ++j)
            forces[j] =
                part == 1.0 || same ? (*next)[j] : forces[j] + part * ((*next)[j] - forces[j]);
        if (!same) continue;
        JointFrictionForces result{.forces = forces,
                                   .accelerations = problem.accelerations,
                                   .negligible = {},
                                   .limits = limits,
                                   .own_response = {}};
        for (std::size_t j = 0; j < count; ++j) {
            double size = std::abs(problem.accelerations[j]);
            // Forces are computed as differences to their limits, with the rounding of these.
            for (std::size_t k = 0; k < count; ++k) {
                result.accelerations[j] += problem.response(j, k) * forces[k];
                size += std::abs(problem.response(j, k)) * limits[k];
            }
            result.negligible.push_back(1e-11 * size);
            result.own_response.push_back(problem.response(j, j));
        }
        return result;
    }
    return std::nullopt;
}

}  // namespace beadwave::mechanism
