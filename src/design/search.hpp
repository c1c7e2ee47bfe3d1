// The smallest value of a function with derivatives between bounds and under equations, by NLopt.
//
// NLopt has methods for bounds and equations together, which Ceres lacks: SLSQP (Kraft 1994, ACM
// Trans. Math. Softw. 20, 262), and the method of moving asymptotes (Svanberg 2002, SIAM J. Optim.
// 12, 555), with equations by an augmented Lagrangian (Birgin and Martinez 2008, Optim. Methods
// Softw. 23, 177). All are deterministic: the same values lead to the same points, to the bit.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::design {

/// slsqp: a quadratic model with the equations linearised; its work per step grows with the cube of
/// the number of unknowns. mma: separable models, for many unknowns.
enum class Method { slsqp, mma };

/// The values at one point: f, its derivatives, and those of the equations g = 0.
struct Sample {
    double value = 0.0;
    std::vector<double> gradient{};
    std::vector<double> equations{};
    std::vector<std::vector<double>> equation_gradients{};
};

struct Problem {
    Method method = Method::slsqp;
    std::vector<double> start{};  ///< every unknown is between 0 and 1
    std::size_t equations = 0;
    double tolerance = 0.0;  ///< relative change of f at which the search ends
    /// Called with points between the bounds, also again with the same one. Null ends the search.
    /// The sample is used until the next call.
    std::function<const Sample*(std::span<const double> x)> evaluate{};
};

/// Evaluates points until the search ends. Throws std::runtime_error where the module with NLopt
/// cannot be loaded, InputError where the build has none. Exceptions of evaluate() pass through.
void search(const Problem& problem);

/// Throws as search() does if it cannot run.
void check_search();

namespace nlopt_module {
inline constexpr const char* search_name = "beadwave_search";
/// Returns an error message, or null. Exceptions do not pass through NLopt: see load_search.cpp.
using Search = const char* (*)(const Problem*);
}  // namespace nlopt_module

}  // namespace beadwave::design
