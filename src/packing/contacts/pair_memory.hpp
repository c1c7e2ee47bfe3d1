// What a pair of bodies remembers of its contact from step to step, and its last forces.
#pragma once

#include "laws/neck.hpp"
#include "packing/contacts/contact_energy.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/state/state_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <variant>

namespace beadwave::packing {

struct PairMemory {
    laws::AnyMemory memory{};
    laws::SliderMemory<double> sliding{}, rolling{};
    double overlap = 0.0, normal_force = 0.0;  ///< [m], [N]
    Vec3 tangential_force{};                   ///< on the second body [N]

    bool is_finite() const {
        const auto finite = [](const Vec3& v) { return std::isfinite(dot(v, v)); };
        return std::isfinite(normal_force) && finite(tangential_force) && finite(sliding.vector) &&
               finite(rolling.vector) &&
               std::ranges::all_of(memory, [](double number) { return std::isfinite(number); });
    }
    /// Whether the bodies touch or a neck holds them together.
    bool touches(const PairLaw& law) const { return laws::touches(law.normal, overlap, memory); }
    /// The overlap and the force that friction and rolling resistance see.
    laws::Grip<double> grip(const PairLaw& law) const {
        return laws::grip(law.normal, overlap, normal_force, memory);
    }
    double normal_energy(const PairLaw& law) const {  ///< stored [J]
        return law.normal.stored_energy(overlap, memory);
    }
    double sliding_energy(const PairLaw& law) const {  ///< stored [J]
        return std::visit(
            [&](const auto& slider) { return slider.stored_energy(overlap, sliding); }, law.slider);
    }
    double rolling_energy(const PairLaw& law) const {  ///< stored, twisting included [J]
        return law.rolling.stored_energy(overlap, rolling);
    }
    /// Stored; `branch` as contact_energy().
    ContactEnergy energy(const PairLaw& law, const Vec3& branch) const {
        return contact_energy(law, overlap, {memory, sliding, rolling}, branch);
    }

    /// Visits the columns of `pairs`, see state_columns.hpp; `memory_numbers`: of the normal law;
    /// `rolls`: also those of rolling.
    template <class Pairs, class Visit>
    static void each_column(Pairs& pairs, std::size_t memory_numbers, bool rolls, Visit& visit) {
        const VectorColumns all(visit);
        const auto numbers = [&](const std::string& name, auto number) {
            visit(
                name, pairs.size(), [&](std::size_t p) -> auto& { return number(pairs[p]); });
        };
        const auto sliders = [&](const std::string& name, auto member) {
            all.triples(
                name,
                pairs.size(), [&](std::size_t p) -> auto& { return (pairs[p].*member).vector; });
            numbers(
                name + "_number", [&](auto& pair) -> auto& { return (pair.*member).number; });
        };
        numbers(
            "overlap", [](auto& pair) -> auto& { return pair.overlap; });
        numbers(
            "normal_force", [](auto& pair) -> auto& { return pair.normal_force; });
        all.triples(
            "tangential_force",
            pairs.size(), [&](std::size_t p) -> auto& { return pairs[p].tangential_force; });
        sliders("sliding", &PairMemory::sliding);
        if (rolls) sliders("rolling", &PairMemory::rolling);
        for (std::size_t k = 0; k < memory_numbers; ++k) {
            numbers(
                "memory_" + std::to_string(k), [&](auto& pair) -> auto& { return pair.memory[k]; });
        }
    }
};

}  // namespace beadwave::packing
