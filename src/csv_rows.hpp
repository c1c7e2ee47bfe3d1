// CSV files of named columns, row by row. Lines that begin with '#' are comments; the first other
// line names the columns, in any order; cells may be empty.
#pragma once

#include <cstddef>
#include <istream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave {

enum class OtherColumns { ignored, refused };

/// Errors are InputErrors that begin "<name>, line <number>: ".
class CsvRows {
  public:
    /// Reads up to the column names. Columns count in the order in which they are asked for here.
    CsvRows(std::istream& csv, std::string name, std::vector<std::string_view> columns,
            OtherColumns others);

    /// Goes to the next row; false at the end.
    bool next();

    /// What the row has in this column; nothing if the cell is empty.
    std::optional<double> number(std::size_t column,
                                 double lowest = -std::numeric_limits<double>::infinity()) const;

    /// Throws what is wrong with this row.
    [[noreturn]] void fail(const std::string& what) const;

  private:
    bool next_line();
    void read_names(OtherColumns others);

    std::istream& csv_;
    std::string name_, line_;
    std::vector<std::string_view> columns_, cells_;  // cells of line_
    std::vector<std::size_t> at_;                    // of each column
    std::size_t width_ = 0;
    int number_ = 0;
};

}  // namespace beadwave
