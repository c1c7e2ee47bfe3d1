// Numbers over time, or over another column, from a CSV file that a key names.
#pragma once

#include "io/scenario/reading.hpp"
#include "io/toml/toml_table.hpp"

#include <string_view>
#include <vector>

namespace beadwave::io {

/// What the first column may do from row to row.
enum class FirstColumn { increases, may_repeat };

struct FileRows {
    std::vector<double> first;                 ///< increasing, or repeated where that is allowed
    std::vector<std::vector<double>> columns;  ///< as long as the first
};

/// Throws InputError with file and row: a missing number, a first column that decreases or, unless
/// it may, repeats; no row at all.
FileRows read_file_rows(const TomlTable& table, const Key& key,
                        const std::vector<std::string_view>& columns, Reading& reading,
                        std::string_view first_column = "time_s",
                        FirstColumn order = FirstColumn::increases);

/// The line that names the columns of a CSV file; empty if there is none.
std::string_view header_line(std::string_view text);

}  // namespace beadwave::io
