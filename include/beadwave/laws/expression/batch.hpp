// The forces of many contacts whose law is a formula. Each operation runs over all of them, so that
// the time to look it up does not count. The numbers are those of Expression::respond(), to the
// bit.
#pragma once

#include "beadwave/laws/expression/expression.hpp"

#include <cstddef>
#include <utility>

namespace beadwave::laws {

/// Whether the law is a formula.
template <class Law>
inline constexpr bool is_formula = requires {
    &Law::program;
};

/// `blocks` vectors of contacts, T each. Their laws come from functions read(), which are called
/// only if the contacts have not all the same law.
template <class Law, class T, std::size_t blocks>
class ExpressionBatch {
  public:
    using Memory = typename Law::Memory;

    /// Batches of at most `used` vectors. `uniform`: all contacts have the law of the first.
    ExpressionBatch(const Law& first, bool uniform, std::size_t used)
        : least_(first.min_impact_speed),
          lowest_(first.lowest_force),
          program_(first_lane(first.program)),
          tape_(expression_force(program_)),
          uniform_(uniform && tape_ != nullptr) {
        if (tape_ == nullptr) return;
        if (uniform) put_slots(first, 0, used, std::make_index_sequence<Tape::most_slots>());
        for (std::size_t k = 0; k < tape_->literals; ++k) {
            for (std::size_t b = 0; b < used; ++b)
                at(tape_->first_literal() + k, b) = T(tape_->literal[k]);
        }
    }

    /// Contacts as vector b of the batch; returns their next memory.
    template <class Read>
    [[gnu::always_inline]] Memory put(std::size_t b, const Read& read, const T& overlap,
                                      const T& approach_speed, const Memory& before) {
        if (!uniform_) return put_own(b, read(), overlap, approach_speed, before);
        return put_inputs(b, least_, overlap, approach_speed, before);
    }

    /// Evaluates the first `count` vectors.
    void run(std::size_t count) {
        if (tape_ != nullptr) run_tape(*tape_, numbers(), blocks, count);
    }

    template <class Read>
    [[gnu::always_inline]] T force(std::size_t b, const Read& read) {
        if (uniform_) return Law::limited(at(0, b), at(tape_->result, b), lowest_);
        if (apart_[b]) return apart_force(b);
        return Law::limited(at(0, b), at(tape_->result, b), read().lowest_force);
    }

  private:
    T& apart_force(std::size_t b) { return reinterpret_cast<T*>(apart_room_)[b]; }
    T* numbers() { return reinterpret_cast<T*>(room_); }
    [[gnu::always_inline]] T& at(std::size_t number, std::size_t b) {
        return numbers()[number * blocks + b];
    }
    [[gnu::always_inline]] Memory put_inputs(std::size_t b, const T& least, const T& overlap,
                                             const T& approach_speed, const Memory& before) {
        const auto [impact_speed, next] = Law::remembered(overlap, approach_speed, before, least);
        at(0, b) = max(overlap, T(0.0));
        if constexpr (!Law::conservative) at(1, b) = approach_speed;
        if constexpr (Law::remembers) at(2, b) = impact_speed;
        return next;
    }
    /// Of contacts that may have laws of their own.
    [[gnu::noinline]] Memory put_own(std::size_t b, const Law& law, const T& overlap,
                                     const T& approach_speed, const Memory& before) {
        apart_[b] = tape_ == nullptr || any(law.program != T(program_));
        if (apart_[b]) {
            const auto [force, next] = law.respond(overlap, approach_speed, before);
            apart_force(b) = force;
            return next;
        }
        put_slots(law, b, b + 1, std::make_index_sequence<Tape::most_slots>());
        return put_inputs(b, law.min_impact_speed, overlap, approach_speed, before);
    }
    template <std::size_t... k>
    [[gnu::always_inline]] void put_slots(const Law& law, std::size_t begin, std::size_t end,
                                          std::index_sequence<k...>) {
        (put_slot<k>(law.*(Law::slots()[k]), begin, end), ...);
    }
    template <std::size_t k>
    [[gnu::always_inline]] void put_slot(const T& slot, std::size_t begin, std::size_t end) {
        if (k >= tape_->slots) return;
        for (std::size_t b = begin; b < end; ++b)
            at(Tape::first_slot + k, b) = slot;
    }

    T least_, lowest_;
    double program_;
    const Tape* tape_;
    bool uniform_;
    bool apart_[blocks];  ///< another formula than the first one's: evaluated at once
    // Not initialised: what is read was written. Compilers of x86 align a register of 64 bytes to
    // fewer where the code around has none: alignas(T) is not enough.
    alignas(64) unsigned char apart_room_[blocks * sizeof(T)];
    alignas(64) unsigned char room_[Tape::most_registers * blocks * sizeof(T)];
};

}  // namespace beadwave::laws
