#include "subjects/chain/chain_reader.hpp"

#include "io/scenario/common_tables.hpp"
#include "subjects/chain/chain_tables.hpp"
#include "subjects/chain/chain_units.hpp"
#include "subjects/chain/element_tables.hpp"
#include "subjects/chain/initial_table.hpp"
#include "subjects/chain/long_ellipses.hpp"

#include <utility>

namespace beadwave::io {
namespace {

using chain::Gravity;
using chain::Scenario;

Table<Gravity> gravity_table() {
    Table<Gravity> t;
    t.add("acceleration", from_zero("m/s^2").needed(), &Gravity::acceleration,
          "towards higher bead numbers");
    return t.add("equilibrium", of(Kind::flag), &Gravity::equilibrium,
                 "`true`: the chain starts at rest under its own weight, and its right end must "
                 "hold it. `false`: the chain starts without this equilibrium");
}

Table<scenario::Common> run_of_chain_rows() {
    Table<scenario::Time> time = time_table();
    time.add("sleep_speed", from_zero("m/s"), &scenario::Time::sleep_speed,
             "slower beads that cannot become faster [go to sleep](#sleep); 0: beads never sleep");
    Table<scenario::Common> rows = run_rows(time, "beads", "bead");
    return rows.rule([](const TomlTable& root, const scenario::Common& common, Reading&) {
        if (common.dissipation.any() && common.time.sleep_speed > 0.0)
            root.fail("dissipation", "does not go with time.sleep_speed; give one of the two");
    });
}

const Table<Scenario>& chain_table() {
    static const Table<Scenario> table = [] {
        Table<Scenario> t;
        t.include(head_rows());
        t.include(segments_row());
        t.include(law_row<Scenario>());
        t.table(plain("boundary", Kind::table).under("Ends"), boundary_table());
        t.table(plain("gravity", Kind::table).under("Gravity and precompression"),
                &Scenario::gravity, gravity_table());
        t.table("precompression", "force", above_zero("N").needed(), &Scenario::precompression,
                "the chain starts in equilibrium under this force");
        t.include(initial_row());
        t.include(element_rows(), &Scenario::elements);
        t.include(run_of_chain_rows());
        return t.rule([](const TomlTable&, const Scenario& scenario, Reading& reading) {
            if (auto warning = long_ellipse(scenario))
                reading.warnings.push_back(std::move(*warning));
        });
    }();
    return table;
}

ReadScenario read(const Table<Scenario>& table, TomlDocument document, Reading reading) {
    ReadScenario result;
    table.read(document.root(), result.scenario, reading);
    result.warnings = std::move(reading.warnings);
    result.scenario.text = std::move(document.text);
    result.scenario.file_texts = reading.files.texts();
    result.scenario.origin = std::move(document.origin);
    return result;
}

ReadScenario with_doubts(ReadScenario result) {
    if (auto doubt = chain_units(result.scenario)) result.warnings.push_back(std::move(*doubt));
    const auto& segments = result.scenario.segments;
    if (!segments.empty() && segments.front().beads == 1 && segments.front().gap) {
        result.warnings.emplace_back(
            "segment.0.gap has no effect: bead 0 has the left end before it; its gap is "
            "boundary.left.gap, and that to the next bead is the gap of the next segment");
    }
    return result;
}

}  // namespace

std::vector<Key> chain_keys() {
    return chain_table().keys();
}

ReadScenario read_run_of_chain(TomlDocument document, std::int64_t beads,
                               std::optional<NamedFiles> files) {
    static const Table<Scenario> table = [] {
        Table<Scenario> t;
        t.add(title_key(), &Scenario::title);
        t.include(law_row<Scenario>());
        t.include(initial_row());
        t.include(element_rows(), &Scenario::elements);
        t.include(run_of_chain_rows());
        return t;
    }();
    if (!files) files = NamedFiles::relative_to(document.origin.file());
    Reading reading{.files = std::move(*files), .bodies = beads};
    document.text.clear();
    return with_doubts(read(table, std::move(document), std::move(reading)));
}

ReadScenario read_chain(TomlDocument document, NamedFiles files) {
    return with_doubts(read(chain_table(), std::move(document), {.files = std::move(files)}));
}

chain::Scenario read_chain_variant(TomlDocument document, NamedFiles files) {
    return read(chain_table(), std::move(document), {.files = std::move(files)}).scenario;
}

ReadScenario read_scenario(const std::filesystem::path& file,
                           std::span<const std::string> overrides) {
    return read_chain(load_toml(file, overrides), NamedFiles::relative_to(file));
}

ReadScenario read_scenario_text(std::string text, const std::string& name,
                                std::map<std::string, std::string> file_texts) {
    return read_chain(parse_toml(std::move(text), name),
                      NamedFiles::from_texts(std::move(file_texts)));
}

}  // namespace beadwave::io
