// What the tiled engine knows of a law's type.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "tiled_parameters.hpp"
#include "tiled_rows.hpp"

#include <cstddef>

namespace beadwave::dynamics {

struct LawFacts {
    std::size_t memory_fields;
    bool conservative;
    /// Of the contacts [begin, end) of a row, by how much closer their bodies have come [J].
    void (*stored)(const ParameterStore&, const Rows& state, std::size_t begin, std::size_t end,
                   const double* approach, double* energy);
};

LawFacts facts_of(const laws::AnyLaw& law);

}  // namespace beadwave::dynamics
