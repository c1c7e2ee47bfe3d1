// Reads elastic constants, of the materials of a scenario and of the bodies of a collision.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "io/toml/number_range.hpp"
#include "io/toml/toml_table.hpp"

namespace beadwave::io {

/// youngs_modulus, poisson_ratio and, if given, yield_stress.
inline laws::Elasticity read_elasticity(const TomlTable& table) {
    const laws::Parameter poisson{.name = {},
                                  .unit = "-",
                                  .meaning = {},
                                  .lowest = -1.0,
                                  .highest = 0.5,
                                  .lowest_allowed = false};
    return {.youngs_modulus = table.needed_number("youngs_modulus", above_zero("Pa")),
            .poisson_ratio = table.needed_number("poisson_ratio", poisson),
            .yield_stress = table.number("yield_stress", above_zero("Pa")).value_or(0.0)};
}

}  // namespace beadwave::io
