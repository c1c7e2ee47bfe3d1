// Laws in vector code: they and their memory from and to columns of numbers, their properties, and
// the choice of the type of law. Included by begin_vector_code.hpp.

#include "beadwave/laws/response.hpp"

#include <cstddef>
#include <type_traits>

namespace beadwave::simd::BEADWAVE_TARGET {

template <class Record>
HWY_INLINE Record load_record(const double* const* columns, std::size_t i) {
    return laws::from_fields<Record>([&](std::size_t k)
                                         HWY_ATTR { return Vector::load(columns[k] + i); });
}

template <class Record>
HWY_INLINE void store_record(const Record& record, double* const* columns, std::size_t i) {
    laws::to_fields(record,
                    [&](std::size_t k, Vector value) HWY_ATTR { value.store(columns[k] + i); });
}

/// Whether the law has an unloading path that a contact leaves only beyond its largest overlap.
template <class Law>
inline constexpr bool remembers_largest = requires {
    &Law::unloading_force;
};

/// Whether the law computes its force in two parts, start() and finish().
template <class Law>
inline constexpr bool has_two_parts = requires {
    &Law::finish;
};

/// Whether the law computes its unloading_force() in two parts.
template <class Law>
inline constexpr bool unloads_in_two_parts = requires(const typename Law::Memory& memory) {
    Law::start_unloading(memory.largest_overlap, memory);
};

/// Whether the force depends on the approach speed.
template <class Law>
inline constexpr bool uses_speed = !Law::conservative && !remembers_largest<Law>;

/// Calls use.operator()<Law>() with the type number `index` of a list of laws, a tuple or a
/// variant, over `Number`.
template <class List, class Number, class Use>
void with_law(std::size_t index, Use use) {
    [&]<template <class...> class Any, class... Scalar>(std::type_identity<Any<Scalar...>>) {
        std::size_t at = 0;
        const auto offer = [&]<class Law>() {
            static_assert(laws::field_count<Law> <= most_fields);
            if (at++ == index) use.template operator()<Law>();
        };
        (offer.template operator()<typename Scalar::template Rebind<Number>>(), ...);
    }(std::type_identity<List>{});
}

}  // namespace beadwave::simd::BEADWAVE_TARGET
