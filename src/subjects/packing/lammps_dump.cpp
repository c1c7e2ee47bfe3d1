#include "beadwave/input_error.hpp"
#include "io/toml/toml_text.hpp"
#include "subjects/packing/lammps_particles.hpp"
#include "subjects/packing/sorted_particles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace beadwave::io {
namespace {

using packing::ListedParticle;

/// A number of a particle and the columns that may hold it: the first one that the file has.
struct DumpColumn {
    std::array<std::string_view, 2> columns;
    bool needed;
    void (*set)(ListedParticle&, double);
};

const std::array quantities{
    DumpColumn{{"x", "xu"}, true, [](ListedParticle& p, double x) { p.position.x = x; }},
    DumpColumn{{"y", "yu"}, true, [](ListedParticle& p, double y) { p.position.y = y; }},
    DumpColumn{{"z", "zu"}, true, [](ListedParticle& p, double z) { p.position.z = z; }},
    DumpColumn{{"radius", ""}, false, [](ListedParticle& p, double r) { p.radius = r; }},
    DumpColumn{{"diameter", ""}, false, [](ListedParticle& p, double d) { p.radius = 0.5 * d; }},
    DumpColumn{{"density", ""},
               false,
               [](ListedParticle& p, double rho) { p.mass = rho * volume_of(p.radius); }},
    DumpColumn{{"mass", ""}, false, [](ListedParticle& p, double m) { p.mass = m; }},
    DumpColumn{{"vx", ""}, false, [](ListedParticle& p, double v) { p.velocity.x = v; }},
    DumpColumn{{"vy", ""}, false, [](ListedParticle& p, double v) { p.velocity.y = v; }},
    DumpColumn{{"vz", ""}, false, [](ListedParticle& p, double v) { p.velocity.z = v; }},
    DumpColumn{
        {"omegax", ""}, false, [](ListedParticle& p, double w) { p.angular_velocity.x = w; }},
    DumpColumn{
        {"omegay", ""}, false, [](ListedParticle& p, double w) { p.angular_velocity.y = w; }},
    DumpColumn{
        {"omegaz", ""}, false, [](ListedParticle& p, double w) { p.angular_velocity.z = w; }}};

/// A quantity of the file and its column.
struct Present {
    const DumpColumn* quantity;
    std::string_view name;
    std::size_t column;
};

struct DumpColumns {
    std::size_t count = 0, id = 0;
    std::optional<std::size_t> type{};
    bool has_mass = false;
    std::vector<Present> present{};
};

/// The columns, from the words behind "ITEM: ATOMS".
DumpColumns columns_of(const LammpsLines& lines, int dimension) {
    const std::vector<std::string_view> names(lines.words().begin() + 2, lines.words().end());
    const auto at = [&](std::string_view name) -> std::optional<std::size_t> {
        const auto found = std::ranges::find(names, name);
        if (found == names.end()) return std::nullopt;
        return static_cast<std::size_t>(found - names.begin());
    };
    const auto missing = [&](const std::string& what, const char* hint = "") {
        lines.fail(fmt::format("no column {}; found {}{}", what, joined(names, " "), hint));
    };
    DumpColumns columns{.count = names.size()};
    if (!at("id")) missing("id");
    columns.id = *at("id");
    columns.type = at("type");
    columns.has_mass = at("mass") || at("density");
    for (const DumpColumn& quantity : quantities) {
        const auto name = std::ranges::find_if(
            quantity.columns, [&](std::string_view one) { return at(one).has_value(); });
        if (name != quantity.columns.end()) {
            columns.present.push_back({&quantity, *name, *at(*name)});
        } else if (quantity.needed && !(dimension == 2 && quantity.columns[0] == "z")) {
            missing(
                fmt::format("{} or {}", quantity.columns[0], quantity.columns[1]),
                at("xs") || at("xsu") ? "; positions relative to the box (xs) are not read" : "");
        }
    }
    if (!at("radius") && !at("diameter")) missing("radius or diameter");
    return columns;
}

void check_units(const NamedFile& file) {
    LammpsLines lines(file);
    if (!lines.next() || lines.line().find("ITEM: UNITS") == std::string_view::npos) return;
    lines.need("the name of the units");
    if (lines.words()[0] != "si") {
        lines.fail(fmt::format("units {}; expected si (m, kg, s)",
                               shortened(std::string(lines.words()[0]))));
    }
}

}  // namespace

LammpsParticles read_lammps_dump(const NamedFile& file, int dimension,
                                 std::optional<std::int64_t> type) {
    check_units(file);
    const std::size_t last = file.text.rfind("ITEM: TIMESTEP");
    LammpsLines lines(file, last == std::string::npos ? 0 : last);
    lines.need("ITEM: TIMESTEP of a LAMMPS dump file");
    if (last == std::string::npos) lines.fail("expected ITEM: TIMESTEP of a LAMMPS dump file");
    std::optional<std::int64_t> count;
    while (true) {
        lines.need("ITEM: ATOMS");
        if (lines.words()[0] != "ITEM:" || lines.words().size() < 2) continue;
        if (lines.words()[1] == "ATOMS") break;
        if (lines.words()[1] != "NUMBER") continue;
        lines.need("the number of atoms");
        count = lines.whole(0, "the number of atoms", 1);
    }
    if (!count) lines.fail("ITEM: NUMBER OF ATOMS is missing before it");
    const DumpColumns columns = columns_of(lines, dimension);
    SortedParticles particles(lines);
    for (std::int64_t n = 0; n < *count; ++n) {
        lines.need(fmt::format("{} atoms; the snapshot has {}", *count, n));
        lines.need_words(columns.count, columns.count,
                         fmt::format("{}, as ITEM: ATOMS names", columns.count));
        ListedParticle particle{};
        for (const Present& one : columns.present)
            one.quantity->set(particle, lines.number(one.column, one.name));
        if (columns.has_mass && !(particle.mass > 0.0)) {
            lines.fail(
                fmt::format("the mass is {:g}; expected a number above 0, in kg", particle.mass));
        }
        std::optional<std::int64_t> own;
        if (columns.type) own = lines.whole(*columns.type, "type", 1);
        particles.add(lines.whole(columns.id, "id", 1), own, particle);
    }
    particles.sort();
    return particles.of(type);
}

}  // namespace beadwave::io
