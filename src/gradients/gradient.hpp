// The gradient of a sum of objectives of one run with respect to any number of inputs, by one run
// and one reverse sweep, and its comparison with differences of runs.
#pragma once

#include "gradients/adjoint_run.hpp"
#include "gradients/inputs.hpp"
#include "gradients/measure.hpp"
#include "gradients/ready_chain.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::gradients {

/// Differences of runs beside the gradient.
struct Check {
    std::size_t numbers = 0;         ///< how many of the inputs' numbers were changed
    double largest_deviation = 0.0;  ///< relative to the largest derivative times its number
    std::string input{};             ///< where it is
    std::size_t index = 0;
    double derivative = 0.0, difference = 0.0;
};

struct Gradient {
    double value = 0.0;              ///< the weighted sum
    std::vector<double> objectives;  ///< each without its weight
    std::vector<Input> inputs;
    std::vector<std::vector<double>> by_input;  ///< one number per bead or contact
    std::int64_t steps = 0;
    double time_step = 0.0;    ///< [s]
    std::size_t states = 0;    ///< stored at the same time
    double run_seconds = 0.0;  ///< of the run forwards
    double seconds = 0.0;      ///< of all but the check
    std::optional<Check> check{};
    std::vector<std::string> warnings{};
};

/// Throws InputError for what has no gradient; running::RunError.
Gradient gradient_of(const ReadyChain& ready, const Measure& measure,
                     const std::vector<Input>& inputs, bool check, const Stop& stop = {},
                     const SweepCost& cost = {});

}  // namespace beadwave::gradients
