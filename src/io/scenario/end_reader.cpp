#include "io/scenario/end_reader.hpp"

#include "beadwave/input_error.hpp"
#include "io/toml/number_range.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

chain::EndKind read_end_kind(const TomlTable& table, std::string_view key) {
    constexpr std::array<std::pair<std::string_view, chain::EndKind>, 4> kinds = {
        {{"free", chain::EndKind::free},
         {"wall", chain::EndKind::wall},
         {"fixed", chain::EndKind::fixed},
         {"driven", chain::EndKind::driven}}};
    const std::string_view wanted = R"("free", "wall", "fixed" or "driven")";
    const std::string name = table.need(table.text(key, wanted), key, wanted);
    std::vector<std::string> known;
    for (const auto& [word, kind] : kinds) {
        if (word == name) return kind;
        known.emplace_back(word);
    }
    table.fail(key, fmt::format("must be {}{}", wanted, did_you_mean(name, known)));
}

chain::Drive read_sine(const TomlTable& table) {
    const double frequency = table.needed_number("frequency", above_zero("Hz"));
    const double amplitude = table.needed_number("amplitude", any_number("m"));
    if (amplitude == 0.0) table.fail("amplitude", "must be a number other than 0, in m");
    const double cycles =
        table.number("cycles", above_zero("-")).value_or(std::numeric_limits<double>::infinity());
    if (std::isfinite(cycles) && std::fmod(cycles, 0.5) != 0.0)
        table.fail("cycles", "must be a multiple of 0.5: the wall must stop where it started");
    return chain::Drive::sine(frequency, amplitude, cycles);
}

chain::End read_end(const TomlTable& boundary, std::string_view side, const Materials& materials,
                    NamedFiles& files) {
    if (!boundary.has(side)) return {};
    if (!boundary.has_table(side)) {
        const chain::EndKind kind = read_end_kind(boundary, side);
        if (kind == chain::EndKind::driven) {
            boundary.fail(side, R"(does not give the motion; give a table, such as )"
                                R"({ kind = "driven", frequency = 5000, amplitude = 1e-7 })");
        }
        return {.kind = kind};
    }
    const TomlTable table = *boundary.table(side);
    table.allow_only({"kind", "material", "gap", "file", "frequency", "amplitude", "cycles"});
    const chain::EndKind kind = read_end_kind(table, "kind");
    chain::End end{.kind = kind};
    for (const std::string_view key : {"material", "gap"}) {
        if (table.has(key) && !end.is_wall())
            table.fail(key, fmt::format("only a wall has a {}", key));
    }
    for (const std::string_view key : {"file", "frequency", "amplitude", "cycles"}) {
        if (table.has(key) && kind != chain::EndKind::driven)
            table.fail(key, fmt::format("only a driven end has {}", key));
    }
    end.material = read_material_name(table, materials);
    end.gap = table.number("gap", from_zero("m")).value_or(0.0);
    if (kind == chain::EndKind::driven) end.drive = read_drive(table, files);
    return end;
}

}  // namespace

chain::Drive read_drive(const TomlTable& table, NamedFiles& files) {
    if (!table.has("file")) {
        if (!table.has("frequency") && !table.has("amplitude")) {
            table.fail("frequency",
                       "missing; give frequency, in Hz, and amplitude, in m, or file, the path of "
                       "a CSV file");
        }
        return read_sine(table);
    }
    for (const std::string_view key : {"frequency", "amplitude", "cycles"}) {
        if (table.has(key))
            table.fail(key, "is given together with file; a driven end takes only one of them");
    }
    const NamedFile file = files.read(table, "file", "CSV");
    return chain::Drive::table(file.text, file.name);
}

void read_boundary(const TomlTable& root, const Materials& materials, NamedFiles& files,
                   chain::Scenario& scenario) {
    const auto table = root.table("boundary");
    if (!table) return;
    table->allow_only({"left", "right"});
    scenario.left = read_end(*table, "left", materials, files);
    scenario.right = read_end(*table, "right", materials, files);
}

}  // namespace beadwave::io
