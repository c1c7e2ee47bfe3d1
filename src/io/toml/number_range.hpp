// Ranges of numbers in the input, in the form of the laws' catalogue.
#pragma once

#include "beadwave/laws/settings.hpp"

#include <string_view>

namespace beadwave::io {

inline laws::Parameter any_number(std::string_view unit) {
    return {.name = {}, .unit = unit, .meaning = {}};
}

inline laws::Parameter above_zero(std::string_view unit) {
    return {.name = {}, .unit = unit, .meaning = {}, .lowest = 0.0, .lowest_allowed = false};
}

inline laws::Parameter from_zero(std::string_view unit) {
    return {.name = {}, .unit = unit, .meaning = {}, .lowest = 0.0};
}

}  // namespace beadwave::io
