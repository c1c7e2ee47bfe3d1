// The law of the contacts of one register through its kernel, on plain numbers. Included by
// vector_code.cpp.

namespace beadwave::gradients::BEADWAVE_TARGET {

HWY_INLINE void add_to(double* p, Register x) {
    (Register::load(p) + x).store(p);
}

/// The kernel of the law for the contacts of the register at i.
struct AtRegister {
    const double* law[simd::most_fields];
    double* memory[simd::most_fields];
    double* memory_bar[simd::most_fields];
    double* law_bar[simd::most_fields];
};

/// `memory`, of these contacts, becomes that of after the step.
inline HWY_NOINLINE Register law_force(const RowChain& c, double* const* memory, std::size_t i,
                                       const double* overlap) {
    AtRegister at;
    for (std::size_t k = 0; k < c.law_numbers; ++k)
        at.law[k] = c.numbers[k] + i;
    alignas(64) double force[register_lanes];
    c.law->respond({.count = register_lanes,
                    .law = at.law,
                    .overlap = overlap,
                    .approach_speed = overlap,
                    .memory = memory,
                    .force = force});
    return Register::load(force);
}

/// The bar of the overlap; adds those of the numbers, and changes those of the memory.
inline HWY_NOINLINE Register law_reverse(const RowChain& c, const ReverseRow& r, std::size_t i,
                                         Register force_bar) {
    AtRegister at;
    for (std::size_t k = 0; k < c.law_numbers; ++k) {
        at.law[k] = c.numbers[k] + i;
        at.law_bar[k] = r.law_bar[k] + i;
    }
    for (std::size_t k = 0; k < c.memory_numbers; ++k) {
        at.memory[k] = r.memory[k] + i;
        at.memory_bar[k] = r.memory_bar[k] + i;
    }
    alignas(64) double bar[register_lanes], result[register_lanes], unused[register_lanes];
    force_bar.store(bar);
    c.law->reverse({.count = register_lanes,
                    .law = at.law,
                    .overlap = r.record + i,
                    .approach_speed = r.record + i,
                    .memory = at.memory,
                    .force_bar = bar,
                    .energy_bar = nullptr,
                    .memory_bar = at.memory_bar,
                    .overlap_bar = result,
                    .approach_speed_bar = unused,
                    .law_bar = at.law_bar,
                    .time_step = c.time_step,
                    .overlap_before = nullptr,
                    .approach_speed_before = nullptr,
                    .blow_bar = nullptr,
                    .overlap_before_bar = nullptr});
    return Register::load(result);
}

}  // namespace beadwave::gradients::BEADWAVE_TARGET
