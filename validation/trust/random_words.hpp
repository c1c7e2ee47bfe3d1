// What random chains and packings have in common: materials, laws, presses, as text.
#pragma once

#include "dice.hpp"

#include <string>
#include <vector>

namespace beadwave::validation {

/// Names of the materials that materials() describes.
const std::vector<std::string>& material_names();
std::string materials();

/// [law]: any that needs no file, with any parameters. `speed` [m/s] of the impacts; `slow`:
/// nothing moves at the start.
std::string random_law(Dice& dice, double speed, bool slow);

/// A smooth push, from slow to fast, as a CSV file.
std::string random_press(Dice& dice);

}  // namespace beadwave::validation
