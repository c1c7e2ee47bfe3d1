// Properties of a type of law that the tiled engine needs.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "tiled_parameters.hpp"
#include "tiled_rows.hpp"

#include <cstddef>

namespace beadwave::dynamics {

struct LawFacts {
    std::size_t index;  ///< in laws::AnyLaw
    std::size_t fields, memory_fields;
    bool conservative;
    /// Stored energy [J] of the contacts [begin, end) of a row; `approach` [m] is how much closer
    /// the two bodies are than at the start.
    void (*stored)(const ParameterStore&, const Rows& state, std::size_t begin, std::size_t end,
                   const double* approach, double* energy);
};

LawFacts facts_of(const laws::AnyLaw& law);

}  // namespace beadwave::dynamics
