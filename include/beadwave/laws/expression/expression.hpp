// Expression: the force as a formula that the user writes.
//
//     F = f(delta, delta_dot; constants),  delta > 0;   0 at or below zero overlap
//
// The formula is compiled to a tape (tape.hpp), which the program holds once; a contact has its
// number, and the constants that the tape reads: parameters, effective radius, modulus and mass,
// and what can be computed of them beforehand. The stored energy is the formula that the user
// states, or the integral of the force at rest by a quadrature that is checked when the law is
// made.
//
// src/laws/expression has the parser, the checks and the program's tapes.
#pragma once

#include "beadwave/laws/expression/tape.hpp"
#include "beadwave/laws/impact_speed.hpp"

#include <array>
#include <span>

namespace beadwave::laws {

// Of the formula with this number; null: there is none, such as in a law whose number was damaged.
// Never inline: a copy compiled for one instruction set must not get into code for another.
const Tape* expression_force(double program);
/// Null also where the energy is the integral of the force.
const Tape* expression_energy(double program);

/// Nodes t and weights w: the integral of f from 0 to x is x sum of w f(x t). Exact for powers of x
/// that are multiples of 1/4 up to 9.
struct ExpressionQuadrature {
    static constexpr std::size_t nodes = 20;
    double node[nodes], weight[nodes];
};
const ExpressionQuadrature& expression_quadrature();

/// How the force depends on the speed.
enum class ExpressionKind {
    elastic,     ///< not at all
    rated,       ///< on the present one
    remembering  ///< also on the impact speed of each contact
};

template <class T, ExpressionKind kind>
struct Expression {
    template <class U>
    using Rebind = Expression<U, kind>;
    using Memory =
        ImpactSpeedMemory<T, kind == ExpressionKind::remembering ? ImpactSpeed::per_contact
                                                                 : ImpactSpeed::uniform>;
    static constexpr bool conservative = kind == ExpressionKind::elastic;
    static constexpr bool remembers = kind == ExpressionKind::remembering;
    static_assert(Tape::most_slots == 8);

    T program;                         ///< number of the formula
    T s0, s1, s2, s3, s4, s5, s6, s7;  ///< constants of the contact, as the formula uses them
    T min_impact_speed;                ///< [m/s], remembering only
    T lowest_force;                    ///< 0: no tension; -infinity: contact lasts to zero overlap

    static constexpr auto slots() {
        return std::array{&Expression::s0, &Expression::s1, &Expression::s2, &Expression::s3,
                          &Expression::s4, &Expression::s5, &Expression::s6, &Expression::s7};
    }
    static constexpr auto fields() {
        return std::make_tuple(&Expression::program, &Expression::s0, &Expression::s1,
                               &Expression::s2, &Expression::s3, &Expression::s4, &Expression::s5,
                               &Expression::s6, &Expression::s7, &Expression::min_impact_speed,
                               &Expression::lowest_force);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const auto [impact_speed, next] = remembered(overlap, approach_speed, memory);
        const T value =
            of_formula(&expression_force, max(overlap, T(0.0)), approach_speed, impact_speed);
        return {limited(overlap, value, lowest_force), next};
    }

    T stored_energy(T overlap, Memory memory) const {
        const T x = max(overlap, T(0.0)), impact_speed = remembered(T(1.0), T(0.0), memory).first;
        const Tape* const stated = expression_energy(first_lane(program));
        T energy(0.0);
        if (stated != nullptr) {
            energy = of_formula(&expression_energy, x, T(0.0), impact_speed);
        } else {
            const ExpressionQuadrature& rule = expression_quadrature();
            for (std::size_t k = 0; k < ExpressionQuadrature::nodes; ++k) {
                energy += T(rule.weight[k]) *
                          of_formula(&expression_force, x * T(rule.node[k]), T(0.0), impact_speed);
            }
            energy = x * energy;
        }
        return select(overlap <= T(0.0), T(0.0), energy);
    }

    bool ends_in_tension() const { return lowest_force < 0.0; }

    // The parts of respond(), for code that evaluates many contacts at once.

    /// The impact speed that the formula reads, and the next memory.
    std::pair<T, Memory> remembered(const T& overlap, const T& approach_speed,
                                    const Memory& memory) const {
        return remembered(overlap, approach_speed, memory, min_impact_speed);
    }
    static std::pair<T, Memory> remembered(const T& overlap, const T& approach_speed,
                                           const Memory& memory, const T& least) {
        if constexpr (remembers) {
            const T now = select(memory.impact_speed > T(0.0), memory.impact_speed,
                                 max(approach_speed, least));
            return {now, {select(overlap > T(0.0), now, T(0.0))}};
        } else {
            return {T(0.0), memory};
        }
    }
    /// The force from the value of the formula.
    static T limited(const T& overlap, const T& value, const T& lowest) {
        if constexpr (conservative) {
            return select(overlap <= T(0.0), T(0.0), value);
        } else {
            return select(overlap <= T(0.0), T(0.0), max(value, lowest));
        }
    }

  private:
    using FindTape = const Tape* (*)(double program);

    /// The value of a formula. Lanes may have different formulas: members of a sweep, for example.
    T of_formula(FindTape find, const T& overlap, const T& approach_speed,
                 const T& impact_speed) const {
        const double first = first_lane(program);
        T value = of_tape(find(first), overlap, approach_speed, impact_speed);
        if (any(program != T(first))) {
            each_lane(
                [&](double other) {
                    const T one = of_tape(find(other), overlap, approach_speed, impact_speed);
                    value = select(program == T(other), one, value);
                    return other;
                },
                program);
        }
        return value;
    }

    T of_tape(const Tape* tape, const T& overlap, const T& approach_speed,
              const T& impact_speed) const {
        if (tape == nullptr) return T(std::numeric_limits<double>::quiet_NaN());
        // Not initialised: an operation reads what was written.
        alignas(64) unsigned char room[Tape::most_registers * sizeof(T)];
        T* const numbers = reinterpret_cast<T*>(room);
        numbers[0] = overlap;
        numbers[1] = approach_speed;
        numbers[2] = impact_speed;
        for (std::size_t k = 0; k < tape->slots; ++k)
            numbers[Tape::first_slot + k] = this->*(slots()[k]);
        for (std::size_t k = 0; k < tape->literals; ++k)
            numbers[tape->first_literal() + k] = T(tape->literal[k]);
        run_tape(*tape, numbers, 1, 1);
        return numbers[tape->result];
    }
};

}  // namespace beadwave::laws
