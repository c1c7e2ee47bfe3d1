// The only file that uses NLopt: a module of its own, loaded on demand.

#include "design/search.hpp"

#include <nlopt.h>

#include <algorithm>
#include <memory>

namespace {

using beadwave::design::Method;
using beadwave::design::Problem;
using beadwave::design::Sample;

struct Free {
    void operator()(nlopt_opt optimiser) const { nlopt_destroy(optimiser); }
};
using Optimiser = std::unique_ptr<nlopt_opt_s, Free>;

/// What NLopt's functions see: the problem, and the optimiser that a missing sample stops.
struct View {
    const Problem& problem;
    nlopt_opt running;
    bool ended = false;

    const Sample* at(unsigned n, const double* x) {
        const Sample* const sample = ended ? nullptr : problem.evaluate({x, n});
        if (sample == nullptr) {
            ended = true;
            nlopt_force_stop(running);
        }
        return sample;
    }
};

double objective(unsigned n, const double* x, double* gradient, void* data) {
    const Sample* const sample = static_cast<View*>(data)->at(n, x);
    if (sample == nullptr) return 0.0;
    if (gradient != nullptr) std::copy_n(sample->gradient.begin(), n, gradient);
    return sample->value;
}

/// All equations in one call. `gradient`: by equation, then by unknown.
void equations(unsigned m, double* result, unsigned n, const double* x, double* gradient,
               void* data) {
    const Sample* const sample = static_cast<View*>(data)->at(n, x);
    for (unsigned k = 0; k < m; ++k) {
        result[k] = sample == nullptr ? 0.0 : sample->equations[k];
        if (gradient == nullptr) continue;
        if (sample == nullptr)
            std::fill_n(gradient + std::size_t{k} * n, n, 0.0);
        else
            std::copy_n(sample->equation_gradients[k].begin(), n, gradient + std::size_t{k} * n);
    }
}

/// Where a step is this part of the range of an unknown, the search ends.
void set_ends(nlopt_opt optimiser, double tolerance) {
    nlopt_set_ftol_rel(optimiser, tolerance);
    nlopt_set_xtol_abs1(optimiser, 1e-3 * tolerance);
}

}  // namespace

extern "C" const char* beadwave_search(const Problem* problem) {
    const auto n = static_cast<unsigned>(problem->start.size());
    const auto m = static_cast<unsigned>(problem->equations);
    const nlopt_algorithm method = problem->method == Method::slsqp ? NLOPT_LD_SLSQP : NLOPT_LD_MMA;
    const bool lagrangian = problem->method == Method::mma && m > 0;
    const Optimiser outer(nlopt_create(lagrangian ? NLOPT_AUGLAG_EQ : method, n));
    if (!outer) return "NLopt has no memory for a search";
    View view{*problem, outer.get()};
    nlopt_set_lower_bounds1(outer.get(), 0.0);
    nlopt_set_upper_bounds1(outer.get(), 1.0);
    nlopt_set_min_objective(outer.get(), objective, &view);
    set_ends(outer.get(), problem->tolerance);
    const std::vector<double> exact(m, 1e-10);
    if (m > 0) nlopt_add_equality_mconstraint(outer.get(), m, equations, &view, exact.data());
    if (lagrangian) {
        const Optimiser inner(nlopt_create(method, n));
        if (!inner) return "NLopt has no memory for a search";
        set_ends(inner.get(), problem->tolerance);
        nlopt_set_local_optimizer(outer.get(), inner.get());  // a copy
    }
    std::vector<double> x = problem->start;
    double least = 0.0;
    const nlopt_result result = nlopt_optimize(outer.get(), x.data(), &least);
    // Rounding limits a search near its end; what it found was evaluated.
    if (result == NLOPT_OUT_OF_MEMORY) return "NLopt has no memory for a search";
    if (result == NLOPT_INVALID_ARGS) return "NLopt refuses the problem of this design";
    return nullptr;
}
