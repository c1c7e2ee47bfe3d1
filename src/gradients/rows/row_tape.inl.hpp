// Registers that remember how they were computed, for the derivatives of one number by many: the
// operations of a law are written down and then gone through from the last to the first. Included
// by vector_code.cpp.

namespace beadwave::gradients::BEADWAVE_TARGET {

/// Operations, each with one or two operands and the derivatives by them. Ma-Liu's has 52.
struct Tape {
    static constexpr std::size_t most = 160;
    alignas(64) double by_first[most][register_lanes];
    alignas(64) double by_second[most][register_lanes];
    alignas(64) double bar[most][register_lanes];
    int first[most], second[most];
    int size = 0;

    HWY_INLINE Tape() {}
    HWY_INLINE int add(int a, Register by_a, int b, Register by_b) {
        first[size] = a;
        second[size] = b;
        by_a.store(by_first[size]);
        by_b.store(by_second[size]);
        Register().store(bar[size]);
        return size++;
    }
    /// From the bars of results to those of all that they come from.
    HWY_INLINE void go_back() {
        for (int i = size - 1; i >= 0; --i) {
            const Register from = Register::load(bar[i]);
            if (first[i] >= 0) pass(first[i], from, Register::load(by_first[i]));
            if (second[i] >= 0) pass(second[i], from, Register::load(by_second[i]));
        }
    }

  private:
    /// Nothing is passed on where the bar is zero, also where the derivative is infinite.
    HWY_INLINE void pass(int to, Register from, Register derivative) {
        add_to(bar[to], select(from == Register(0.0), Register(0.0), from * derivative));
    }
};

struct Taped {
    Register value;
    Tape* tape = nullptr;  ///< null: a constant
    int at = -1;

    HWY_INLINE Taped() {}
    HWY_INLINE Taped(double x) : value(x) {}  // NOLINT: laws mix numbers and lanes
    HWY_INLINE explicit Taped(Register x) : value(x) {}

    static HWY_INLINE Taped variable(Register x, Tape& tape) {
        Taped result(x);
        result.tape = &tape;
        result.at = tape.add(-1, Register(), -1, Register());
        return result;
    }
    static HWY_INLINE Taped of(Register value, const Taped& a, Register by_a, const Taped& b,
                               Register by_b) {
        Taped result(value);
        result.tape = a.tape != nullptr ? a.tape : b.tape;
        if (result.tape != nullptr) result.at = result.tape->add(a.at, by_a, b.at, by_b);
        return result;
    }
    static HWY_INLINE Taped of(Register value, const Taped& a, Register by_a) {
        return of(value, a, by_a, Taped(), Register());
    }
    /// Adds to the derivative of what is sought by this result.
    HWY_INLINE void seed(Register bar) const {
        if (tape != nullptr) add_to(tape->bar[at], bar);
    }

    friend HWY_INLINE Taped operator+(const Taped& a, const Taped& b) {
        return of(a.value + b.value, a, 1.0, b, 1.0);
    }
    friend HWY_INLINE Taped operator-(const Taped& a, const Taped& b) {
        return of(a.value - b.value, a, 1.0, b, -1.0);
    }
    friend HWY_INLINE Taped operator*(const Taped& a, const Taped& b) {
        return of(a.value * b.value, a, b.value, b, a.value);
    }
    friend HWY_INLINE Taped operator/(const Taped& a, const Taped& b) {
        const Register inverse = Register(1.0) / b.value, quotient = a.value / b.value;
        return of(quotient, a, inverse, b, -quotient * inverse);
    }
    friend HWY_INLINE Taped operator-(const Taped& a) { return of(-a.value, a, -1.0); }

    friend HWY_INLINE RegisterMask operator<(const Taped& a, const Taped& b) {
        return a.value < b.value;
    }
    friend HWY_INLINE RegisterMask operator>(const Taped& a, const Taped& b) {
        return a.value > b.value;
    }
    friend HWY_INLINE RegisterMask operator>=(const Taped& a, const Taped& b) {
        return a.value >= b.value;
    }

    friend HWY_INLINE Taped select(RegisterMask condition, const Taped& yes, const Taped& no) {
        const Register one(1.0), zero(0.0);
        return of(select(condition, yes.value, no.value), yes, select(condition, one, zero), no,
                  select(condition, zero, one));
    }
    friend HWY_INLINE Taped max(const Taped& x, const Taped& low) {
        return select(x < low, low, x);
    }
    friend HWY_INLINE Taped log(const Taped& x) {
        return of(log(x.value), x, Register(1.0) / x.value);
    }
    friend HWY_INLINE Taped cbrt(const Taped& x) {
        const Register root = cbrt(x.value);
        return of(root, x, 1.0 / (3.0 * root * root));
    }
    friend HWY_INLINE Taped inverse_sqrt(const Taped& x) {
        const Register y = inverse_sqrt(x.value);
        return of(y, x, -0.5 * y * y * y);
    }
    friend HWY_INLINE Taped power_3_2(const Taped& x) {
        return of(power_3_2(x.value), x, 1.5 * root(max(x.value, Register(0.0))));
    }
};

/// law_reverse() of a law that is compiled for registers.
template <template <class> class Law>
HWY_NOINLINE HWY_FLATTEN Register taped_reverse(const RowChain& c, const ReverseRow& r,
                                                std::size_t i, Register force_bar) {
    using Memory = typename Law<Taped>::Memory;
    Tape tape;
    const auto law = laws::from_fields<Law<Taped>>([&](std::size_t k) HWY_ATTR {
        return Taped::variable(Register::load(c.numbers[k] + i), tape);
    });
    const auto memory = laws::from_fields<Memory>([&](std::size_t k) HWY_ATTR {
        return Taped::variable(Register::load(r.memory[k] + i), tape);
    });
    const Taped overlap = Taped::variable(Register::load(r.record + i), tape);
    const auto [force, next] = law.respond(overlap, Taped(), memory);
    force.seed(force_bar);
    laws::to_fields(next, [&](std::size_t k, const Taped& x)
                              HWY_ATTR { x.seed(Register::load(r.memory_bar[k] + i)); });
    tape.go_back();
    const auto bar_of = [&](const Taped& x) HWY_ATTR { return Register::load(tape.bar[x.at]); };
    laws::to_fields(memory, [&](std::size_t k, const Taped& x)
                                HWY_ATTR { bar_of(x).store(r.memory_bar[k] + i); });
    laws::to_fields(
        law, [&](std::size_t k, const Taped& x) HWY_ATTR { add_to(r.law_bar[k] + i, bar_of(x)); });
    return bar_of(overlap);
}

}  // namespace beadwave::gradients::BEADWAVE_TARGET
