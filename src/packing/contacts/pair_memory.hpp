// What a pair of bodies remembers of its contact from step to step, and its last forces.
#pragma once

#include "packing/contacts/pair_laws.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <variant>

namespace beadwave::packing {

struct PairMemory {
    laws::AnyMemory memory{};
    laws::SliderMemory<double> sliding{};
    double overlap = 0.0, normal_force = 0.0;  ///< [m], [N]
    Vec3 tangential_force{};                   ///< on the second body [N]

    bool is_finite() const {
        const auto finite = [](const Vec3& v) { return std::isfinite(dot(v, v)); };
        return std::isfinite(normal_force) && finite(tangential_force) && finite(sliding.vector) &&
               std::ranges::all_of(memory, [](double number) { return std::isfinite(number); });
    }
    double normal_energy(const PairLaw& law) const {  ///< stored [J]
        return law.normal.stored_energy(overlap, memory);
    }
    double sliding_energy(const PairLaw& law) const {  ///< stored [J]
        return std::visit(
            [&](const auto& slider) { return slider.stored_energy(overlap, sliding); }, law.slider);
    }

    /// Visits the columns of `pairs` with visit(name, count, number), see state_columns.hpp;
    /// `memory_numbers`: of the normal law.
    template <class Pairs, class Visit>
    static void each_column(Pairs& pairs, std::size_t memory_numbers, const Visit& visit) {
        const auto numbers = [&](const char* name, auto number) {
            visit(
                name, pairs.size(), [&](std::size_t p) -> auto& { return number(pairs[p]); });
        };
        const auto vectors = [&](const char* name, auto vector) {
            visit(
                name, 3 * pairs.size(), [&](std::size_t i) -> auto& {
                    auto& v = vector(pairs[i / 3]);
                    return i % 3 == 0 ? v.x : i % 3 == 1 ? v.y : v.z;
                });
        };
        numbers(
            "overlap", [](auto& pair) -> auto& { return pair.overlap; });
        numbers(
            "normal_force", [](auto& pair) -> auto& { return pair.normal_force; });
        vectors(
            "tangential_force", [](auto& pair) -> auto& { return pair.tangential_force; });
        vectors(
            "sliding", [](auto& pair) -> auto& { return pair.sliding.vector; });
        numbers(
            "sliding_number", [](auto& pair) -> auto& { return pair.sliding.number; });
        for (std::size_t k = 0; k < memory_numbers; ++k) {
            visit(
                "memory_" + std::to_string(k),
                pairs.size(), [&](std::size_t p) -> auto& { return pairs[p].memory[k]; });
        }
    }
};

}  // namespace beadwave::packing
