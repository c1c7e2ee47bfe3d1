// CSV files with named columns, read row by row. Lines that begin with '#' are comments. The first
// other line names the columns, in any order. Cells may be empty; csv_cells.hpp separates them.
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

/// Errors are InputErrors that begin with "<name>, line <number>: ".
class CsvRows {
  public:
    /// Reads up to the column names. Columns are numbered in the order of `columns`.
    CsvRows(std::istream& csv, std::string name, std::vector<std::string_view> columns,
            OtherColumns others);

    /// Moves to the next row; returns false at the end.
    bool next();

    /// The number of the row in this column; no value if the cell is empty.
    std::optional<double> number(std::size_t column,
                                 double lowest = -std::numeric_limits<double>::infinity()) const;

    /// The number in a cell that must not be empty.
    double needed_number(std::size_t column) const;

    /// Throws InputError for this row.
    [[noreturn]] void fail(const std::string& what) const;

  private:
    bool next_line();
    /// The separator with which the header names all columns; a comma if there is none.
    void find_separator();
    void read_names(OtherColumns others);

    std::istream& csv_;
    std::string name_, line_;
    std::vector<std::string_view> columns_, cells_;  // cells of line_
    std::vector<std::size_t> at_;                    // of each column
    std::size_t width_ = 0;
    int number_ = 0;
    char separator_ = ',';
};

}  // namespace beadwave
