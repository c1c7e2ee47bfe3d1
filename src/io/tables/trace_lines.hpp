// Lines of a file of measured traces: which are comments, which a header, what separates their
// cells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {

std::string in_lower_case(std::string_view cell);

/// "bead 9", "force_bead_9_N": 9.
std::optional<std::int64_t> sensor_in(std::string_view cell);

/// Line by line, without empty lines and comments. A comment that names the columns, such as
/// "# time, bead 9" by NumPy, is a header, without its mark: before the numbers, with any
/// separator.
class TraceLines {
  public:
    TraceLines(std::string_view text, char separator);

    bool next();
    std::string_view line() const { return line_; }
    int number() const { return number_; }  ///< from 1

  private:
    /// The names of columns in a comment, with the separator of the numbers between them; empty: it
    /// has none.
    std::string names_in(std::string_view comment) const;

    std::string_view rest_, line_;
    std::string names_{};
    char separator_, end_;
    bool in_numbers_ = false;
    int number_ = 0;
};

/// The separator with which the first row of numbers has at least two cells, all of them numbers;
/// a comma if no row is like that.
char separator_of(std::string_view text);

/// Whether a line before the numbers is one of a header. A row of numbers whose first number is
/// damaged ("0.0x1", "O.1") is not.
bool is_header(const std::vector<std::string_view>& cells, char separator);

}  // namespace beadwave::io
