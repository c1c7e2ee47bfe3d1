#include "io/scenario/dissipation_table.hpp"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace beadwave::io {
namespace {

using recording::DissipationRecords;

using Word = std::pair<std::string_view, bool DissipationRecords::*>;
constexpr std::array<Word, 4> dissipation_of{{{"contact", &DissipationRecords::contacts},
                                              {"particle", &DissipationRecords::bodies},
                                              {"wall", &DissipationRecords::walls},
                                              {"triangle", &DissipationRecords::triangles}}};

/// The first `count` words are known.
void read_dissipation_per(const TomlTable& table, const Key& key, DissipationRecords& records,
                          std::size_t count) {
    const auto given = table.texts(key, 1, count);
    if (!given) return;
    for (std::size_t i = 0; i < given->size(); ++i) {
        const std::string place = fmt::format("per[{}]", i);
        bool known = false;
        for (const auto& [word, member] : std::span(dissipation_of).first(count)) {
            if ((*given)[i] != word) continue;
            if (records.*member) table.fail(place, "is in the list already");
            records.*member = known = true;
        }
        if (!known) table.fail(place, fmt::format("must be {}", key.expected));
    }
}

Key dissipation_per_key(const char* expected) {
    return plain("per", Kind::texts,
                 "what snapshots hold the dissipated energy of, "
                 "[summed from the start](DISSIPATION.md); particles and walls have half of what "
                 "each of their contacts dissipated. In a chain particles are the beads, in a "
                 "mechanism the bodies, and its wall is the ground. Triangles are those of "
                 "packings' meshes")
        .ranges("list of `\"contact\"`, `\"particle\"`, `\"wall\"`, `\"triangle\"`")
        .expects(expected);
}

}  // namespace

Key dissipation_key() {
    return plain("dissipation", Kind::table, "the energy that contacts dissipated, one by one");
}

Table<DissipationRecords> dissipation_table() {
    Table<DissipationRecords> t;
    return t.row(dissipation_per_key(dissipation_bodies).needed(dissipation_bodies),
                 [](const TomlTable& table, const Key& key, DissipationRecords& records, Reading&) {
                     table.need(table.texts(key, 1, 3), key);
                     read_dissipation_per(table, key, records, 3);
                 });
}

Table<DissipationRecords> dissipation_rows_of_packing() {
    Table<DissipationRecords> t;
    return t.row(dissipation_per_key(dissipation_bodies_of_packing).otherwise("none"),
                 [](const TomlTable& table, const Key& key, DissipationRecords& records, Reading&) {
                     read_dissipation_per(table, key, records, dissipation_of.size());
                 });
}

void check_snapshots_of_dissipation(const TomlTable& root, bool has_snapshots) {
    if (!has_snapshots)
        root.fail("dissipation",
                  "needs [snapshots] with interval, in s: snapshots hold these energies");
}

}  // namespace beadwave::io
