// Reads a CSV table of reference numbers: '#' lines give their origin, then follows a header row.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace beadwave::validation {

using Row = std::map<std::string, std::string>;

/// Rows of validation/<name>; fails the test if there are none.
inline std::vector<Row> table(const std::string& name) {
    std::ifstream file(std::string(BEADWAVE_SOURCE_DIR) + "/validation/" + name);
    const auto split = [](const std::string& line) {
        std::vector<std::string> cells;
        std::stringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');)
            cells.push_back(cell);
        return cells;
    };
    std::vector<std::string> header;
    std::vector<Row> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        const std::vector<std::string> cells = split(line);
        if (header.empty()) {
            header = cells;
            continue;
        }
        REQUIRE_MESSAGE(cells.size() == header.size(), name, ": ", line);
        Row row;
        for (std::size_t i = 0; i < header.size(); ++i)
            row[header[i]] = cells[i];
        rows.push_back(row);
    }
    REQUIRE_MESSAGE(!rows.empty(), name, " has no rows");
    return rows;
}

inline double number(const Row& row, const std::string& column) {
    return std::stod(row.at(column));
}

}  // namespace beadwave::validation
