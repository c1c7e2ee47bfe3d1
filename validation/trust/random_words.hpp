// The parts that random chains and packings share, as text: materials, laws, friction, presses.
#pragma once

#include "dice.hpp"

#include <string>
#include <vector>

namespace beadwave::validation {

/// Names of the materials that materials() describes.
const std::vector<std::string>& material_names();
std::string materials();

/// The table [law]: any law that needs no file, with any parameters. `speed` [m/s]: speed of the
/// impacts. `slow`: nothing moves at the start.
std::string random_law(Dice& dice, double speed, bool slow);

/// The tables of friction, and of rolling and twisting; empty where there is none. `radius` [m]: of
/// the particles.
std::string random_friction(Dice& dice, double radius);
std::string random_rolling(Dice& dice, bool flat);

/// A smooth displacement of a driven end, slow or fast, as a CSV file.
std::string random_press(Dice& dice);

}  // namespace beadwave::validation
