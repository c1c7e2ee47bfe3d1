#include "subjects/chain/bead_file.hpp"

#include "base/csv_rows.hpp"
#include "io/scenario/file_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {
namespace {

using chain::ListedBead;

struct Column {
    std::string_view name, key;  ///< the key of the segment that the column replaces
    void (*set)(ListedBead&, double);
};

constexpr std::array<Column, 4> columns{{
    {"radius_m", "radius", [](ListedBead& bead, double x) { bead.radius = x; }},
    {"mass_kg", "mass", [](ListedBead& bead, double x) { bead.mass = x; }},
    {"gap_m", "gap", [](ListedBead& bead, double x) { bead.gap = x; }},
    {"velocity_m_per_s", "velocity", [](ListedBead& bead, double x) { bead.velocity = x; }},
}};

}  // namespace

void read_bead_file(const TomlTable& table, const Key& key, chain::Segment& segment,
                    Reading& reading) {
    if (!table.has(key.name)) return;
    const NamedFile file = reading.files.read(table, key.name);
    const std::string_view header = header_line(file.text);
    std::vector<const Column*> present;
    std::vector<std::string_view> names;
    for (const Column& column : columns) {
        const bool there = header.find(column.name) != std::string_view::npos;
        if (!there && column.key != "radius") continue;
        present.push_back(&column);
        names.push_back(column.name);
        if (table.has(column.key))
            table.fail(column.key,
                       fmt::format("is given together with a file that has {}", column.name));
    }
    for (const std::string_view other : {"pattern", "taper", "disorder", "seed"}) {
        if (table.has(other)) table.fail(other, "is given together with a file of beads");
    }
    std::istringstream text(file.text);
    text.exceptions(std::ios::badbit);  // missing memory is no end of the text
    CsvRows rows(text, file.name, names, OtherColumns::refused);
    while (rows.next()) {
        ListedBead bead;
        for (std::size_t c = 0; c < present.size(); ++c)
            present[c]->set(bead, rows.needed_number(c));
        if (!(bead.radius > 0.0) || !std::isnormal(bead.radius))
            rows.fail("radius_m must be above 0");
        if (bead.mass && (!(*bead.mass > 0.0) || !std::isnormal(*bead.mass)))
            rows.fail("mass_kg must be above 0");
        segment.listed.push_back(bead);
    }
    if (segment.listed.empty()) table.fail(key.name, "the file has no row");
}

}  // namespace beadwave::io
