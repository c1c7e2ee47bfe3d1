// Cells of a line of a CSV file as instruments and spreadsheets write it: separated by commas,
// semicolons, tabs or blanks; with decimal commas where cells are not separated by commas.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace beadwave {

/// A blank stands for any number of blanks and tabs.
inline constexpr std::array csv_separators{',', ';', '\t', ' '};

/// The cell without blanks, carriage return and the quotation marks around it.
std::string_view trimmed_cell(std::string_view text);

std::vector<std::string_view> csv_cells(std::string_view line, char separator);

/// A finite number; none if the cell is something else. "0,5" is 0.5 unless commas separate cells.
std::optional<double> csv_number(std::string_view cell, char separator);

/// The text without the byte order mark of UTF-8, which some programs write.
std::string_view without_mark(std::string_view text);

}  // namespace beadwave
