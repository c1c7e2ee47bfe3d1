#include "io/scenario/dissipation_table.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace beadwave::io {
namespace {

using recording::DissipationRecords;

constexpr std::array<std::pair<std::string_view, bool DissipationRecords::*>, 3> dissipation_of{
    {{"contact", &DissipationRecords::contacts},
     {"particle", &DissipationRecords::bodies},
     {"wall", &DissipationRecords::walls}}};

void read_dissipation_per(const TomlTable& table, const Key& key, DissipationRecords& records,
                          Reading&) {
    const auto given = table.texts(key, 1, dissipation_of.size());
    if (!given) return;
    for (std::size_t i = 0; i < given->size(); ++i) {
        const std::string place = fmt::format("per[{}]", i);
        bool known = false;
        for (const auto& [word, member] : dissipation_of) {
            if ((*given)[i] != word) continue;
            if (records.*member) table.fail(place, "is in the list already");
            records.*member = known = true;
        }
        if (!known) table.fail(place, fmt::format("must be {}", dissipation_bodies));
    }
}

Key dissipation_per_key() {
    return plain("per", Kind::texts,
                 "what snapshots hold the dissipated energy of, "
                 "[summed from the start](DISSIPATION.md); particles and walls have half of what "
                 "each of their contacts dissipated. In a chain particles are the beads, in a "
                 "mechanism the bodies, and its wall is the ground")
        .ranges("list of `\"contact\"`, `\"particle\"`, `\"wall\"`")
        .expects(dissipation_bodies);
}

}  // namespace

Key dissipation_key() {
    return plain("dissipation", Kind::table, "the energy that contacts dissipated, one by one");
}

Table<DissipationRecords> dissipation_table() {
    Table<DissipationRecords> t;
    return t.row(
        dissipation_per_key().needed(dissipation_bodies),
        [](const TomlTable& table, const Key& key, DissipationRecords& records, Reading& reading) {
            table.need(table.texts(key, 1, dissipation_of.size()), key);
            read_dissipation_per(table, key, records, reading);
        });
}

Table<DissipationRecords> dissipation_rows() {
    Table<DissipationRecords> t;
    return t.row(dissipation_per_key().otherwise("none"), read_dissipation_per);
}

void check_snapshots_of_dissipation(const TomlTable& root, bool has_snapshots) {
    if (!has_snapshots)
        root.fail("dissipation",
                  "needs [snapshots] with interval, in s: snapshots hold these energies");
}

}  // namespace beadwave::io
