// Events between two steps whose instant depends on the inputs: a contact closes or opens with a
// jump of the force, an overlap passes a place where the force of the law jumps, or a law stores
// the speed at which its contact closed. The steps alone do not contain these: within a step
// nothing changes until the instant moves to the next step. The terms are those of the tangent
// engine (tangent/tangent_jumps.inl.hpp), transposed.
//
// Let d' be the derivative of the overlap at the instant and r its rate: the instant comes d'/r
// earlier. A force that is higher by [F] after the instant gives [F] d'/r more momentum, the blow.
// A speed that grows with the acceleration a is lower by a d'/r when it is stored.
//
// A force without a jump has [F] = 0: its gradient is that of the steps.
#pragma once

#include "laws/law_list.hpp"

#include <cstddef>

namespace beadwave::gradients {

/// Slower passages are ignored [m/s]: in the head of a wave numbers fall double-exponentially.
inline constexpr double slowest_passage = 1e-12;

template <class Law>
inline constexpr bool remembers_largest = requires(const Law& law, typename Law::Memory memory) {
    law.unloading_force(memory.largest_overlap, memory);
};

/// Whether the force depends on the approach speed.
template <class Law>
inline constexpr bool uses_speed = !Law::conservative && !remembers_largest<Law>;

/// The overlaps at which the force of a law may jump; at zero overlap also the speed of closing is
/// stored.
template <class Law>
struct JumpsOf {
    static constexpr std::size_t count = uses_speed<Law> ? 1 : 0;
    static double at(const Law&, std::size_t) { return 0.0; }
};
template <class T, laws::ImpactSpeed kind>
struct JumpsOf<laws::WangLiu<T, kind>> {
    static constexpr std::size_t count = 2;
    static T at(const laws::WangLiu<T, kind>& law, std::size_t k) {
        return k == 0 ? T(0.0) : law.overlap_yield;
    }
};
template <class T>
struct JumpsOf<laws::KogutEtsion<T>> {
    static constexpr std::size_t count = 2;
    static T at(const laws::KogutEtsion<T>& law, std::size_t k) {
        return k == 0 ? law.overlap_yield : law.overlap_yield * T(law.second);
    }
};
template <class T>
struct JumpsOf<laws::JacksonGreen<T>> {
    static constexpr std::size_t count = 1;
    static T at(const laws::JacksonGreen<T>& law, std::size_t) {
        return law.overlap_yield * T(law.elastic_limit);
    }
};

template <class Law>
inline constexpr bool may_jump = JumpsOf<Law>::count > 0;

}  // namespace beadwave::gradients
