// One number per contact or bead, each with its derivatives, as tangent_kernel.hpp lays them out.
#pragma once

#include "tangent_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace beadwave::dynamics {

class DualColumn {
  public:
    explicit DualColumn(std::size_t stride)
        : stride_(stride), values_((1 + tangent_directions) * stride, 0.0) {}

    double* data() { return values_.data(); }
    const double* data() const { return values_.data(); }
    double& operator()(std::size_t i, std::size_t part) { return values_[part * stride_ + i]; }
    double operator()(std::size_t i, std::size_t part) const { return values_[part * stride_ + i]; }

    bool finite() const {
        return std::ranges::all_of(values_, [](double x) { return std::isfinite(x); });
    }

  private:
    std::size_t stride_;
    std::vector<double> values_;
};

}  // namespace beadwave::dynamics
