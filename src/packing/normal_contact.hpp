// A normal law of any type, asked for one pair at a time; its memory as numbers. What the plain
// engine and all books use; the fast engine's steps have vector code of each type.
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
constexpr std::size_t most_memory(const std::variant<Law...>*) {
    std::size_t most = 0;
    ((most = std::max(most, laws::field_count<typename Law::Memory>)), ...);
    return most;
}
}  // namespace detail

inline constexpr std::size_t most_memory_fields =
    detail::most_memory(static_cast<const laws::AnyLaw*>(nullptr));

/// The memory of a law of any type: as many numbers as it has, then zeros.
using ContactMemory = std::array<double, most_memory_fields>;

struct ContactAnswer {
    double force;  ///< [N]
    ContactMemory memory;
};

/// What must be known of a law's type.
struct LawTraits {
    std::size_t memory_fields, law_fields;
    bool conservative;
    bool asks_speed;  ///< the force depends on the speed of approach
};

LawTraits traits_of(const laws::AnyLaw& law);

/// overlap [m], speed of approach [m/s].
ContactAnswer respond(const laws::AnyLaw& law, double overlap, double speed,
                      const ContactMemory& memory);

/// [J]
double stored_energy(const laws::AnyLaw& law, double overlap, const ContactMemory& memory);

/// As laws::slopes.
laws::Slopes<double> slopes(const laws::AnyLaw& law, double overlap, double approach_speed,
                            const ContactMemory& memory, double speed);

}  // namespace beadwave::packing
