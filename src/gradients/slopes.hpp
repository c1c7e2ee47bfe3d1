// Slopes of the numbers of laws by a number that they are made of.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace beadwave::gradients {

/// The numbers made of `place`; none: there they are those of another law.
using NumbersAt = std::function<std::optional<std::vector<double>>(double place)>;

/// A central difference of sixth order around `own`, where the numbers are `here`; its error is
/// about 1e-13 of the slopes. An infinite number stays. None: there is a kink or jump nearby.
std::optional<std::vector<double>> slopes_of(double own, const std::vector<double>& here,
                                             const NumbersAt& numbers_at);

}  // namespace beadwave::gradients
