#include "io/scenario/scenario_reader.hpp"

#include "io/scenario/common_reader.hpp"
#include "io/scenario/end_reader.hpp"
#include "io/scenario/law_reader.hpp"
#include "io/scenario/named_files.hpp"
#include "io/scenario/segment_reader.hpp"
#include "io/toml/number_range.hpp"
#include "io/toml/toml_document.hpp"

#include <optional>
#include <utility>

namespace beadwave::io {
namespace {

std::optional<chain::Gravity> read_gravity(const TomlTable& root) {
    const auto table = root.table("gravity");
    if (!table) return std::nullopt;
    table->allow_only({"acceleration", "equilibrium"});
    return chain::Gravity{.acceleration = table->needed_number("acceleration", from_zero("m/s^2")),
                          .equilibrium = table->flag("equilibrium").value_or(true)};
}

/// Reads the duration of a run and what is recorded.
void read_run(const TomlTable& root, std::int64_t beads, chain::Scenario& scenario) {
    scenario.title = root.text("title").value_or("");
    scenario.time = read_time(root, SleepSpeed::allowed);
    scenario.sensors = read_sensors(root, "beads", "bead", beads);
    scenario.snapshot_interval = read_single(root, "snapshots", "interval", "s");
    scenario.energy_interval = read_single(root, "energy", "interval", "s");
    scenario.checkpoints = read_checkpoints(root);
}

}  // namespace

ReadScenario read_run_of_chain(TomlDocument document, std::int64_t beads) {
    const TomlTable root = document.root();
    root.allow_only({"title", "law", "time", "sensors", "snapshots", "energy", "checkpoint"});
    ReadScenario result;
    NamedFiles files = NamedFiles::relative_to(document.origin.file());
    result.scenario.law = read_law(root, std::nullopt, files, result.warnings);
    read_run(root, beads, result.scenario);
    result.scenario.file_texts = files.texts();
    result.scenario.origin = std::move(document.origin);
    return result;
}

ReadScenario read_chain(TomlDocument document, NamedFiles files) {
    const TomlTable root = document.root();
    root.allow_only({"title", "material", "segment", "law", "boundary", "gravity", "precompression",
                     "time", "sensors", "snapshots", "energy", "checkpoint"});
    ReadScenario result;
    chain::Scenario& scenario = result.scenario;
    scenario.materials = read_materials(root);
    scenario.segments = read_segments(root, scenario.materials, result.warnings);
    scenario.law = read_law(root, std::nullopt, files, result.warnings);
    read_boundary(root, scenario.materials, files, scenario);
    scenario.gravity = read_gravity(root);
    scenario.precompression = read_single(root, "precompression", "force", "N");
    read_run(root, scenario.bead_count(), scenario);
    scenario.text = std::move(document.text);
    scenario.file_texts = files.texts();
    scenario.origin = std::move(document.origin);
    return result;
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
