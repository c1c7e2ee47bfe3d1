#include "subjects/chain/bead_file.hpp"

#include "base/csv_rows.hpp"
#include "io/scenario/file_rows.hpp"
#include "io/scenario/orientation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {
namespace {

using chain::BeadForm;
using chain::ListedBead;

struct Row {
    ListedBead bead{};
    std::optional<double> angle{};
    std::array<double, 3> semi_axes{};
    std::array<double, 4> quaternion{};
};

/// One number of a bead.
struct Column {
    std::string_view name, key;  ///< the key of the segment that the column replaces
    void (*set)(Row&, double);
};

constexpr std::array<Column, 12> columns{{
    {"radius_m", "radius", [](Row& row, double x) { row.bead.radius = x; }},
    {"mass_kg", "mass", [](Row& row, double x) { row.bead.mass = x; }},
    {"gap_m", "gap", [](Row& row, double x) { row.bead.gap = x; }},
    {"velocity_m_per_s", "velocity", [](Row& row, double x) { row.bead.velocity = x; }},
    {"angle_rad", "angle", [](Row& row, double x) { row.angle = x; }},
    {"a_m", "semi_axes", [](Row& row, double x) { row.semi_axes[0] = x; }},
    {"b_m", "semi_axes", [](Row& row, double x) { row.semi_axes[1] = x; }},
    {"c_m", "semi_axes", [](Row& row, double x) { row.semi_axes[2] = x; }},
    {"qw", "orientation", [](Row& row, double x) { row.quaternion[0] = x; }},
    {"qx", "orientation", [](Row& row, double x) { row.quaternion[1] = x; }},
    {"qy", "orientation", [](Row& row, double x) { row.quaternion[2] = x; }},
    {"qz", "orientation", [](Row& row, double x) { row.quaternion[3] = x; }},
}};

/// Columns that beads of this form may have, and whether one of them must be there.
bool may_have(BeadForm form, const Column& column) {
    if (column.key == "radius") return form != BeadForm::ellipsoid;
    if (column.key == "angle") return form != BeadForm::sphere;
    return form == BeadForm::ellipsoid ||
           (column.key != "semi_axes" && column.key != "orientation");
}

/// The columns of the file, by the names in its head; one of several with the same key, as a_m, b_m
/// and c_m, needs the others.
std::vector<const Column*> present_columns(std::string_view header, BeadForm form) {
    std::vector<const Column*> present;
    for (const Column& column : columns) {
        if (!may_have(form, column)) continue;
        const bool named = std::ranges::any_of(columns, [&](const Column& other) {
            return other.key == column.key && header.find(other.name) != std::string_view::npos;
        });
        if (named || column.key == "radius") present.push_back(&column);
    }
    return present;
}

/// Checks the numbers of a row and adds its bead.
class Beads {
  public:
    Beads(const std::vector<const Column*>& present, chain::Segment& segment)
        : segment_(segment),
          sized_(has(present, "semi_axes")),
          turned_(has(present, "orientation")),
          shaped_(sized_ || turned_ || has(present, "angle")) {}

    bool sized() const { return sized_; }
    /// Number of quaternions whose length is not 1.
    std::size_t not_unit() const { return not_unit_; }

    void add(const CsvRows& rows, const Row& row) {
        const ListedBead& bead = row.bead;
        const bool ellipsoid = segment_.form == BeadForm::ellipsoid;
        if (!ellipsoid && !(bead.radius > 0.0 && std::isnormal(bead.radius)))
            rows.fail("radius_m must be above 0");
        if (bead.mass && (!(*bead.mass > 0.0) || !std::isnormal(*bead.mass)))
            rows.fail("mass_kg must be above 0");
        segment_.listed.push_back(bead);
        if (!shaped_) return;
        chain::ListedShape& shape = segment_.listed_shapes.emplace_back();
        shape.angle = row.angle;
        if (sized_) {
            if (!std::ranges::all_of(row.semi_axes, [](double x) { return x > 0.0; }))
                rows.fail("a_m, b_m and c_m must be above 0");
            shape.semi_axes = row.semi_axes;
        }
        if (!turned_) return;
        const auto unit = unit_quaternion(row.quaternion);
        if (!unit) rows.fail("qw, qx, qy and qz are all 0; expected a unit quaternion");
        if (unit->warning) ++not_unit_;
        shape.orientation = unit->numbers;
    }

  private:
    static bool has(const std::vector<const Column*>& present, std::string_view key) {
        return std::ranges::find(present, key, &Column::key) != present.end();
    }

    chain::Segment& segment_;
    bool sized_, turned_, shaped_;
    std::size_t not_unit_ = 0;
};

}  // namespace

void read_bead_file(const TomlTable& table, const Key& key, chain::Segment& segment,
                    Reading& reading) {
    if (!table.has(key.name)) return;
    const NamedFile file = reading.files.read(table, key.name);
    // The row of `length` comes later.
    if (table.has("length") && !table.has("shape")) segment.form = BeadForm::cylinder;
    const std::vector<const Column*> present =
        present_columns(header_line(file.text), segment.form);
    std::vector<std::string_view> names;
    for (const Column* const column : present) {
        names.push_back(column->name);
        if (table.has(column->key))
            table.fail(column->key,
                       fmt::format("is given together with a file that has {}", column->name));
    }
    for (const std::string_view other : {"pattern", "taper", "disorder", "seed"}) {
        if (table.has(other)) table.fail(other, "is given together with a file of beads");
    }
    Beads beads(present, segment);
    if (segment.form == BeadForm::ellipsoid && !beads.sized() && !table.has("semi_axes"))
        table.fail("semi_axes", "missing; give [a, b, c], in m, or the columns a_m, b_m and c_m");
    std::istringstream text(file.text);
    text.exceptions(std::ios::badbit);  // missing memory is no end of the text
    CsvRows rows(text, file.name, names, OtherColumns::refused);
    while (rows.next()) {
        Row row;
        for (std::size_t c = 0; c < present.size(); ++c)
            present[c]->set(row, rows.needed_number(c));
        beads.add(rows, row);
    }
    if (segment.listed.empty()) table.fail(key.name, "the file has no row");
    if (beads.not_unit() > 0) {
        reading.warnings.push_back(fmt::format(
            "{}: quaternions of {} beads do not have unit length, and are divided by it", file.name,
            beads.not_unit()));
    }
}

}  // namespace beadwave::io
