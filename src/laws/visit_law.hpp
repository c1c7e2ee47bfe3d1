// From a law and its memory as data back to values of their own types, to the bit.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "laws/law_list.hpp"

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace beadwave::laws {

/// Calls `function` with the law as a value of its own type. The result has the same type for every
/// law.
template <class Function>
auto visit_law(Function&& function, const AnyLaw& law) {
    using Result = std::invoke_result_t<Function&, const std::tuple_element_t<0, LawList>&>;
    using Call = Result (*)(Function&, const double*);
    static constexpr auto calls = []<class... Law>(std::type_identity<std::tuple<Law...>>) {
        return std::array<Call, sizeof...(Law)>{[](Function& f, const double* numbers) -> Result {
            return f(from_fields<Law>([=](std::size_t k) { return numbers[k]; }));
        }...};
    }(std::type_identity<LawList>());
    return calls[law.index()](function, law.numbers().data());
}

/// The memory of a law of this type.
template <class Law>
typename Law::Memory memory_of(const AnyMemory& numbers) {
    return from_fields<typename Law::Memory>([&](std::size_t k) { return numbers[k]; });
}

}  // namespace beadwave::laws
