// A chain of eight beads, two laws, and its gradient: what the tests of gradients share.
#pragma once

#include "program.hpp"
#include "subjects/gradients/gradients.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace beadwave::validation::gradient_beads {

inline const std::string beads = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7800
yield_stress = 900e6
[[segment]]
beads = 1
radius = 4e-3
material = "steel"
velocity = 0.7
[[segment]]
beads = 7
radius = 5e-3
material = "steel"
[time]
end = 1.2e-4
step = 2.5e-7
)";

inline const std::vector<std::vector<std::string>> laws{
    {"law.name=\"hertz\""},
    {"law.name=\"hunt-crossley\"", "law.restitution=0.8", "law.impact_speed=1.0"}};

/// Objective, inputs and settings of a scenario in the folder.
inline gradients::Gradient gradient_of(const Folder& folder, const std::string& inputs,
                                       const std::vector<std::string>& settings,
                                       bool check = false) {
    write_file(folder / "objective.toml",
               "[[objective]]\nkind = \"peak\"\nsensor = 5\n[[objective]]\nkind = \"impulse\"\n"
               "sensor = 3\nquantity = \"velocity\"\nweight = 3e3\n");
    return tasks::gradient_of({.scenario = (folder / "chain.toml").string(),
                               .objective = (folder / "objective.toml").string(),
                               .inputs = inputs,
                               .overrides = settings,
                               .check = check})
        .gradient;
}

}  // namespace beadwave::validation::gradient_beads
