// KEY=FROM:TO, the value of --continue and of --basins.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace beadwave::tasks {

struct KeyRange {
    std::string key;
    double from, to;  ///< finite and not equal
};

/// None: the text is not of this form.
std::optional<KeyRange> key_range_in(std::string_view text);

/// A whole number from 1 to `most` without a sign or anything else; none: it is not.
std::optional<unsigned> count_in(std::string_view text, unsigned most);

}  // namespace beadwave::tasks
