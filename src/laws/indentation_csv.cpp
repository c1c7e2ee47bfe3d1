#include "laws/indentation_csv.hpp"

#include "base/csv_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string_view>

namespace beadwave::laws {
namespace {

constexpr std::size_t overlap_column = 0;
constexpr std::array<std::string_view, 3> columns = {"overlap_m", "loading_force_N",
                                                     "unloading_force_N"};

MeasuredCurve sorted(const std::map<double, double>& points) {
    MeasuredCurve curve;
    for (const auto& [overlap, force] : points) {
        curve.overlap.push_back(overlap);
        curve.force.push_back(force);
    }
    return curve;
}

}  // namespace

IndentationRows read_indentation_csv(std::istream& csv, const std::string& name) {
    CsvRows rows(csv, name, {columns.begin(), columns.end()}, OtherColumns::ignored);
    std::array<std::map<double, double>, 3> points;
    while (rows.next()) {
        const auto overlap = rows.number(overlap_column, 0.0);
        if (!overlap) rows.fail("no overlap");
        for (const std::size_t column : {1, 2}) {
            const auto force = rows.number(column, 0.0);
            if (force && !points[column].emplace(*overlap, *force).second)
                rows.fail(fmt::format("a second {} at {:g} m", columns[column], *overlap));
        }
    }
    return {sorted(points[1]), sorted(points[2])};
}

}  // namespace beadwave::laws
