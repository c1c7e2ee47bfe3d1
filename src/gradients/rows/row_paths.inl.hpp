// The contacts of one register in a row: their force, and its reverse. Included by vector_code.cpp.
//
// Only what most contacts do most of the time is here. What is costly or rare goes to the kernel of
// the law, on plain numbers, a register at a time: contacts that load further than ever, and closed
// contacts of conservative laws but Hertz's. Of Ma-Liu's law, all is in registers.

namespace beadwave::gradients::BEADWAVE_TARGET {

/// What a reverse step knows of the contacts of a register.
struct ReversedContacts {
    Register force, overlap_bar;
    HWY_INLINE ReversedContacts() {}
    HWY_INLINE ReversedContacts(Register f, Register bar) : force(f), overlap_bar(bar) {}
};

/// Hertz's law. The record has the roots of the overlaps.
struct HertzPath {
    static HWY_INLINE Register force(const RowChain& c, const ForwardRow& r, std::size_t i,
                                     Register overlap) {
        const Register x = max(overlap, Register(0.0)), half = root(x);
        if (r.record != nullptr) half.store(r.record + i);
        return Register::load(c.numbers[0] + i) * (x * half);
    }
    static HWY_INLINE ReversedContacts reverse(const RowChain& c, const ReverseRow& r,
                                               std::size_t i, Register force_bar) {
        const Register half = Register::load(r.record + i), cube = half * half * half;
        const Register stiffness = Register::load(c.numbers[0] + i);
        add_to(r.law_bar[0] + i, force_bar * cube);
        return {stiffness * cube, force_bar * (1.5 * stiffness * half)};
    }
};

/// Conservative laws without memory, whose open contacts have no force. The record has overlaps.
struct ClosedPath {
    static HWY_INLINE Register force(const RowChain& c, const ForwardRow& r, std::size_t i,
                                     Register overlap) {
        if (r.record != nullptr) overlap.store(r.record + i);
        if (!any(overlap > Register(0.0))) return Register();
        alignas(64) double overlaps[register_lanes];
        overlap.store(overlaps);
        return law_force(c, nullptr, i, overlaps);
    }
    static HWY_INLINE ReversedContacts reverse(const RowChain& c, const ReverseRow& r,
                                               std::size_t i, Register force_bar) {
        if (!any(Register::load(r.record + i) > Register(0.0))) return {};
        return {law_force(c, nullptr, i, r.record + i), law_reverse(c, r, i, force_bar)};
    }
};

/// Contacts that load further, by the kernel of the law.
struct Called {
    /// `memory`, of these contacts, becomes that of after the step.
    static HWY_INLINE Register force(const RowChain& c, std::size_t i, Register overlap,
                                     double* const* memory) {
        alignas(64) double overlaps[register_lanes];
        overlap.store(overlaps);
        return law_force(c, memory, i, overlaps);
    }
    static HWY_INLINE Register reverse(const RowChain& c, const ReverseRow& r, std::size_t i,
                                       Register force_bar) {
        return law_reverse(c, r, i, force_bar);
    }
};

/// The same in registers.
template <template <class> class Law>
struct Compiled {
    static HWY_INLINE Register force(const RowChain& c, std::size_t i, Register overlap,
                                     double* const* memory) {
        using Memory = typename Law<Register>::Memory;
        const auto law = laws::from_fields<Law<Register>>(
            [&](std::size_t k) HWY_ATTR { return Register::load(c.numbers[k] + i); });
        const auto before = laws::from_fields<Memory>(
            [&](std::size_t k) HWY_ATTR { return Register::load(memory[k]); });
        const auto [force, next] = law.respond(overlap, Register(), before);
        laws::to_fields(next, [&](std::size_t k, Register x) HWY_ATTR { x.store(memory[k]); });
        return force;
    }
    static HWY_INLINE Register reverse(const RowChain& c, const ReverseRow& r, std::size_t i,
                                       Register force_bar) {
        return taped_reverse<Law>(c, r, i, force_bar);
    }
};

/// Laws that unload as K_u (overlap - residual)^(3/2), or to the power 1, with the memory (largest
/// overlap, residual, K_u). The record has overlaps.
template <bool as_hertz, class Loading>
struct UnloadingPath {
    static HWY_INLINE Register force(const RowChain& c, const ForwardRow& r, std::size_t i,
                                     Register overlap) {
        if (r.record != nullptr) overlap.store(r.record + i);
        if (HWY_UNLIKELY(any(overlap > Register::load(r.memory[0] + i))))
            return load_further(c, r, i, overlap);
        const Register x = max(overlap - Register::load(r.memory[1] + i), Register(0.0));
        const Register stiffness = Register::load(r.memory[2] + i);
        return as_hertz ? stiffness * (x * root(x)) : stiffness * x;
    }
    static HWY_INLINE ReversedContacts reverse(const RowChain& c, const ReverseRow& r,
                                               std::size_t i, Register force_bar) {
        if (HWY_UNLIKELY(r.log->has(i, r.step))) return unload_further(c, r, i, force_bar);
        return reverse_unloading(r, i, force_bar);
    }

  private:
    static HWY_INLINE ReversedContacts reverse_unloading(const ReverseRow& r, std::size_t i,
                                                         Register force_bar) {
        const Register overlap = Register::load(r.record + i);
        const Register x = max(overlap - Register::load(r.memory[1] + i), Register(0.0));
        const Register stiffness = Register::load(r.memory[2] + i);
        const Register half = as_hertz ? root(x) : Register(1.0);
        const Register power = x * half;
        const Register slope =
            as_hertz ? 1.5 * stiffness * half : select(x > Register(0.0), stiffness, Register(0.0));
        const Register bar = force_bar * slope;
        add_to(r.memory_bar[1] + i, -bar);
        add_to(r.memory_bar[2] + i, force_bar * power);
        return {stiffness * power, bar};
    }

    static HWY_NOINLINE HWY_FLATTEN Register load_further(const RowChain& c, const ForwardRow& r,
                                                          std::size_t i, Register overlap) {
        if (r.log != nullptr) r.log->keep(r.memory, i, register_lanes, r.step);
        double* columns[simd::most_fields];
        for (std::size_t k = 0; k < c.memory_numbers; ++k)
            columns[k] = r.memory[k] + i;
        return Loading::force(c, i, overlap, columns);
    }

    static HWY_NOINLINE HWY_FLATTEN ReversedContacts unload_further(const RowChain& c,
                                                                    const ReverseRow& r,
                                                                    std::size_t i,
                                                                    Register force_bar) {
        r.log->take(r.memory, i, register_lanes);
        alignas(64) double copy[simd::most_fields][register_lanes];
        double* columns[simd::most_fields];
        for (std::size_t k = 0; k < c.memory_numbers; ++k) {
            Register::load(r.memory[k] + i).store(copy[k]);
            columns[k] = copy[k];
        }
        return {Loading::force(c, i, Register::load(r.record + i), columns),
                Loading::reverse(c, r, i, force_bar)};
    }
};

}  // namespace beadwave::gradients::BEADWAVE_TARGET
