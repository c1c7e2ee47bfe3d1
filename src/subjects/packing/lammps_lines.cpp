#include "subjects/packing/lammps_lines.hpp"

#include "base/csv_cells.hpp"
#include "base/trimmed.hpp"
#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace beadwave::io {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";

void split(std::string_view text, std::vector<std::string_view>& words) {
    words.clear();
    while (true) {
        const auto first = text.find_first_not_of(blanks);
        if (first == std::string_view::npos) return;
        text.remove_prefix(first);
        const auto end = std::min(text.find_first_of(blanks), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

}  // namespace

LammpsLines::LammpsLines(const NamedFile& file, std::size_t begin)
    : file_(&file),
      rest_(std::string_view(file.text).substr(begin)),
      number_(static_cast<std::size_t>(std::count(
          file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'))) {}

bool LammpsLines::next() {
    while (!rest_.empty()) {
        const auto end = std::min(rest_.find('\n'), rest_.size());
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++number_;
        const auto mark = std::min(line_.find('#'), line_.size());
        comment_ = trimmed(line_.substr(std::min(mark + 1, line_.size())), blanks);
        split(line_.substr(0, mark), words_);
        if (!words_.empty()) return true;
    }
    words_.clear();
    return false;
}

void LammpsLines::need(std::string_view expected) {
    if (!next()) fail(fmt::format("the file ends here; expected {}", expected));
}

double LammpsLines::number(std::size_t word, std::string_view what) const {
    constexpr double most = 1e30;  // products of larger numbers overflow
    const auto value = csv_number(words_.at(word), ',');
    if (!value || !(std::abs(*value) <= most)) {
        fail(fmt::format("{} is \"{}\"; expected a number from {:g} to {:g}", what,
                         shortened(words_[word]), -most, most));
    }
    return *value;
}

std::int64_t LammpsLines::whole(std::size_t word, std::string_view what,
                                std::int64_t lowest) const {
    const std::string_view text = words_.at(word);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < lowest) {
        fail(fmt::format("{} is \"{}\"; expected a whole number from {}", what, shortened(text),
                         lowest));
    }
    return value;
}

void LammpsLines::need_words(std::size_t count, std::size_t or_count,
                             std::string_view columns) const {
    if (words_.size() == count || words_.size() == or_count) return;
    fail(fmt::format("{} {}; expected {}", words_.size(), words_.size() == 1 ? "column" : "columns",
                     columns));
}

void LammpsLines::fail_at(std::size_t line_number, const std::string& what) const {
    throw InputError(fmt::format("{}, line {}: {}", file_->name, line_number, what));
}

}  // namespace beadwave::io
