#include "fit/subject.hpp"

#include "beadwave/input_error.hpp"
#include "fit/setting.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/read_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace beadwave::fit {
namespace {

std::vector<std::string> settings_of(const Task& task, const std::string& law) {
    std::vector<std::string> settings = task.request.settings;
    if (!law.empty()) settings.push_back("law.name=" + law);
    return settings;
}

/// The start, each bound alone, and all corners where they are few.
std::vector<std::vector<double>> points_of(const std::vector<double>& start,
                                           const Subject& subject) {
    std::vector<std::vector<double>> points{start};
    const std::size_t p = start.size();
    for (std::size_t k = 0; k < p; ++k) {
        for (const double bound : {subject.low[k], subject.high[k]}) {
            points.push_back(start);
            points.back()[k] = bound;
        }
    }
    constexpr std::size_t few = 4;
    const std::size_t corners = std::size_t{1} << std::min(p, few);
    for (std::size_t corner = 0; p > 1 && corner < corners; ++corner) {
        points.emplace_back(p);
        for (std::size_t k = 0; k < p; ++k)
            points.back()[k] = (corner >> (k % few)) % 2 == 1 ? subject.high[k] : subject.low[k];
    }
    return points;
}

}  // namespace

Subject subject_of(const Task& task, const std::string& law) {
    Subject subject{.scenario = task.request.scenario,
                    .settings = settings_of(task, law),
                    .keys = {},
                    .low = {},
                    .high = {},
                    .threads = task.request.threads,
                    .stop = task.request.stop};
    std::vector<double> start;
    for (const Parameter& parameter : task.parameters) {
        if (parameter.role != Role::scenario) continue;
        subject.keys.push_back(parameter.key);
        subject.low.push_back(parameter.low);
        subject.high.push_back(parameter.high);
        start.push_back(parameter.start);
    }
    subject.settings.push_back(setting("sensors.interval", task.interval));
    const jobs::JobFile file(subject.scenario, subject.settings);
    double step = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& point : points_of(start, subject)) {
        std::vector<std::string> values;
        std::string words;
        for (std::size_t k = 0; k < point.size(); ++k) {
            values.push_back(setting(subject.keys[k], point[k]));
            words += (k == 0 ? "" : ", ") + values.back();
        }
        try {
            step = std::min(step, file.variant(values)->time_step());
        } catch (const InputError& error) {
            const std::string why = error.what();
            if (why.starts_with("--vary ")) throw;
            throw InputError(fmt::format("with --vary {}: {}", words, why));
        }
    }
    subject.settings.push_back(setting("time.step", step));
    return subject;
}

std::string scenario_with(const Task& task, const std::string& law,
                          const std::vector<Estimate>& estimates) {
    std::vector<std::string> settings = settings_of(task, law);
    for (std::size_t k = 0; k < estimates.size(); ++k) {
        if (task.parameters[k].role == Role::scenario)
            settings.push_back(setting(estimates[k].key, estimates[k].value));
    }
    return io::load_toml(task.request.scenario, settings).text;
}

}  // namespace beadwave::fit
