#include "step_twin.hpp"

#include "device/twin.hpp"
#include "step_entry.hpp"
#include "twin_atomics.hpp"

#include <fmt/format.h>

#include <atomic>
#include <string>
#include <utility>

namespace beadwave::packing::on_device {
namespace {

void add_range(const StepArguments& a, std::size_t first, const Range& range) {
    std::int64_t* const slot =
        a.results + first / device::block_threads % result_slots * slot_numbers;
    for (std::size_t k = 0; k < 3; ++k) {
        lower(slot[k], range.lowest[k]);
        raise(slot[3 + k], range.highest[k]);
    }
    raise(slot[6], range.deepest);
    raise(slot[7], range.farthest);
}

template <std::size_t law, std::size_t slider, bool rolls>
void run_step(const void* arguments, std::size_t first, std::size_t end) {
    const auto& a = *static_cast<const StepArguments*>(arguments);
    for (std::size_t k = 0; first == 0 && k < result_slots * slot_numbers; ++k)
        a.results_next[k] = fresh_result(k);
    if (first == 0) *a.delicate_count_next = 0;
    Range range;
    for (std::size_t i = first; i < end && i < a.particles; ++i) {
        if (is_delicate(a, i)) {
            const std::atomic_ref<std::uint32_t> count(*a.delicate_count);
            a.delicate[count.fetch_add(1)] = static_cast<std::uint32_t>(i);
        } else {
            step_with<false, law, slider, rolls>(a, i, range);
        }
    }
    add_range(a, first, range);
}

template <std::size_t law, std::size_t slider, bool rolls>
void run_delicate(const void* arguments, std::size_t first, std::size_t end) {
    const auto& a = *static_cast<const StepArguments*>(arguments);
    Range range;
    for (std::size_t k = first; k < end && k < *a.delicate_count; ++k)
        step_with<true, law, slider, rolls>(a, a.delicate[k], range);
    add_range(a, first, range);
}

template <std::size_t law, std::size_t slider, bool rolls>
void add_steps(const std::string& module) {
    const std::string kind = fmt::format("{}_{}", slider, rolls ? 1 : 0);
    device::add_twin_kernel(module, "step_" + kind, &run_step<law, slider, rolls>);
    device::add_twin_kernel(module, "delicate_" + kind, &run_delicate<law, slider, rolls>);
}

template <std::size_t law>
void add_law() {
    const std::string module = fmt::format("packing_step_{}", law);
    [&]<std::size_t... slider>(std::index_sequence<slider...>) {
        ((add_steps<law, slider, false>(module), add_steps<law, slider, true>(module)), ...);
    }
    (std::make_index_sequence<laws::plain_sliders>{});
}

}  // namespace

void add_twin_kernels() {
    static const bool added = [] {
        [&]<std::size_t... law>(std::index_sequence<law...>) {
            (add_law<law>(), ...);
        }
        (std::make_index_sequence<std::tuple_size_v<DeviceLaws>>{});
        add_list_twin_kernels();
        return true;
    }();
    static_cast<void>(added);
}

}  // namespace beadwave::packing::on_device
