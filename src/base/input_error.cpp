#include "beadwave/input_error.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace beadwave {
namespace {

/// The number of insertions, deletions, replacements and swaps of adjacent letters that turn one
/// word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    // Rows i - 2, i - 1 and i of the table over all prefixes of the two words.
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) return std::string(text);
    std::size_t end = longest - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end;  // whole UTF-8 characters
    return std::string(text.substr(0, end)) + "...";
}

std::string did_you_mean(std::string_view text, std::span<const std::string> known) {
    if (text.size() > 64) return "";
    const std::string misspelt = lower_case(text);
    const std::string* nearest = nullptr;
    std::size_t fewest = std::max<std::size_t>(2, misspelt.size() / 3) + 1;
    for (const std::string& exact : known) {
        const std::string name = lower_case(exact);
        const bool begins_it = misspelt.size() >= 3 && name.starts_with(misspelt);
        const std::size_t longer = std::max(name.size(), misspelt.size());
        if (!begins_it && longer - std::min(name.size(), misspelt.size()) >= fewest) continue;
        const std::size_t cost = begins_it ? 1 : edit_distance(misspelt, name);
        if (cost < fewest && cost < misspelt.size()) {
            fewest = cost;
            nearest = &exact;
        }
    }
    return nearest == nullptr ? "" : "; did you mean \"" + *nearest + "\"?";
}

}  // namespace beadwave
