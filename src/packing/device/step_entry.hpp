// The kernels by name: for each normal law of device_laws, those of the plain tangential laws, with
// and without rolling resistance.
#pragma once

#include "device_laws.hpp"
#include "laws/tangential/any_slider.hpp"
#include "step_kernel.hpp"

#include <cstddef>
#include <tuple>
#include <variant>

namespace beadwave::packing::on_device {

/// A law of DeviceLaws by its number, over a kind of numbers.
template <std::size_t law, class Number>
using LawAt = typename std::tuple_element_t<law, DeviceLaws>::template Rebind<Number>;

/// A tangential law of laws::AnySlider.
template <std::size_t slider, class Number>
using SliderAt =
    typename std::variant_alternative_t<slider, laws::AnySlider>::template Rebind<Number>;

/// The range of the displacements and the deepest overlap that the threads of a group find.
struct Range {
    std::int64_t lowest[3] = {0x7FFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF};
    std::int64_t highest[3] = {-0x7FFFFFFFFFFFFFFF, -0x7FFFFFFFFFFFFFFF, -0x7FFFFFFFFFFFFFFF};
    std::int64_t deepest = 0, farthest = -0x7FFFFFFFFFFFFFFF;

    /// `reach`: of a fast particle, else 0.
    void include(double x, double y, double z, double deep, double reach) {
        if (reach > 0.0) {
            const std::int64_t way = ordered(__builtin_sqrt(x * x + y * y + z * z) - reach);
            if (way > farthest) farthest = way;
            x = y = z = 0.0;
        }
        const std::int64_t at[3] = {ordered(x), ordered(y), ordered(z)};
        for (int k = 0; k < 3; ++k) {
            if (at[k] < lowest[k]) lowest[k] = at[k];
            if (at[k] > highest[k]) highest[k] = at[k];
        }
        if (const std::int64_t d = ordered(deep); d > deepest) deepest = d;
    }
};

/// The step of particle i with numbers that flush or do not.
template <bool flushes, std::size_t law, std::size_t slider, bool rolls>
void step_with(const StepArguments& a, std::size_t i, Range& range) {
    using Number = Exact<flushes>;
    using Law = LawAt<law, Number>;
    static_assert(laws::field_count<Law> <= most_numbers);
    static_assert(laws::field_count<typename Law::Memory> <= most_memory);
    step_particle<Number, Law, SliderAt<slider, Number>, rolls>(
        a, i, [&](double x, double y, double z, double deep) {
            range.include(x, y, z, deep, a.reach != nullptr ? a.reach[i] : 0.0);
        });
}

}  // namespace beadwave::packing::on_device
