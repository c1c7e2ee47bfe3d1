// What every contact law computes.
//
// A law is a value type, templated over its number type T, that holds the parameters of one contact
// and two pure functions:
//
//     Response<T, Memory> respond(T overlap, T approach_speed, Memory) const;
//     T stored_energy(T overlap, Memory) const;
//
//   overlap         [m]    positive = compressed; the force is zero at or below zero overlap,
//   except
//                          where a law with adhesion holds beyond contact (neck.hpp)
//   approach_speed  [m/s]  positive = closing
//   force           [N]    positive = pushing the two bodies apart
//   stored_energy   [J]    what the contact would give back if it were unloaded quasi-statically,
//                          for the overlap and the memory committed at that overlap
//
// A law that does not depend on the speed, and whose memory changes only when the overlap exceeds
// `Memory::largest_overlap`, also has, for any smaller overlap,
//
//     T unloading_force(T overlap, Memory) const;
//
// A law whose operations wait for one another for long may also split respond() in two,
//
//     Started start(T overlap, T approach_speed) const;
//     Response<T, Memory> finish(Started, T overlap, T approach_speed, Memory) const;
//
// so that a chain starts the next contacts while it finishes these. respond() is finish(start()).
// In the same way unloading_force() may be finish_unloading(start_unloading()),
//
//     auto start_unloading(T overlap, Memory) const;
//     T finish_unloading(Started, T overlap, Memory) const;
//
// `Memory{}` (all zero) is a contact that never touched. A law returns its next memory and never
// writes it: the owner of the contact commits it once per step.
//
// `fields()` and `Memory::fields()` list the numbers, so that chains can hold them as columns.
// `Rebind<U>` is the same law over another number type. `ContactLaw`, at the end, is this page as
// the compiler checks it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace beadwave::laws {

template <class T, class Memory>
struct Response {
    T force;        ///< [N]
    Memory memory;  ///< to be committed by the caller at the end of the step
};

/// Memory of a law that has none.
struct NoMemory {
    static constexpr auto fields() { return std::tuple<>(); }
};

/// Numbers held by one `Record` (a law or its memory).
template <class Record>
inline constexpr std::size_t field_count = std::tuple_size_v<decltype(Record::fields())>;

/// Builds a Record whose k-th field is `read(k)`.
template <class Record, class Read>
Record from_fields(Read&& read) {
    Record record{};
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        ((record.*std::get<k>(Record::fields()) = read(k)), ...);
    }
    (std::make_index_sequence<field_count<Record>>{});
    return record;
}

/// Calls `write(k, value)` for every field of the record.
template <class Record, class Write>
void to_fields(const Record& record, Write&& write) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        (write(k, record.*std::get<k>(Record::fields())), ...);
    }
    (std::make_index_sequence<field_count<Record>>{});
}

/// Whether `Record::fields()` names every number of the record, each once. A missing one would
/// silently be zero on vectors and in chains.
template <class Record>
inline constexpr bool lists_all_numbers = [] {
    constexpr std::size_t numbers = std::is_empty_v<Record> ? 0 : sizeof(Record) / sizeof(double);
    if (sizeof(double) * numbers != (std::is_empty_v<Record> ? 0 : sizeof(Record))) return false;
    if (field_count<Record> != numbers) return false;
    const auto same = []<class A, class B>(A a, B b) {
        if constexpr (std::is_same_v<A, B>) return a == b;
        return false;
    };
    std::size_t equal = 0;  // pairs, each with itself too
    std::apply(
        [&](auto... a) {
            [[maybe_unused]] const auto count = [&](auto one) {
                equal += (std::size_t{same(one, a)} + ... + 0);
            };
            (count(a), ...);
        },
        Record::fields());
    return equal == numbers;
}();

/// What this file requires of a law over `double`.
template <class Law>
concept ContactLaw = requires(const Law& law, double number, typename Law::Memory memory) {
    { law.respond(number, number, memory) } -> std::same_as<Response<double, typename Law::Memory>>;
    { law.stored_energy(number, memory) } -> std::same_as<double>;
    { law.ends_in_tension() } -> std::same_as<bool>;
    { Law::conservative } -> std::convertible_to<bool>;
    typename Law::template Rebind<double>;
}
&&lists_all_numbers<Law>&& lists_all_numbers<typename Law::Memory>;

}  // namespace beadwave::laws
