// Derivatives of what sensors read, by dual numbers through laws, memory and steps, against
// differences of the tiled engine's runs.

#include "beadwave/laws/catalogue.hpp"
#include "dynamics/tiled_engine.hpp"
#include "fit/motion.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "running/model.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace beadwave;
using namespace beadwave::validation;

namespace {

/// Six beads in 400 steps: the wave passes, and the first contacts open.
constexpr const char* six_beads = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
yield_stress = 900e6
[[segment]]
beads = 1
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
velocity = 1.77
[[segment]]
beads = 5
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
[law]
name = "hertz"
[time]
end = 6e-5
step = 1.5e-7
[sensors]
beads = [0, 1, 2, 3, 4]
interval = 1.5e-7
)";

using Settings = std::vector<std::string>;

struct Varied {
    std::string key;
    double value, low, high;
};

/// At the varied value, by dual numbers.
fit::Response by_dual_numbers(const std::filesystem::path& file, const Settings& settings,
                              const std::vector<Varied>& varied) {
    fit::Subject subject{.scenario = file, .settings = settings, .keys = {}, .low = {}, .high = {}};
    std::vector<double> values;
    for (const Varied& one : varied) {
        subject.keys.push_back(one.key);
        subject.low.push_back(one.low);
        subject.high.push_back(one.high);
        values.push_back(one.value);
    }
    std::string why;
    const auto motion = fit::by_dual_numbers(subject, why);
    CHECK_MESSAGE(motion != nullptr, why);
    return motion == nullptr ? fit::Response{} : motion->at(values, true);
}

/// Forces at every step of a run of the tiled engine.
std::vector<double> tiled_forces(const std::filesystem::path& file, Settings settings,
                                 const std::vector<Varied>& varied, std::size_t displaced,
                                 double by) {
    for (std::size_t k = 0; k < varied.size(); ++k)
        settings.push_back(fmt::format("{}={:.17e}", varied[k].key,
                                       varied[k].value + (k == displaced ? by : 0.0)));
    const chain::Scenario scenario = io::read_scenario(file, settings).scenario;
    const chain::Chain chain = running::build_chain(scenario);
    const dynamics::TimeStep step = running::choose_time_step(scenario, chain);
    const auto engine = dynamics::make_tiled_engine(chain, step.step, 1);
    dynamics::SensorTrace start, trace;
    for (const std::int64_t bead : scenario.sensors->ids)
        trace.beads.push_back(static_cast<std::size_t>(bead));
    start.beads = trace.beads;
    start.resize_rows(1);
    engine->sample(start);
    engine->advance(step.count, trace);
    std::vector<double> forces = start.force;
    forces.insert(forces.end(), trace.force.begin(), trace.force.end());
    return forces;
}

double largest(const std::vector<double>& numbers) {
    double size = 0.0;
    for (const double number : numbers)
        size = std::max(size, std::abs(number));
    return size;
}

/// The largest error of a parameter's derivatives over the largest of these: the smaller of two,
/// for a longer difference may reach over a kink, and a shorter one is rounded. Where the parameter
/// does nothing, over a hundred thousandth of the force for twice the parameter.
double error_of(const std::filesystem::path& file, const Settings& settings,
                const std::vector<Varied>& varied, std::size_t k, const fit::Response& response) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const double part : {1e-6, 1e-7}) {
        const double h = part * std::abs(varied[k].value);
        const auto above = tiled_forces(file, settings, varied, k, h);
        const auto below = tiled_forces(file, settings, varied, k, -h);
        REQUIRE(above.size() * varied.size() == response.derivatives.size());
        double error = 0.0, scale = 1e-5 * largest(above) / std::abs(varied[k].value);
        for (std::size_t i = 0; i < above.size(); ++i) {
            const double slope = (above[i] - below[i]) / (2.0 * h);
            scale = std::max(scale, std::abs(slope));
            error = std::max(error, std::abs(slope - response.derivatives[i * varied.size() + k]));
        }
        smallest = std::min(smallest, error / scale);
    }
    return smallest;
}

std::string text_of(const laws::Value& value) {
    if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.17e}", *number);
    return '"' + std::get<std::string>(value) + '"';
}

}  // namespace

TEST_CASE("derivatives by dual numbers are the differences of the tiled engine's runs, every law") {
    const Folder folder;
    write_file(folder / "chain.toml", six_beads);
    const auto file = folder / "chain.toml";
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.make) continue;
        Settings settings{"law.name=" + entry.name};
        std::vector<Varied> varied{{"segment.0.velocity", 1.77, 1.5, 2.0},
                                   {"material.steel.youngs_modulus", 193e9, 180e9, 210e9},
                                   {"segment.1.mass", 0.45e-3, 0.4e-3, 0.5e-3}};
        const laws::Settings standard = law_settings(entry.name);
        for (const laws::Parameter& p : entry.parameters) {
            const auto standing = standard.values.find(p.name);
            if (standing == standard.values.end() || p.name == "impact_speed") continue;
            laws::Value value = standing->second;
            // Of any exponent but one, no two bodies' own.
            if (p.name == "stiffness" && standard.values.contains("exponent")) value = 5e9;
            const std::string key = "law." + std::string(p.name);
            settings.push_back(key + "=" + text_of(value));
            const double* number = std::get_if<double>(&value);
            if (number == nullptr || *number == 0.0) continue;
            const double reach = 0.05 * std::abs(*number);  // inside of what the law allows
            const double low = std::max(p.lowest, *number - reach);
            const double high = std::min(p.highest, *number + reach);
            varied.push_back({key, 0.5 * (low + high), low, high});
        }
        CAPTURE(entry.name);
        const fit::Response response = by_dual_numbers(file, settings, varied);
        if (response.by.empty()) continue;
        CHECK(response.forces == tiled_forces(file, settings, varied, varied.size(), 0.0));
        for (std::size_t k = 0; k < varied.size(); ++k) {
            CAPTURE(varied[k].key);
            CHECK_ABSOLUTE(error_of(file, settings, varied, k, response), 0.0, 1e-6);
        }
    }
}
