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

}  // namespace

Table<DissipationRecords> dissipation_table() {
    const std::string wanted = R"(a list of "contact", "particle" and "wall", each at most once)";
    Table<DissipationRecords> t;
    return t.row(
        plain("per", Kind::texts,
              "what snapshots hold the dissipated energy of, "
              "[summed from the start](DISSIPATION.md); particles and walls have half of what each "
              "of their contacts dissipated. In a chain particles are the beads, in a mechanism "
              "the bodies, and its wall is the ground")
            .ranges("list of `\"contact\"`, `\"particle\"`, `\"wall\"`")
            .expects(wanted)
            .needed(wanted),
        [wanted](const TomlTable& table, const Key& key, DissipationRecords& records, Reading&) {
            const auto given = table.need(table.texts(key, 1, dissipation_of.size()), key);
            for (std::size_t i = 0; i < given.size(); ++i) {
                const std::string place = fmt::format("per[{}]", i);
                bool known = false;
                for (const auto& [word, member] : dissipation_of) {
                    if (given[i] != word) continue;
                    if (records.*member) table.fail(place, "is in the list already");
                    records.*member = known = true;
                }
                if (!known) table.fail(place, fmt::format("must be {}", wanted));
            }
        });
}

}  // namespace beadwave::io
