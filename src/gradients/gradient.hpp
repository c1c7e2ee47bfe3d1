// The gradient of a sum of objectives of one run with respect to any number of inputs, by one run
// and one reverse sweep, and its comparison with differences of runs.
#pragma once

#include "gradients/adjoint_run.hpp"
#include "gradients/inputs.hpp"
#include "gradients/measure.hpp"
#include "gradients/ready_chain.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::gradients {

/// What a gradient is with respect to: rows of numbers, one row per bead, contact or particle.
struct DifferentiatedBy {
    std::string name;
    std::string unit;         ///< "kg"; of a parameter of a law empty
    std::string_view of;      ///< what a row belongs to: "bead"
    std::size_t columns = 1;  ///< 3: of vectors
};

/// Differences of runs beside the gradient.
struct Check {
    std::size_t numbers = 0;         ///< how many of the inputs' numbers were changed
    double largest_deviation = 0.0;  ///< relative to the largest derivative times its number
    std::string input{};             ///< where it is
    std::size_t index = 0;           ///< in the order of the numbers, row by row
    double derivative = 0.0, difference = 0.0;
};

struct Gradient {
    double value = 0.0;              ///< the weighted sum
    std::vector<double> objectives;  ///< each without its weight
    std::vector<DifferentiatedBy> inputs;
    std::vector<std::vector<double>> by_input;  ///< numbers row by row
    std::int64_t steps = 0;
    double time_step = 0.0;    ///< [s]
    std::size_t states = 0;    ///< stored at the same time
    double run_seconds = 0.0;  ///< of the run forwards
    double seconds = 0.0;      ///< of all but the check
    std::optional<Check> check{};
    std::vector<std::string> warnings{};
};

/// Throws running::RunError if a derivative is not finite.
void require_finite(const Gradient& gradient);

/// The numbers of an input, and how large they are where one is zero.
struct CheckedInput {
    std::vector<double> numbers;
    double scale;
};

/// The largest of these numbers, of which infinite ones do not count; 0: all are zero.
double scale_of(const std::vector<double>& numbers);

/// The value of a run with one number of an input changed.
using ValueWith = std::function<double(std::size_t input, std::size_t index, double number)>;

/// Central differences beside the gradient, of at most 100 of the inputs' numbers. `longest`: of
/// three differences, a tenth of each other, relative to the number; the best one counts.
Check compare(const Gradient& gradient, const std::vector<CheckedInput>& inputs,
              const ValueWith& value_with, double longest = 1e-5);

/// Throws InputError for what has no gradient; running::RunError.
Gradient gradient_of(const ReadyChain& ready, const Measure& measure,
                     const std::vector<Input>& inputs, bool check, const Stop& stop = {},
                     const SweepCost& cost = {});

}  // namespace beadwave::gradients
