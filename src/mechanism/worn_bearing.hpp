// The bearings and pins whose wear has a profile: which journals, what is worn of them, and how
// deep.
#pragma once

#include "mechanism/contact_point.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/result.hpp"
#include "mechanism/rubbing.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::mechanism {

/// The width of a journal's bearing, across the plane [m]; empty: not given.
std::optional<double> bearing_width(const Contact& journal);

/// The area of one of so many equal parts of the bearing's inner surface, or of the pin's [m^2].
double worn_area(const Contact& journal, std::size_t bins, Worn surface = worn_bearing);

/// The contacts with a profile: the journals that wear, if Mechanism::wear_bins is not 0.
std::vector<std::size_t> worn_journals(const Mechanism&);

/// The contacts whose pins wear.
std::vector<std::size_t> worn_pins(const Mechanism&);

/// Middle of a part of the bearing or the pin, anticlockwise from the x axis at the start [rad].
double middle_of_bin(std::size_t bin, std::size_t bins);

/// One sentence for each bearing or pin that is worn by more than a tenth of its clearance beyond
/// the shape that acts. `points`: at the end, with that shape.
std::vector<std::string> wear_warnings(const Mechanism&, const std::vector<ContactPoint>& points,
                                       const Sample& last);

}  // namespace beadwave::mechanism
