#include "io/scenario/segment_reader.hpp"

#include "beadwave/input_error.hpp"
#include "io/scenario/elasticity_reader.hpp"
#include "io/toml/number_range.hpp"
#include "io/toml/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace beadwave::io {
namespace {

constexpr std::int64_t most_beads = 1'000'000'000;

chain::BeadKind read_kind(const TomlTable& table, const Materials& materials) {
    table.allow_only({"radius", "mass", "material"});
    return {.radius = table.number("radius", above_zero("m")),
            .mass = table.number("mass", above_zero("kg")),
            .material = read_material_name(table, materials)};
}

std::vector<chain::BeadKind> read_pattern(const TomlTable& segment, const Materials& materials) {
    const auto tables = segment.tables("pattern");
    if (!tables) return {};
    if (tables->empty())
        segment.fail("pattern", "must hold at least one bead kind, such as [{ radius = 1e-3 }]");
    std::vector<chain::BeadKind> pattern;
    for (const TomlTable& table : *tables) {
        pattern.push_back(read_kind(table, materials));
        if (table.names().empty()) {
            segment.fail(fmt::format("pattern.{}", pattern.size() - 1),
                         "is empty; give at least one of radius, mass, material");
        }
    }
    return pattern;
}

/// The radius of a segment may be missing if all kinds of its pattern have one. Its mass may also
/// be missing if the material has a density.
void check_complete(const TomlTable& table, const chain::Segment& segment,
                    const Materials& materials) {
    const auto& pattern = segment.pattern;
    const auto has_radius = [](const chain::BeadKind& kind) { return kind.radius.has_value(); };
    if (!table.has("radius") && (pattern.empty() || !std::ranges::all_of(pattern, has_radius))) {
        table.fail("radius", "missing; give a number above 0, in m");
    }
    if (segment.mass) return;
    const auto need_density = [&](const std::string& key, const std::string& material) {
        if (materials.at(material).density) return;
        table.fail(
            key, fmt::format("missing; give a number above 0, in kg, or material \"{}\" a density",
                             material));
    };
    if (pattern.empty()) need_density("mass", segment.material);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i].mass) continue;
        need_density(fmt::format("pattern.{}.mass", i),
                     pattern[i].material.value_or(segment.material));
    }
}

chain::Segment read_segment(const TomlTable& table, const Materials& materials,
                            std::vector<std::string>& warnings) {
    table.allow_only({"beads", "radius", "mass", "material", "velocity", "gap", "pattern", "taper",
                      "disorder", "seed"});
    const laws::Parameter disorder{
        .name = {}, .unit = "-", .meaning = {}, .lowest = 0.0, .highest = 0.3};
    const auto whole = [&](std::string_view name, std::int64_t lowest, std::int64_t highest) {
        return table.whole_number(name, lowest, highest);
    };
    chain::Segment segment{
        .beads = table.need(whole("beads", 1, most_beads), "beads", "the number of beads"),
        .radius = table.number("radius", above_zero("m")).value_or(0.0),
        .mass = table.number("mass", above_zero("kg")),
        .material =
            table.need(read_material_name(table, materials), "material", "the name of a material"),
        .velocity = table.number("velocity", any_number("m/s")).value_or(0.0),
        .gap = table.number("gap", any_number("m")),
        .pattern = read_pattern(table, materials),
        .taper = table.number("taper", above_zero("-")).value_or(1.0),
        .disorder = table.number("disorder", disorder).value_or(0.0),
        .seed = static_cast<std::uint64_t>(
            whole("seed", 0, std::numeric_limits<std::int64_t>::max()).value_or(0)),
    };
    check_complete(table, segment, materials);
    if (table.has("seed") && segment.disorder == 0.0) {
        warnings.push_back(
            fmt::format("{} has no effect: the segment has no disorder", table.key("seed")));
    }
    return segment;
}

/// All names must fit into the header of one HDF5 dataset, which has 64 KiB.
constexpr std::size_t most_name_bytes = 40'000;

void check_material_name(const TomlTable& all, const std::string& name) {
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (name.empty()) all.fail("\"\"", "a material needs a name");
    if (std::ranges::any_of(name, control))
        all.fail(written_key(name), "a material's name must not have control characters");
}

}  // namespace

Materials read_materials(const TomlTable& root) {
    const std::string_view wanted =
        "at least one [material.NAME] with youngs_modulus and poisson_ratio";
    const TomlTable all = root.need(root.table("material"), "material", wanted);
    Materials materials;
    std::size_t together = 0;
    for (const std::string& name : all.names()) {
        check_material_name(all, name);
        together += name.size();
        if (together > most_name_bytes) {
            root.fail(
                "material",
                fmt::format("the names are too long; all names together may have {} characters",
                            most_name_bytes));
        }
        const TomlTable table = *all.table(name);
        table.allow_only({"youngs_modulus", "poisson_ratio", "yield_stress", "density"});
        materials[name] = {.elasticity = read_elasticity(table),
                           .density = table.number("density", above_zero("kg/m^3"))};
    }
    return materials;
}

std::optional<std::string> read_material_name(const TomlTable& table, const Materials& materials) {
    std::optional<std::string> name = table.text("material", "the name of a material in quotes");
    if (!name || materials.contains(*name)) return name;
    std::vector<std::string> known;
    for (const auto& entry : materials)
        known.push_back(entry.first);
    std::string hint = did_you_mean(*name, known);
    if (hint.empty()) hint = "; known here: " + comma_separated(known);
    table.fail("material", "no such material" + hint);
}

std::vector<chain::Segment> read_segments(const TomlTable& root, const Materials& materials,
                                          std::vector<std::string>& warnings) {
    const std::string_view wanted = "at least one [[segment]]: a chain needs beads";
    const auto tables = root.need(root.tables("segment"), "segment", wanted);
    if (tables.empty()) root.fail("segment", fmt::format("is empty; give {}", wanted));
    std::vector<chain::Segment> segments;
    std::int64_t beads = 0;
    for (const TomlTable& table : tables) {
        segments.push_back(read_segment(table, materials, warnings));
        beads += segments.back().beads;
        if (beads > most_beads) {
            table.fail("beads",
                       fmt::format("makes {} beads in total; all segments together may have {}",
                                   beads, most_beads));
        }
    }
    return segments;
}

}  // namespace beadwave::io
