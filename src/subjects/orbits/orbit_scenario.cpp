#include "subjects/orbits/orbit_scenario.hpp"

#include "beadwave/input_error.hpp"
#include "chain/impact_speed.hpp"
#include "io/durable/atomic_file.hpp"
#include "io/toml/toml_document.hpp"
#include "io/toml/toml_text.hpp"
#include "subjects/orbits/prepared.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::tasks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view head = "# A run that starts at an orbit found by beadwave.\n";

bool is_run_scenario(const fs::path& path) {
    std::string start(head.size(), '\0');
    std::ifstream(path, std::ios::binary)
        .read(start.data(), static_cast<std::streamsize>(start.size()));
    return start == head;
}

const io::ResultKind run_scenario{.name = "a scenario that beadwave orbit wrote",
                                  .is_one = is_run_scenario};

fs::path folder_of(const std::string& file) {
    return fs::weakly_canonical(fs::absolute(file)).parent_path();
}

/// The file of the orbit as the scenario of the run names it.
std::string orbit_file_of(const OrbitRequest& request) {
    return fs::proximate(fs::weakly_canonical(fs::absolute(request.output)),
                         folder_of(request.run_scenario))
        .string();
}

/// Settings that give the drives of the scenario the frequency of the orbit.
void add_drives(std::vector<std::string>& settings, const chain::Scenario& scenario,
                const chain::Chain& chain, double factor) {
    if (factor == 1.0) return;
    const auto set = [&](const std::string& key, double frequency) {
        settings.push_back(fmt::format("{}.frequency={}", key, factor * frequency));
    };
    if (chain.left_drive) set("boundary.left", 1.0 / chain.left_drive->period());
    if (chain.right_drive) set("boundary.right", 1.0 / chain.right_drive->period());
    for (std::size_t k = 0; k < scenario.elements.drives.size(); ++k)
        set(fmt::format("drive.{}", k), 1.0 / scenario.elements.drives[k].motion->period());
    for (std::size_t k = 0; k < scenario.elements.loads.size(); ++k) {
        const stepping::ForceSignal& force = scenario.elements.loads[k].force;
        if (!force.is_constant()) set(fmt::format("load.{}", k), 1.0 / force.period());
    }
}

/// The law of the orbit: in the run the velocities of its start would choose another one.
void add_impact_speed(std::vector<std::string>& settings, const chain::Scenario& scenario,
                      const chain::Chain& chain) {
    if (!scenario.law.is("impact_speed", "initial")) return;
    const double speed = chain::fastest_approach(scenario, chain).speed;
    if (speed > 0.0) settings.push_back(fmt::format("law.impact_speed={}", speed));
}

}  // namespace

void check_orbit_scenario(const OrbitRequest& request) {
    if (request.run_scenario.empty()) return;
    if (request.output.empty()) {
        throw InputError(fmt::format(
            "--run-scenario {}: starts at the file of the orbit; expected -o ORBIT.h5 with it",
            request.run_scenario));
    }
    if (request.travelling > 0)
        throw InputError("--run-scenario is for orbits; expected it without --travelling");
    if (!io::is_utf8(orbit_file_of(request))) {
        throw InputError(
            fmt::format("--run-scenario {}: names the file of -o, whose path must be "
                        "text in UTF-8; expected another path",
                        request.run_scenario));
    }
    io::check_output({request.run_scenario, request.overwrite}, run_scenario);
}

void check_orbit_scenario(const OrbitRequest& request, const jobs::ChainJob& job) {
    if (request.run_scenario.empty() || job.file_texts().empty()) return;
    if (folder_of(request.run_scenario) == folder_of(request.scenario)) return;
    throw InputError(
        fmt::format("--run-scenario {}: the scenario names files of its folder; "
                    "expected a name in {}",
                    request.run_scenario, folder_of(request.scenario).string()));
}

void write_orbit_scenario(const OrbitResult& result, const OrbitRequest& request) {
    if (request.run_scenario.empty()) return;
    const Prepared& prepared = *result.prepared;
    const orbits::Orbit& orbit = result.orbit;
    const orbits::PeriodMap& map = *prepared.map;
    std::vector<std::string> settings = request.overrides;
    // In place of the whole table that the scenario may have.
    settings.push_back("initial={file=" + nlohmann::json(orbit_file_of(request)).dump() + "}");
    add_impact_speed(settings, prepared.job.scenario(), prepared.chain);
    settings.push_back(
        fmt::format("time.step={}", 1.0 / orbit.frequency / static_cast<double>(orbit.steps)));
    if (map.driven()) {
        const double now = orbit.frequency * static_cast<double>(result.periods);
        add_drives(settings, prepared.job.scenario(), prepared.chain, now / map.drive_frequency());
    }
    const std::string text = std::string(head) + io::load_toml(request.scenario, settings).text;
    io::AtomicFile file({request.run_scenario, request.overwrite}, run_scenario);
    file.write(text);
    file.commit();
}

}  // namespace beadwave::tasks
