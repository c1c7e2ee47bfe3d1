// A normal law of any type, evaluated for one pair at a time; its memory is an array of numbers.
// The plain engine and all energy sums use it. The fast engine's steps have vector code for each
// type.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/response.hpp"
#include "beadwave/laws/slopes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>

namespace beadwave::packing {

namespace detail {
template <class... Law>
constexpr std::size_t max_memory(const std::variant<Law...>*) {
    std::size_t most = 0;
    ((most = std::max(most, laws::field_count<typename Law::Memory>)), ...);
    return most;
}
}  // namespace detail

inline constexpr std::size_t max_memory_fields =
    detail::max_memory(static_cast<const laws::AnyLaw*>(nullptr));

/// The memory of a law of any type: its numbers, then zeros.
using ContactMemory = std::array<double, max_memory_fields>;

struct NormalResponse {
    double force;  ///< [N]
    ContactMemory memory;
};

/// Properties of a law's type.
struct LawTraits {
    std::size_t memory_fields, law_fields;
    bool conservative;
    bool needs_speed;  ///< the force depends on the approach speed
};

LawTraits traits_of(const laws::AnyLaw& law);

/// overlap [m], approach speed [m/s].
NormalResponse respond(const laws::AnyLaw& law, double overlap, double speed,
                       const ContactMemory& memory);

/// [J]
double stored_energy(const laws::AnyLaw& law, double overlap, const ContactMemory& memory);

/// See laws::slopes.
laws::Slopes<double> slopes(const laws::AnyLaw& law, double overlap, double approach_speed,
                            const ContactMemory& memory, double speed);

}  // namespace beadwave::packing
