// A formula as a list of operations on registers, for evaluation on any number type.
//
// A register holds one number per contact. Registers 0, 1 and 2 have the overlap, the approach
// speed and the impact speed. Then come constants of the contact (slots), numbers of the text
// (literals) and results of operations. Plain data: code for any instruction set reads it.
#pragma once

#include "beadwave/laws/expression/own_function.hpp"
#include "beadwave/laws/number.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace beadwave::laws {

enum class Operation : std::uint8_t {
    add,
    subtract,
    multiply,
    multiply_add,  ///< a b + c
    product,       ///< a b c
    divide,
    ratio,  ///< a / b of a normal b
    negate,
    square_root,  ///< NaN below zero
    root,         ///< of a number that is not below zero, as the next two
    power_3_2,
    power,           ///< a^b
    nan_below_zero,  ///< a, but NaN where it is below zero
    exponential,
    logarithm,
    tanh,
    sine,
    cosine,
    absolute,
    sign,  ///< -1, 0 or 1
    minimum,
    maximum,
    less,  ///< 1 or 0, as the next two
    less_equal,
    equal,
    choose,  ///< b where a is not zero, otherwise c
    call,    ///< an own function of a, b, c
};

struct Instruction {
    Operation operation;
    std::uint8_t out, a, b, c;  ///< registers
    std::uint8_t function = 0;  ///< of a call: its number in the tape
};

struct Tape {
    static constexpr std::size_t most_instructions = 96, most_slots = 8, most_literals = 16,
                                 most_functions = 4, first_slot = 3, most_registers = 48;
    std::uint8_t instructions = 0, slots = 0, literals = 0, result = 0;
    Instruction code[most_instructions]{};
    double literal[most_literals]{};
    FunctionCall function[most_functions]{};

    std::size_t first_literal() const { return first_slot + slots; }
};

/// The number of the first lane; vectors bring their own.
inline double first_lane(double x) {
    return x;
}

template <Operation operation, class T>
[[gnu::always_inline]] inline T operate(const T& a, const T& b, const T& c) {
    constexpr double infinity = std::numeric_limits<double>::infinity(),
                     nan = std::numeric_limits<double>::quiet_NaN();
    const T zero(0.0), one(1.0);
    if constexpr (operation == Operation::add) {
        return a + b;
    } else if constexpr (operation == Operation::subtract) {
        return a - b;
    } else if constexpr (operation == Operation::multiply) {
        return a * b;
    } else if constexpr (operation == Operation::multiply_add) {
        return multiply_add(a, b, c);
    } else if constexpr (operation == Operation::product) {
        return a * b * c;
    } else if constexpr (operation == Operation::divide) {
        return a / b;
    } else if constexpr (operation == Operation::ratio) {
        return ratio(a, b);
    } else if constexpr (operation == Operation::negate) {
        return -a;
    } else if constexpr (operation == Operation::square_root) {
        return sqrt(a);
    } else if constexpr (operation == Operation::root) {
        return root(a);
    } else if constexpr (operation == Operation::power_3_2) {
        return power_3_2(a);
    } else if constexpr (operation == Operation::power) {
        return parameter_power(a, b);
    } else if constexpr (operation == Operation::nan_below_zero) {
        return select(a < zero, T(nan), a);
    } else if constexpr (operation == Operation::exponential) {
        return select(a > T(700.0), T(infinity), exp(min(a, T(700.0))));
    } else if constexpr (operation == Operation::logarithm) {
        const T value = log(max(a, T(std::numeric_limits<double>::min())));
        return select(a < zero, T(nan), select(a == zero, T(-infinity), value));
    } else if constexpr (operation == Operation::tanh) {
        const T less = expm1(T(-2.0) * fabs(a));
        const T size = -less / (less + T(2.0));
        return select(a < zero, -size, size);
    } else if constexpr (operation == Operation::sine) {
        return sin(a);
    } else if constexpr (operation == Operation::cosine) {
        return cos(a);
    } else if constexpr (operation == Operation::absolute) {
        return fabs(a);
    } else if constexpr (operation == Operation::sign) {
        return select(a > zero, one, select(a < zero, T(-1.0), zero));
    } else if constexpr (operation == Operation::minimum) {
        return min(a, b);
    } else if constexpr (operation == Operation::maximum) {
        return max(a, b);
    } else if constexpr (operation == Operation::less) {
        return select(a < b, one, zero);
    } else if constexpr (operation == Operation::less_equal) {
        return select(a <= b, one, zero);
    } else if constexpr (operation == Operation::equal) {
        return select(a == b, one, zero);
    } else {
        return select(a == zero, c, b);
    }
}

/// One instruction on `count` numbers of each register.
template <Operation operation, class T>
[[gnu::always_inline]] inline void operate_on(const Instruction& each, T* numbers,
                                              std::size_t width, std::size_t count) {
    const T *a = numbers + each.a * width, *b = numbers + each.b * width,
            *c = numbers + each.c * width;
    T* const out = numbers + each.out * width;
    for (std::size_t k = 0; k < count; ++k)
        out[k] = operate<operation>(a[k], b[k], c[k]);
}

/// A call on `count` numbers of each register, one number at a time.
template <class T>
[[gnu::always_inline]] inline void call_on(const FunctionCall& function, const Instruction& each,
                                           T* numbers, std::size_t width, std::size_t count) {
    const T *a = numbers + each.a * width, *b = numbers + each.b * width,
            *c = numbers + each.c * width;
    T* const out = numbers + each.out * width;
    for (std::size_t k = 0; k < count; ++k) {
        if (function.arguments == 1) {
            out[k] = each_lane(function, a[k]);
        } else if (function.arguments == 2) {
            out[k] = each_lane(function, a[k], b[k]);
        } else {
            out[k] = each_lane(function, a[k], b[k], c[k]);
        }
    }
}

/// Runs the tape on the first `count` of `width` numbers of each register; inputs, slots and
/// literals are there. Not inlined: one copy per number type serves all that evaluate laws.
template <class T>
[[gnu::noinline]] void run_tape(const Tape& tape, T* numbers, std::size_t width,
                                std::size_t count) {
    for (std::size_t i = 0; i < tape.instructions; ++i) {
        const Instruction& each = tape.code[i];
        switch (each.operation) {
#define BEADWAVE_OPERATION(name)                                  \
    case Operation::name:                                         \
        operate_on<Operation::name>(each, numbers, width, count); \
        break
            BEADWAVE_OPERATION(add);
            BEADWAVE_OPERATION(subtract);
            BEADWAVE_OPERATION(multiply);
            BEADWAVE_OPERATION(multiply_add);
            BEADWAVE_OPERATION(product);
            BEADWAVE_OPERATION(divide);
            BEADWAVE_OPERATION(ratio);
            BEADWAVE_OPERATION(negate);
            BEADWAVE_OPERATION(square_root);
            BEADWAVE_OPERATION(root);
            BEADWAVE_OPERATION(power_3_2);
            BEADWAVE_OPERATION(power);
            BEADWAVE_OPERATION(nan_below_zero);
            BEADWAVE_OPERATION(exponential);
            BEADWAVE_OPERATION(logarithm);
            BEADWAVE_OPERATION(tanh);
            BEADWAVE_OPERATION(sine);
            BEADWAVE_OPERATION(cosine);
            BEADWAVE_OPERATION(absolute);
            BEADWAVE_OPERATION(sign);
            BEADWAVE_OPERATION(minimum);
            BEADWAVE_OPERATION(maximum);
            BEADWAVE_OPERATION(less);
            BEADWAVE_OPERATION(less_equal);
            BEADWAVE_OPERATION(equal);
            BEADWAVE_OPERATION(choose);
#undef BEADWAVE_OPERATION
            case Operation::call:
                call_on(tape.function[each.function], each, numbers, width, count);
                break;
        }
    }
}

}  // namespace beadwave::laws
