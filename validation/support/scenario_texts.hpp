// Valid scenario texts, and a function that reads a text like a file.
#pragma once

#include "bad_input.hpp"
#include "beadwave/input_error.hpp"
#include "program.hpp"
#include "subjects/chain/chain_reader.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::validation {

using Overrides = std::vector<std::string>;

/// The scenario of the documentation.
inline constexpr std::string_view documented_scenario =
    R"(title = "70 stainless-steel beads struck at 1.77 m/s"

[material.steel316]
youngs_modulus = 193e9     # Pa
poisson_ratio  = 0.3
yield_stress   = 900e6     # Pa   (elastoplastic laws only)
density        = 7970      # kg/m^3 (or give mass on the segment)

[[segment]]                # beads in order, bead 0 first
beads = 1
radius = 2.38e-3           # m
mass = 0.45e-3             # kg   (optional when the material has a density)
material = "steel316"
velocity = 1.77            # m/s, towards higher bead numbers

[[segment]]
beads = 70
radius = 2.38e-3
mass = 0.45e-3
material = "steel316"
gap = 0.0                  # m, before each bead of this segment; negative = precompressed

[law]
name = "ma-liu"            # any catalogue name, with that law's parameters beside it
psi = 2.84
xi = 13

[boundary]
left  = "free"             # free | wall | fixed
right = "free"             # wall also takes material, and an optional gap

[time]
end = 700e-6               # s
step = 1e-8                # s, optional

[sensors]
beads = [9, 16, 24, 31, 40, 50, 56, 63]
interval = 1e-7            # s

[snapshots]                # optional
interval = 1e-5            # s
)";

/// The shortest valid scenario.
inline constexpr std::string_view shortest_scenario = R"([material.steel]
youngs_modulus = 200_000_000_000
poisson_ratio = 0.3
[[segment]]
beads = 3
radius = 1e-3
mass = 1
material = "steel"
[law]
name = "hertz"
[time]
end = 1
)";

inline io::ReadScenario read(std::string_view text, const Overrides& overrides = {}) {
    const Folder folder;
    write_file(folder / "chain.toml", std::string(text));
    return io::read_scenario(folder / "chain.toml", overrides);
}

/// The error message, with FILE in place of the path.
inline std::string error_of(std::string_view text, const Overrides& overrides = {}) {
    const Folder folder;
    const std::string path = (folder / "chain.toml").string();
    write_file(path, std::string(text));
    try {
        io::read_scenario(path, overrides);
        return "no error";
    } catch (const InputError& error) {
        return without_path(error.what(), path);
    }
}

inline std::string edited(std::string_view text, std::string_view right, std::string_view wrong) {
    return spoiled(text, {.name = {}, .right = right, .wrong = wrong, .sets = {}, .message = {}});
}

}  // namespace beadwave::validation
