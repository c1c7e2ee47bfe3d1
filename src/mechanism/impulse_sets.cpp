#include "mechanism/impulse_sets.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {

namespace {

std::optional<CoulombForces> find_set(const CoulombProblem& problem) {
    if (std::ranges::any_of(problem.friction, [](double mu) { return mu > 0.0; }))
        return solve(problem);
    const std::size_t n = problem.separation.size();
    Matrix delassus(n);
    std::vector<double> required;
    for (std::size_t k = 0; k < n; ++k) {
        required.push_back(-problem.separation[k]);
        for (std::size_t j = 0; j < n; ++j) {
            delassus(k, j) = problem.response(k, j);
            required[k] -= problem.response(k, j) * problem.given_normal[j];
        }
    }
    CoulombForces found{.normal = solve_lcp(delassus, required),
                        .tangential = std::vector<double>(n, 0.0),
                        .separation = problem.separation,
                        .slip = problem.slip};
    for (std::size_t k = 0; k < n; ++k)
        found.normal[k] += problem.given_normal[k];
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) {
            found.separation[k] += problem.response(k, j) * found.normal[j];
            found.slip[k] += problem.response(n + k, j) * found.normal[j];
        }
    }
    return found;
}

}  // namespace

CoulombForces impulses_of(const CoulombProblem& problem) {
    auto found = find_set(problem);
    if (!found) {
        throw std::runtime_error(
            "the impulses of contacts with friction that close at once cannot be found");
    }
    return *found;
}

/// Each pass solves the problem with the works linear around the impulses of the pass before (N. H.
/// Josephy's method; without friction it is Newton's for the convex function).
std::optional<CoulombForces> impulses_of_work(const CoulombProblem& problem,
                                              const std::vector<double>& work) {
    constexpr int most = 60, usual = 20;
    // A slip that is far faster than the contacts separate leaves more rounding.
    constexpr double rounding = 1e-14, most_rounding = 1e-9, slowest = 0.25;
    std::vector<std::size_t> working;
    std::vector<double> normal(work.size(), 0.0);
    for (std::size_t k = 0; k < work.size(); ++k) {
        if (!(work[k] > 0.0)) continue;
        working.push_back(k);
        normal[k] = std::sqrt(2.0 * work[k] / problem.response(k, k));
    }
    if (working.empty()) return impulses_of(problem);
    for (int pass = 0; pass < most; ++pass) {
        CoulombProblem linear = problem;
        for (const std::size_t k : working) {
            linear.response(k, k) += 2.0 * work[k] / (normal[k] * normal[k]);
            linear.separation[k] += problem.separation[k] - 4.0 * work[k] / normal[k];
        }
        const auto set = find_set(linear);
        if (!set) return std::nullopt;
        const CoulombForces& found = *set;
        double change = 0.0;
        for (const std::size_t k : working) {
            const double next = std::max(found.normal[k], slowest * normal[k]);
            change = std::max(change, std::abs(next - normal[k]) / next);
            normal[k] = next;
        }
        if (change <= (pass < usual ? rounding : most_rounding)) return set;
    }
    return std::nullopt;
}

}  // namespace beadwave::mechanism
