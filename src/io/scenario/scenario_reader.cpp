#include "io/scenario/scenario_reader.hpp"

#include "io/scenario/end_reader.hpp"
#include "io/scenario/law_reader.hpp"
#include "io/scenario/named_files.hpp"
#include "io/scenario/segment_reader.hpp"
#include "io/toml/number_range.hpp"
#include "io/toml/toml_document.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace beadwave::io {
namespace {

// ---- loads and times ----

std::optional<chain::Gravity> read_gravity(const TomlTable& root) {
    const auto table = root.table("gravity");
    if (!table) return std::nullopt;
    table->allow_only({"acceleration", "equilibrium"});
    return chain::Gravity{.acceleration = table->needed_number("acceleration", from_zero("m/s^2")),
                          .equilibrium = table->flag("equilibrium").value_or(true)};
}

scenario::Time read_time(const TomlTable& root) {
    const TomlTable table = root.need(root.table("time"), "time", "[time] with end, in s");
    table.allow_only({"end", "step", "sleep_speed"});
    const scenario::Time time{
        .end = table.need(table.number("end", any_number("s")), "end", above_zero("s").allowed()),
        .step = table.number("step", above_zero("s")),
        .sleep_speed = table.number("sleep_speed", from_zero("m/s")).value_or(0.0)};
    if (!(time.end > 0.0)) table.fail("end", "must be above 0, in s: a run starts at 0");
    if (time.step && *time.step > time.end) {
        table.fail("step", fmt::format("must not exceed time.end, {} s", time.end));
    }
    return time;
}

/// A table of one number: [precompression] force, [snapshots] interval, ...
std::optional<double> read_single(const TomlTable& root, std::string_view name,
                                  std::string_view key, std::string_view unit) {
    const auto table = root.table(name);
    if (!table) return std::nullopt;
    table->allow_only({std::string(key)});
    return table->needed_number(key, above_zero(unit));
}

// ---- checkpoints ----

/// "90 s", "10 min" or "1.5 h", in s; not above zero if it is none of these.
double wall_clock_seconds(const std::string& text) {
    double number = 0.0;
    const auto [unit, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return 0.0;
    const std::string_view word(unit, static_cast<std::size_t>(text.data() + text.size() - unit));
    constexpr std::array<std::pair<std::string_view, double>, 3> units = {
        {{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}}};
    for (const auto& [name, seconds] : units) {
        if (word == name || (word.starts_with(' ') && word.substr(1) == name))
            return number * seconds;
    }
    return 0.0;
}

std::optional<scenario::Checkpoints> read_checkpoints(const TomlTable& root) {
    const auto table = root.table("checkpoint");
    if (!table) return std::nullopt;
    table->allow_only({"every", "interval"});
    const std::string_view wanted = R"(time by the clock on the wall: "90 s", "10 min" or "1 h")";
    scenario::Checkpoints checkpoints{.every = {},
                                      .interval = table->number("interval", above_zero("s"))};
    if (const auto text = table->text("every", wanted)) {
        checkpoints.every = wall_clock_seconds(*text);
        if (!(*checkpoints.every > 0.0)) table->fail("every", fmt::format("must be {}", wanted));
    }
    if (!checkpoints.every && !checkpoints.interval) {
        table->fail("every",
                    fmt::format("missing; give {}, or interval, in s of simulated time", wanted));
    }
    return checkpoints;
}

// ---- sensors ----

std::optional<scenario::Sensors> read_sensors(const TomlTable& root, std::int64_t bead_count) {
    const auto table = root.table("sensors");
    if (!table) return std::nullopt;
    table->allow_only({"beads", "interval"});
    const std::string_view wanted = "a list of bead numbers, as in [9, 16]";
    scenario::Sensors sensors{.ids = table->need(table->whole_numbers("beads"), "beads", wanted),
                              .interval = table->number("interval", above_zero("s"))};
    if (sensors.ids.empty()) table->fail("beads", fmt::format("is empty; give {}", wanted));
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < sensors.ids.size(); ++i) {
        const std::string key = fmt::format("beads[{}]", i);
        if (sensors.ids[i] < 0 || sensors.ids[i] >= bead_count) {
            table->fail(key, fmt::format("there is no such bead; this chain has beads 0 to {}",
                                         bead_count - 1));
        }
        if (!seen.insert(sensors.ids[i]).second)
            table->fail(key, "is in the list already; name each bead once");
    }
    return sensors;
}

}  // namespace

ReadScenario read_chain(TomlDocument document, NamedFiles files) {
    const TomlTable root = document.root();
    root.allow_only({"title", "material", "segment", "law", "boundary", "gravity", "precompression",
                     "time", "sensors", "snapshots", "energy", "checkpoint"});
    ReadScenario result;
    chain::Scenario& scenario = result.scenario;
    scenario.title = root.text("title").value_or("");
    scenario.materials = read_materials(root);
    scenario.segments = read_segments(root, scenario.materials, result.notes);
    scenario.law = read_law(root, std::nullopt, files, result.notes);
    read_boundary(root, scenario.materials, files, scenario);
    scenario.gravity = read_gravity(root);
    scenario.precompression = read_single(root, "precompression", "force", "N");
    scenario.time = read_time(root);
    scenario.sensors = read_sensors(root, scenario.bead_count());
    scenario.snapshot_interval = read_single(root, "snapshots", "interval", "s");
    scenario.energy_interval = read_single(root, "energy", "interval", "s");
    scenario.checkpoints = read_checkpoints(root);
    scenario.text = std::move(document.text);
    scenario.file_texts = files.texts();
    scenario.origin = std::move(document.origin);
    return result;
}

ReadScenario read_scenario(const std::filesystem::path& file,
                           std::span<const std::string> overrides) {
    return read_chain(load_toml(file, overrides), NamedFiles::beside(file));
}

ReadScenario read_scenario_text(std::string text, const std::string& name,
                                std::map<std::string, std::string> file_texts) {
    return read_chain(parse_toml(std::move(text), name), NamedFiles::kept(std::move(file_texts)));
}

}  // namespace beadwave::io
