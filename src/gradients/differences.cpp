// Central differences of runs beside a gradient.

#include "beadwave/running/run_error.hpp"
#include "gradients/gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::gradients {
namespace {

/// The most pairs of runs; of more numbers, evenly spaced ones are checked.
constexpr std::size_t most_checked = 100;

/// The length that differences are relative to.
double size_of(const CheckedInput& input, std::size_t index) {
    const double own = std::fabs(input.numbers[index]);
    if (own > 0.0 && std::isfinite(own)) return own;
    return input.scale > 0.0 ? input.scale : 1.0;
}

}  // namespace

double scale_of(const std::vector<double>& numbers) {
    double scale = 0.0;
    for (const double x : numbers) {
        if (std::isfinite(x)) scale = std::max(scale, std::fabs(x));
    }
    return scale;
}

void require_finite(const Gradient& gradient) {
    for (std::size_t k = 0; k < gradient.inputs.size(); ++k) {
        if (!std::ranges::all_of(gradient.by_input[k], [](double d) { return std::isfinite(d); }))
            throw running::RunError(
                fmt::format("the derivatives by {} are not finite", gradient.inputs[k].name));
    }
}

Check compare(const Gradient& gradient, const std::vector<CheckedInput>& inputs,
              const ValueWith& value_with, double longest) {
    // Several lengths: a long difference may cross a kink, a short one has rounding errors.
    const std::array<double, 3> parts{longest, 0.1 * longest, 0.01 * longest};
    double largest = 0.0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        for (std::size_t i = 0; i < gradient.by_input[k].size(); ++i)
            largest = std::max(largest, std::fabs(gradient.by_input[k][i]) * size_of(inputs[k], i));
        count += gradient.by_input[k].size();
    }
    Check check;
    if (largest == 0.0) largest = std::max(std::fabs(gradient.value), 1e-300);
    std::size_t stride = (count + most_checked - 1) / most_checked;
    if (stride % 3 == 0) ++stride;  // numbers of vectors: each axis has its turn
    std::size_t number = 0;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        for (std::size_t i = 0; i < gradient.by_input[k].size(); ++i, ++number) {
            const double own = inputs[k].numbers[i], size = size_of(inputs[k], i);
            if (number % stride != 0 || !std::isfinite(own)) continue;
            double least = std::numeric_limits<double>::infinity(), difference = 0.0;
            for (const double part : parts) {
                const double above = own + part * size, below = own - part * size;
                const double slope =
                    (value_with(k, i, above) - value_with(k, i, below)) / (above - below);
                const double deviation =
                    std::fabs(slope - gradient.by_input[k][i]) * size / largest;
                if (!(deviation < least)) continue;
                least = deviation;
                difference = slope;
            }
            ++check.numbers;
            if (check.numbers > 1 && !(least > check.largest_deviation)) continue;
            check = {.numbers = check.numbers,
                     .largest_deviation = least,
                     .input = gradient.inputs[k].name,
                     .index = i,
                     .derivative = gradient.by_input[k][i],
                     .difference = difference};
        }
    }
    return check;
}

}  // namespace beadwave::gradients
