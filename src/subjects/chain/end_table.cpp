#include "io/scenario/common_tables.hpp"
#include "subjects/chain/chain_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::io {
namespace {

using chain::End;
using chain::EndKind;

const Key frequency =
    named("frequency", above_zero("Hz"), "driven wall: f in the displacement A sin(2 pi f t)")
        .otherwise("needed without a file");
const Key amplitude = named("amplitude", any_number("m"), "driven wall: A in the same formula")
                          .ranges("positive or negative, not 0")
                          .otherwise("needed without a file");
const Key cycles = named("cycles", above_zero("-"),
                         "driven wall: after this number of cycles the wall rests where it started")
                       .ranges("multiple of 0.5, above 0")
                       .otherwise("no end");

stepping::Drive read_sine(const TomlTable& table) {
    const double f = table.needed_number(frequency);
    const double a = table.needed_number(amplitude);
    if (a == 0.0) table.fail("amplitude", "must be a number other than 0, in m");
    const double number = table.number(cycles).value_or(std::numeric_limits<double>::infinity());
    if (std::isfinite(number) && std::fmod(number, 0.5) != 0.0)
        table.fail("cycles", "must be a multiple of 0.5: the wall must stop where it started");
    return stepping::Drive::sine(f, a, number);
}

/// The key of the kind, whose words are in the order of EndKind.
Key kind_key(std::string_view name) {
    return named(name, words({"free", "wall", "fixed", "driven", "absorbing"}),
                 "wall: a body that never moves, which the end bead can touch; fixed: the end bead "
                 "never moves; driven: a wall with a [prescribed motion](#driven-ends); absorbing: "
                 "a free end that [swallows waves](#absorbing-ends)");
}

Table<End> end_table() {
    Table<End> t;
    t.add(kind_key("kind").needed(), &End::kind);
    t.rule([](const TomlTable& table, const End& end, Reading&) {
        for (const std::string_view key : {"material", "gap"}) {
            if (table.has(key) && !end.is_wall())
                table.fail(key, fmt::format("only a wall has a {}", key));
        }
        for (const std::string_view key : {"tail", "damping"}) {
            if (table.has(key) && end.kind != EndKind::absorbing)
                table.fail(key, fmt::format("only an absorbing end has a {}", key));
        }
        for (const Key& key : drive_keys()) {
            if (table.has(key.name) && end.kind != EndKind::driven)
                table.fail(key.name, fmt::format("only a driven end has {}", key.name));
        }
    });
    t.add("material", material().otherwise("that of the end bead"), &End::material,
          "walls only, driven or not: material of the wall");
    t.add("gap", from_zero("m"), &End::gap,
          "walls only: gap between wall and end bead at the start");
    t.add("tail", whole(1), &End::tail, "absorbing: number of beads with drag, at this end");
    t.add("damping", above_zero("N s/m").otherwise("[chosen](#absorbing-ends)"), &End::damping,
          "absorbing: drag of the end bead; it grows with the square along the tail");
    for (const Key& key : drive_keys())
        t.known(key);
    return t.rule([](const TomlTable& table, End& end, Reading& reading) {
        if (end.kind == EndKind::driven) end.drive = read_drive(table, reading);
    });
}

/// A word, or a table.
void add_end(Table<chain::Scenario>& t, Key key, End chain::Scenario::*member) {
    const Table<End> rows = end_table();
    key.kind = Kind::table;
    key.or_word = true;
    key.children = rows.keys();
    t.row(std::move(key), [rows, member](const TomlTable& boundary, const Key& side,
                                         chain::Scenario& scenario, Reading& reading) {
        if (!boundary.has(side.name)) return;
        End& end = scenario.*member;
        if (boundary.has_table(side.name)) {
            rows.read(*boundary.table(side.name), end, reading);
            return;
        }
        end.kind = static_cast<EndKind>(*boundary.word(kind_key(side.name)));
        if (end.kind == EndKind::driven) {
            boundary.fail(side.name, R"(does not give the motion; give a table, such as )"
                                     R"({ kind = "driven", frequency = 5000, amplitude = 1e-7 })");
        }
    });
}

}  // namespace

std::vector<Key> drive_keys() {
    return {plain("file", Kind::file, "driven wall: its motion"), frequency, amplitude, cycles};
}

bool has_drive(const TomlTable& table) {
    return std::ranges::any_of(drive_keys(), [&](const Key& key) { return table.has(key.name); });
}

stepping::Drive read_drive(const TomlTable& table, Reading& reading) {
    if (!table.has("file")) {
        if (!table.has("frequency") && !table.has("amplitude")) {
            table.fail("frequency",
                       "missing; give frequency, in Hz, and amplitude, in m, or file, the path of "
                       "a CSV file");
        }
        return read_sine(table);
    }
    for (const Key* key : {&frequency, &amplitude, &cycles}) {
        if (table.has(key->name)) {
            table.fail(key->name,
                       "is given together with file; a driven end takes only one of them");
        }
    }
    const NamedFile file = reading.files.read(table, "file");
    stepping::Drive drive = stepping::Drive::table(file.text, file.name);
    if (!drive.doubt().empty())
        reading.warnings.push_back(fmt::format("{}: {}", table.key("file"), drive.doubt()));
    return drive;
}

Table<chain::Scenario> boundary_table() {
    const auto side = [](std::string_view name, std::string_view meaning) {
        return named(name,
                     words(kind_key(name).words)
                         .ranges("`\"free\"`, `\"wall\"`, `\"fixed\"`, `\"absorbing\"`, or a table")
                         .otherwise("`\"free\"`"),
                     meaning);
    };
    Table<chain::Scenario> t;
    add_end(t, side("left", "a kind, or a table with `kind` and more"), &chain::Scenario::left);
    add_end(t, side("right", "takes the same keys as `boundary.left`").like("left"),
            &chain::Scenario::right);
    return t;
}

}  // namespace beadwave::io
