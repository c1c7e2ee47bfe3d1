// The vector code of panels, compiled once per instruction set.

#include "modes/panels/panel_kernel.hpp"

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "panel_apply.inl.hpp"
// clang-format on

namespace beadwave::modes::BEADWAVE_TARGET {

void add_products(std::size_t begin, std::size_t end, const double* a, const double* b,
                  double* sums) {
    for (std::size_t lane = 0; lane < panel_width; lane += register_lanes) {
        Register sum[panel_width];
        for (std::size_t j = 0; j < panel_width; ++j)
            sum[j] = Register::load(sums + j * panel_width + lane);
        for (std::size_t row = begin * panel_width; row < end * panel_width; row += panel_width) {
            const Register right = Register::load(b + row + lane);
            for (std::size_t j = 0; j < panel_width; ++j)
                sum[j] = multiply_add(Register(a[row + j]), right, sum[j]);
        }
        for (std::size_t j = 0; j < panel_width; ++j)
            sum[j].store(sums + j * panel_width + lane);
    }
}

void add_combination(std::size_t rows, const double* a, const double* factors, double* out) {
    for (std::size_t lane = 0; lane < panel_width; lane += register_lanes) {
        Register factor[panel_width];
        for (std::size_t j = 0; j < panel_width; ++j)
            factor[j] = Register::load(factors + j * panel_width + lane);
        for (std::size_t row = 0; row < rows * panel_width; row += panel_width) {
            Register sum = Register::load(out + row + lane), second(0.0);
            for (std::size_t j = 0; j < panel_width; j += 2) {
                sum = multiply_add(Register(a[row + j]), factor[j], sum);
                second = multiply_add(Register(a[row + j + 1]), factor[j + 1], second);
            }
            (sum + second).store(out + row + lane);
        }
    }
}

}  // namespace beadwave::modes::BEADWAVE_TARGET

namespace beadwave::modes {

template <>
PanelKernel panel_kernel<simd::Target::BEADWAVE_TARGET>(int dimension, bool rotates, bool rolls) {
    using namespace BEADWAVE_TARGET;
    const auto with = [](auto apply_to) {
        return PanelKernel{apply_to, &add_products, &add_combination};
    };
    if (dimension == 2) {
        if (!rotates) return with(&apply<2, false, false>);
        return rolls ? with(&apply<2, true, true>) : with(&apply<2, true, false>);
    }
    if (!rotates) return with(&apply<3, false, false>);
    return rolls ? with(&apply<3, true, true>) : with(&apply<3, true, false>);
}

}  // namespace beadwave::modes

#include "simd/end_vector_code.hpp"
