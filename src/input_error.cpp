#include "beadwave/input_error.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace beadwave {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view misspelt, std::span<const std::string> known) {
    if (misspelt.size() > 64) return "";
    const std::string* nearest = nullptr;
    std::size_t fewest = std::max<std::size_t>(2, misspelt.size() / 3) + 1;
    for (const std::string& name : known) {
        const std::size_t edits = edit_distance(misspelt, name);
        const bool begins_it = misspelt.size() >= 3 && name.starts_with(misspelt);
        const std::size_t cost = begins_it ? 1 : edits;
        if (cost < fewest && cost < misspelt.size()) {
            fewest = cost;
            nearest = &name;
        }
    }
    return nearest == nullptr ? "" : "; did you mean \"" + *nearest + "\"?";
}

}  // namespace beadwave
