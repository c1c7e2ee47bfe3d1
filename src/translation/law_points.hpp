// A law over a range of speeds and masses: what a translation compares with.
#pragma once

#include "translation/translate.hpp"

namespace beadwave::translation {

/// Seven speeds, and three masses where these differ; the speed varies fastest.
std::vector<Point> points_of(const Wanted& wanted);

/// Whether the static force of the law is Hertz's at this contact.
bool is_hertz(const Wanted& wanted, double overlap);

/// The scales of the law in the middle of its points.
Touch touch_of(const Wanted& wanted, const std::vector<Point>& points);

}  // namespace beadwave::translation
