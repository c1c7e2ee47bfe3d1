#include "beadwave/input_error.hpp"
#include "fit/clock.hpp"
#include "fit/fit.hpp"
#include "fit/setting.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/read_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace beadwave::fit {
namespace {

const std::string shift_key = "clock.shift", gain_key = "sensor.gain", offset_key = "sensor.offset";

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
    throw InputError(fmt::format("--bounds {}: {}", key, why));
}

/// The value of a dotted key; null if there is none.
const toml::node* node_at(const toml::table& table, const std::string& key) {
    const toml::node* node = &table;
    std::stringstream parts(key);
    parts.exceptions(std::ios::badbit);  // missing memory is no end of the text
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

FreeParameter free_parameter(const BoundedKey& varied, double start, Role role,
                             const std::map<std::string, double>& starts) {
    if (const auto given = starts.find(varied.key); given != starts.end()) start = given->second;
    if (!(start >= varied.low && start <= varied.high)) {
        refuse(fmt::format("{}={}:{}", varied.key, varied.low, varied.high),
               fmt::format("the start, {}, is outside these bounds; widen them, or choose another "
                           "start with --set {}=VALUE",
                           start, varied.key));
    }
    return {varied.key, varied.low, varied.high, start, role, 0};
}

/// A parameter that starts at the scenario's own number, or in the middle of the bounds if the
/// scenario does not give one.
FreeParameter of_scenario(const toml::table& table, const BoundedKey& varied,
                          const std::map<std::string, double>& starts) {
    for (const char* held : {"time.", "sensors.", "snapshots.", "checkpoint.", "energy."}) {
        if (varied.key.starts_with(held))
            refuse(varied.key,
                   "sets how a run is made and recorded; a fit varies physical numbers");
    }
    if (const toml::node* const node = node_at(table, varied.key); node && !node->is_number())
        refuse(varied.key, "is not a number in the scenario; a fit varies numbers");
    const double middle = 0.5 * (varied.low + varied.high);
    return free_parameter(varied, number_at(table, varied.key).value_or(middle), Role::scenario,
                          starts);
}

/// Options that do not go together, or not with this scenario.
void check_options(const FitSettings& settings, const std::string& body,
                   std::span<const std::int64_t> sensors) {
    const Target& target = settings.target;
    if (!target.traces && settings.loss != Loss::squares)
        throw InputError("--loss: is for traces; peaks and arrivals are too few to tell outliers");
    if (!target.traces && settings.robust_errors) {
        throw InputError(
            "--errors robust: is for traces; peaks and arrivals are too few to form blocks");
    }
    if (settings.robust_errors && !settings.profile_likelihood.empty()) {
        throw InputError(
            "--profile-likelihood: assumes white noise and does not go with --errors robust");
    }
    const bool unknown = settings.noise.empty() || !settings.arrival_noise;
    if (target.peaks && target.arrivals && unknown && !settings.priors.empty()) {
        throw InputError(
            "--prior: with --target peaks,arrivals, give --noise and --arrival-noise, against "
            "which the prior is weighed");
    }
    if (settings.component != Component::norm && body != "particle") {
        throw InputError(
            fmt::format("--component {}: is for packings; the force in a chain has no components",
                        text_of(settings.component)));
    }
    if (settings.component != Component::norm && !target.traces) {
        throw InputError(
            fmt::format("--component {}: is for traces; peaks and arrivals are those of the "
                        "magnitude",
                        text_of(settings.component)));
    }
    for (const Mask& mask : settings.masks) {
        if (mask.id && std::ranges::find(sensors, *mask.id) == sensors.end()) {
            throw InputError(fmt::format("--mask {}: there is no such sensor; there are {}",
                                         *mask.id, fmt::join(sensors, ", ")));
        }
    }
}

/// Whether the bounds free this number of all sensors.
bool frees_all(std::span<const BoundedKey> bounds, const std::string& key,
               std::span<const std::int64_t> sensors) {
    const auto is_free = [&](const std::string& one) {
        return std::ranges::find(bounds, one, &BoundedKey::key) != bounds.end();
    };
    return is_free(key) || std::ranges::all_of(sensors, [&](std::int64_t id) {
               return is_free(fmt::format("{}.{}", key, id));
           });
}

/// Whether they free it of one.
bool frees_any(std::span<const BoundedKey> bounds, const std::string& key) {
    return std::ranges::any_of(
        bounds, [&](const BoundedKey& varied) { return varied.key.starts_with(key); });
}

/// Adds the free gains and offsets of the sensors that were measured.
void add_sensors(FitInput& input) {
    struct Number {
        const std::string& key;
        Role role;
        double start;
    };
    const Number numbers[] = {{gain_key, Role::gain, 1.0}, {offset_key, Role::offset, 0.0}};
    for (const BoundedKey& varied : input.settings.bounds) {
        if (!varied.key.starts_with("sensor.")) continue;
        bool any = false;
        for (const Number& number : numbers) {
            for (std::size_t c = 0; c < input.measured.traces.size(); ++c) {
                BoundedKey one = varied;
                one.key = fmt::format("{}.{}", number.key, input.measured.traces[c].id);
                if (varied.key != number.key && varied.key != one.key) continue;
                any = true;
                const double start = std::clamp(number.start, varied.low, varied.high);
                input.parameters.push_back(
                    free_parameter(one, start, number.role, input.settings.starts));
                input.parameters.back().trace = c;
            }
        }
        if (!any) {
            refuse(varied.key,
                   fmt::format("expected {} (one gain per sensor), {} (the reading of each without "
                               "a force), or {}.N and {}.N for one of the measured sensors",
                               gain_key, offset_key, gain_key, offset_key));
        }
    }
}

}  // namespace

FitInput prepare(const FitSettings& settings, const std::string& first_law) {
    std::vector<std::string> overrides = settings.overrides;
    if (!first_law.empty()) overrides.push_back("law.name=" + first_law);
    const io::TomlDocument document = io::load_toml(settings.scenario, overrides);
    FitInput input{settings, {}, {}, {}, {}, 0.0};
    std::vector<std::string> starts;
    for (const BoundedKey& varied : settings.bounds) {
        if (varied.key == shift_key) {
            const double start = std::clamp(0.0, varied.low, varied.high);
            input.parameters.push_back(
                free_parameter(varied, start, Role::clock_shift, settings.starts));
        } else if (varied.key.starts_with("clock.")) {
            refuse(varied.key, "the only key of the clock is clock.shift, in s");
        } else if (!varied.key.starts_with("sensor.")) {
            input.parameters.push_back(of_scenario(*document.table, varied, settings.starts));
            starts.push_back(setting(varied.key, input.parameters.back().start));
        }
    }
    const std::unique_ptr<jobs::Job> job =
        naming_bounds([&] { return jobs::JobFile(settings.scenario, overrides).variant(starts); });
    input.file_texts = job->file_texts();
    const io::Columns columns = job->columns();
    if (columns.sensors.empty()) {
        throw InputError(fmt::format(
            "{}: has no sensors to compare a measurement with{}", settings.scenario.string(),
            columns.body == "body" ? "; mechanisms cannot be fitted" : "; name them in [sensors]"));
    }
    if (columns.arrival_threshold > 0.0 && settings.target.arrivals) {
        throw InputError(fmt::format(
            "{}: sensors.arrival_threshold: --target arrivals fits the times of the first maxima; "
            "leave the key out",
            settings.scenario.string()));
    }
    input.body = columns.body;
    if (const toml::node* const law = node_at(*document.table, "law.name"))
        input.law = law->value<std::string>().value_or("");
    const double end = number_at(*document.table, "time.end").value_or(0.0);
    input.interval = number_at(*document.table, "sensors.interval").value_or(end / 1000.0);
    if (!input.settings.traces) {
        const bool gains = frees_all(settings.bounds, gain_key, columns.sensors);
        input.settings.traces = std::make_shared<const io::MeasuredTraces>(
            io::read_measured_traces(settings.measured, columns.sensors,
                                     gains ? io::Readings::voltages_too : io::Readings::forces));
    }
    narrow_clock(input, first_law, columns.sensors, end);
    double least_shift = 0.0, most_shift = 0.0;
    for (const FreeParameter& parameter : input.parameters) {
        if (parameter.role != Role::clock_shift) continue;
        least_shift = parameter.low;
        most_shift = parameter.high;
    }
    input.measured = measurement_of(settings.measured.string(), *input.settings.traces,
                                    columns.sensors, end, least_shift, most_shift, settings.masks,
                                    settings.component, frees_any(settings.bounds, offset_key));
    const std::vector<std::string> of_scenario = job->warnings();
    input.measured.warnings.insert(input.measured.warnings.begin(), of_scenario.begin(),
                                   of_scenario.end());
    if (!input.clock_search.empty()) input.measured.warnings.push_back(input.clock_search);
    check_options(settings, input.body, columns.sensors);
    if (!settings.noise.empty() && settings.noise.size() != 1 &&
        settings.noise.size() != input.measured.traces.size()) {
        throw InputError(
            fmt::format("--noise: {} numbers; expected one, or one for each of the {} traces",
                        settings.noise.size(), input.measured.traces.size()));
    }

    add_sensors(input);
    const auto require_free = [&](const char* option, const std::string& key) {
        if (std::ranges::find(input.parameters, key, &FreeParameter::key) == input.parameters.end())
            throw InputError(
                fmt::format("{} {}: is not a free parameter; give its --bounds", option, key));
    };
    for (const std::string& key : settings.profile_likelihood)
        require_free("--profile-likelihood", key);
    for (const KeyPrior& prior : settings.priors)
        require_free("--prior", prior.key);
    for (const auto& [key, start] : settings.starts)
        require_free("--start", key);
    // Samples as dense as those of the measurement, so that interpolation errors are small.
    const auto& times = input.measured.time;
    const double spacing = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
    constexpr double clearly_denser = 0.99;
    if (spacing < clearly_denser * input.interval)
        input.interval = std::max(spacing, std::min(input.interval, end / 20'000.0));
    return input;
}

}  // namespace beadwave::fit
