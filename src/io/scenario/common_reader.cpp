#include "io/scenario/common_reader.hpp"

#include "io/toml/number_range.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

/// "90 s", "10 min" or "1.5 h" in s; 0 if the text has another form.
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

}  // namespace

scenario::Time read_time(const TomlTable& root, SleepSpeed sleep_speed) {
    const TomlTable table = root.need(root.table("time"), "time", "[time] with end, in s");
    std::vector<std::string> known = {"end", "step"};
    if (sleep_speed == SleepSpeed::allowed) known.emplace_back("sleep_speed");
    table.allow_only(known);
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

std::optional<double> read_single(const TomlTable& root, std::string_view name,
                                  std::string_view key, std::string_view unit) {
    const auto table = root.table(name);
    if (!table) return std::nullopt;
    table->allow_only({std::string(key)});
    return table->needed_number(key, above_zero(unit));
}

std::optional<scenario::Checkpoints> read_checkpoints(const TomlTable& root) {
    const auto table = root.table("checkpoint");
    if (!table) return std::nullopt;
    table->allow_only({"wall_interval", "interval"});
    const std::string_view wanted = R"(wall-clock time: "90 s", "10 min" or "1 h")";
    scenario::Checkpoints checkpoints{.wall_interval = {},
                                      .interval = table->number("interval", above_zero("s"))};
    if (const auto text = table->text("wall_interval", wanted)) {
        checkpoints.wall_interval = wall_clock_seconds(*text);
        if (!(*checkpoints.wall_interval > 0.0))
            table->fail("wall_interval", fmt::format("must be {}", wanted));
    }
    if (!checkpoints.wall_interval && !checkpoints.interval) {
        table->fail("wall_interval",
                    fmt::format("missing; give {}, or interval, in s of simulated time", wanted));
    }
    return checkpoints;
}

std::optional<scenario::Sensors> read_sensors(const TomlTable& root, std::string_view key,
                                              std::string_view body, std::int64_t count) {
    const auto table = root.table("sensors");
    if (!table) return std::nullopt;
    table->allow_only({std::string(key), "interval"});
    const std::string wanted = fmt::format("a list of {} numbers, such as [9, 16]", body);
    scenario::Sensors sensors{.ids = table->need(table->whole_numbers(key), key, wanted),
                              .interval = table->number("interval", above_zero("s"))};
    if (sensors.ids.empty()) table->fail(key, fmt::format("is empty; give {}", wanted));
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < sensors.ids.size(); ++i) {
        const std::string place = fmt::format("{}[{}]", key, i);
        if (sensors.ids[i] < 0 || sensors.ids[i] >= count) {
            table->fail(place, fmt::format("there is no such {}; this {} has {} 0 to {}", body,
                                           body == "bead" ? "chain" : "packing", key, count - 1));
        }
        if (!seen.insert(sensors.ids[i]).second)
            table->fail(place, fmt::format("is in the list already; list each {} once", body));
    }
    return sensors;
}

}  // namespace beadwave::io
