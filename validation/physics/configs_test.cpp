// Every scenario in configs/ runs, its waves reach its sensors, and the guide lists it.

#include "config_runs.hpp"
#include "program.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::validation::configs_test {

TEST_CASE("every scenario in configs runs, its waves reach its sensors, and the guide lists it") {
    const std::string guide = read_file(BEADWAVE_SOURCE_DIR "/docs/GUIDE.md");
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(configs_folder)) {
        const std::filesystem::path& path = entry.path();
        CAPTURE(path.filename().string());
        if (path.extension() == ".csv" || path.extension() == ".stl")
            continue;  // read by a scenario
        REQUIRE(path.extension() == ".toml");
        ++count;
        CHECK(guide.find("configs/" + path.filename().string()) != std::string::npos);

        // packing_configs_test.cpp tests the sensors of packings in more detail.
        // Mechanisms have contacts instead of sensors: configs_mechanisms_test.cpp.
        const std::string text = read_file(path);
        if (text.find("[[particles]]") != std::string::npos ||
            text.find("[[body]]") != std::string::npos)
            continue;
        const io::ReadScenario read = io::read_scenario(path, {});
        CHECK(read.warnings.empty());
        CHECK(!read.scenario.title.empty());
        REQUIRE(read.scenario.sensors);
        CHECK(read.scenario.snapshot_interval);
        const Finished finished = run(read.scenario);
        CHECK(!finished.result.stopped);
        // The bound is for the longest step here, 1/76 of a contact in long_chain. The other runs
        // are below 1e-6.
        CHECK(finished.result.largest_relative_energy_error < 1e-4);
        for (const observers::SensorResult& sensor : finished.result.sensors) {
            CAPTURE(sensor.body);
            // Waves in bonds and between magnets close no contact.
            if (text.find("[[bond]]") == std::string::npos &&
                text.find("[[pair_force]]") == std::string::npos)
                CHECK(sensor.peak_force > 0.0);
            // A peak at the last step means that the wave is still rising. Without a contact
            // nothing arrives.
            if (sensor.peak_force == 0.0) {
                CHECK(std::isnan(sensor.arrival_time));
                continue;
            }
            CHECK(sensor.arrival_time < read.scenario.time.end - 2.0 * finished.time_step.step);
        }
    }
    CHECK(count >= 16);
}

}  // namespace beadwave::validation::configs_test
