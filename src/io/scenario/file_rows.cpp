#include "io/scenario/file_rows.hpp"

#include "base/csv_rows.hpp"
#include "io/toml/toml_text.hpp"

#include <fmt/format.h>

#include <sstream>

namespace beadwave::io {

FileRows read_file_rows(const TomlTable& table, const Key& key,
                        const std::vector<std::string_view>& columns, Reading& reading,
                        std::string_view first_column, FirstColumn order) {
    const NamedFile file = reading.files.read(table, key.name);
    std::istringstream text(file.text);
    text.exceptions(std::ios::badbit);  // missing memory is no end of the text
    std::vector<std::string_view> all{first_column};
    all.insert(all.end(), columns.begin(), columns.end());
    CsvRows rows(text, file.name, all, OtherColumns::refused);
    FileRows read{.first = {}, .columns = std::vector<std::vector<double>>(columns.size())};
    while (rows.next()) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            const auto number = rows.number(k);
            if (!number) rows.fail(fmt::format("needs {}", joined(all, " and ")));
            if (k > 0) {
                read.columns[k - 1].push_back(*number);
                continue;
            }
            const bool repeats = order == FirstColumn::may_repeat && !read.first.empty() &&
                                 *number == read.first.back();
            if (!read.first.empty() && !(*number > read.first.back()) && !repeats) {
                rows.fail(
                    fmt::format("{} must {}", first_column,
                                order == FirstColumn::may_repeat ? "not decrease" : "increase"));
            }
            read.first.push_back(*number);
        }
    }
    if (read.first.empty()) table.fail(key.name, "the file has no row");
    return read;
}

std::string_view header_line(std::string_view text) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        const auto first = line.find_first_not_of(" \t\r");
        if (first != std::string_view::npos && line[first] != '#') return line;
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return {};
}

}  // namespace beadwave::io
