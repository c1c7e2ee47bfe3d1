#include "beadwave/input_error.hpp"
#include "fit/fit.hpp"
#include "fit/setting.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/read_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace beadwave::fit {
namespace {

const std::string shift_key = "clock.shift", gain_key = "sensor.gain";

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
    throw InputError(fmt::format("--vary {}: {}", key, why));
}

/// What stands at a dotted key; null if nothing.
const toml::node* node_at(const toml::table& table, const std::string& key) {
    const toml::node* node = &table;
    std::stringstream parts(key);
    for (std::string part; node != nullptr && std::getline(parts, part, '.');) {
        if (const toml::array* list = node->as_array()) {
            std::size_t index = 0;
            const auto [end, error] =
                std::from_chars(part.data(), part.data() + part.size(), index);
            node = error == std::errc() && end == part.data() + part.size() ? list->get(index)
                                                                            : nullptr;
        } else {
            node = node->is_table() ? node->as_table()->get(part) : nullptr;
        }
    }
    return node;
}

std::optional<double> number_at(const toml::table& table, const std::string& key) {
    const toml::node* const node = node_at(table, key);
    return node == nullptr ? std::nullopt : node->value<double>();
}

Parameter parameter_of(const Varied& varied, double start, Role role) {
    if (!(start >= varied.low && start <= varied.high)) {
        refuse(fmt::format("{}={}:{}", varied.key, varied.low, varied.high),
               fmt::format("the start, {}, lies outside; widen the bounds, or start elsewhere with "
                           "--set {}=VALUE",
                           start, varied.key));
    }
    return {varied.key, varied.low, varied.high, start, role, 0};
}

/// The scenario's own number, or the middle where it gives none.
Parameter of_scenario(const toml::table& table, const Varied& varied) {
    for (const char* held : {"time.", "sensors.", "snapshots.", "checkpoint.", "energy."}) {
        if (varied.key.starts_with(held))
            refuse(varied.key, "is how a run is made and recorded; a fit varies what moves");
    }
    if (const toml::node* const node = node_at(table, varied.key); node && !node->is_number())
        refuse(varied.key, "is no number in the scenario; a fit varies numbers");
    const double middle = 0.5 * (varied.low + varied.high);
    return parameter_of(varied, number_at(table, varied.key).value_or(middle), Role::scenario);
}

}  // namespace

Task prepare(const Request& request, const std::string& first_law) {
    std::vector<std::string> settings = request.settings;
    if (!first_law.empty()) settings.push_back("law.name=" + first_law);
    const io::TomlDocument document = io::load_toml(request.scenario, settings);
    Task task{request, {}, {}, {}, {}, 0.0};
    std::vector<std::string> starts;
    double least_shift = 0.0, most_shift = 0.0;
    for (const Varied& varied : request.varied) {
        if (varied.key == shift_key) {
            const double start = std::clamp(0.0, varied.low, varied.high);
            task.parameters.push_back(parameter_of(varied, start, Role::clock_shift));
            least_shift = varied.low;
            most_shift = varied.high;
        } else if (varied.key.starts_with("clock.")) {
            refuse(varied.key, "the clock has a shift only: clock.shift, in s");
        } else if (!varied.key.starts_with("sensor.")) {
            task.parameters.push_back(of_scenario(document.table, varied));
            starts.push_back(setting(varied.key, task.parameters.back().start));
        }
    }
    const std::unique_ptr<jobs::Job> job =
        jobs::JobFile(request.scenario, settings).variant(starts);
    const io::Columns columns = job->columns();
    if (columns.sensors.empty()) {
        throw InputError(fmt::format(
            "{}: has no sensors, so there is nothing to hold a measurement against{}",
            request.scenario.string(),
            columns.body == "body" ? "; mechanisms cannot be fitted" : "; name them in [sensors]"));
    }
    task.body = columns.body;
    if (const toml::node* const law = node_at(document.table, "law.name"))
        task.law = law->value<std::string>().value_or("");
    const double end = number_at(document.table, "time.end").value_or(0.0);
    task.interval = number_at(document.table, "sensors.interval").value_or(end / 1000.0);
    task.measured =
        read_measurement(request.measured, columns.sensors, end, least_shift, most_shift);
    if (!request.noise.empty() && request.noise.size() != 1 &&
        request.noise.size() != task.measured.traces.size()) {
        throw InputError(
            fmt::format("--noise: {} numbers; expected one, or one for each of {} traces",
                        request.noise.size(), task.measured.traces.size()));
    }

    for (const Varied& varied : request.varied) {
        if (!varied.key.starts_with("sensor.")) continue;
        bool any = false;
        for (std::size_t c = 0; c < task.measured.traces.size(); ++c) {
            Varied one = varied;
            one.key = fmt::format("{}.{}", gain_key, task.measured.traces[c].id);
            if (varied.key != gain_key && varied.key != one.key) continue;
            any = true;
            task.parameters.push_back(
                parameter_of(one, std::clamp(1.0, varied.low, varied.high), Role::gain));
            task.parameters.back().trace = c;
        }
        if (!any) {
            refuse(varied.key, fmt::format("expected {} (of every sensor its own), or {}.N of one "
                                           "of the sensors measured",
                                           gain_key, gain_key));
        }
    }
    for (const std::string& key : request.profiled) {
        if (std::ranges::find(task.parameters, key, &Parameter::key) == task.parameters.end())
            throw InputError(fmt::format("--profile {}: is not varied", key));
    }
    // Samples as dense as the measurement's, so that little is left to interpolation.
    const auto& times = task.measured.time;
    const double spacing = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
    constexpr double clearly_denser = 0.99;
    if (spacing < clearly_denser * task.interval)
        task.interval = std::max(spacing, std::min(task.interval, end / 20'000.0));
    return task;
}

}  // namespace beadwave::fit
