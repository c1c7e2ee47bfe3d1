// The 70-bead steel chain, compared with an independent velocity-Verlet program (described in
// chain70.csv).

#include "chain/build_chain.hpp"
#include "relative.hpp"
#include "running/chain_system.hpp"
#include "scenarios.hpp"
#include "table.hpp"

namespace beadwave::validation::chain70_test {

TEST_CASE("the 70-bead steel chain has the independent program's peaks and arrival times") {
    for (const std::string law : {"hertz", "ma-liu"}) {
        CAPTURE(law);
        chain::Scenario scenario =
            steel_chain(71, 1.77, law_settings(law, {{"psi", 2.84}, {"xi", 13.0}}), 700e-6);
        scenario.time.step = 1e-8;
        scenario.sensors = scenario::Sensors{.ids = {}, .interval = 1e-7};
        std::vector<Row> rows;
        for (const Row& row : table("papers/wangliu2022/chain70.csv")) {
            if (row.at("law") != law) continue;
            rows.push_back(row);
            scenario.sensors->ids.push_back(std::stoll(row.at("bead")));
        }
        REQUIRE(rows.size() == 4);

        // The peak of the contact between bead-1 and bead. The ledger is sampled at every step.
        chain::Chain chain = chain::build_chain(scenario);
        const auto step = running::choose_time_step(scenario, chain);
        const auto engine = dynamics::make_tiled_engine(chain, step.step, 1);
        std::vector<double> contact_peak(rows.size(), 0.0);
        dynamics::SensorTrace none;
        for (std::int64_t s = 0; s < step.count; ++s) {
            engine->advance(1, none);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const auto bead = static_cast<std::size_t>(scenario.sensors->ids[i]);
                contact_peak[i] = std::max(contact_peak[i], engine->contact_force()[bead]);
            }
        }

        const Finished finished = run(scenario);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            CAPTURE(rows[i].at("bead"));
            const observers::SensorResult& sensor = finished.result.sensors[i];
            // Five digits are printed. The steps of the two programs differ by a factor of five.
            CHECK_RELATIVE(sensor.peak_force, number(rows[i], "peak_sensor_force_N"), 5e-5);
            CHECK_RELATIVE(contact_peak[i], number(rows[i], "peak_contact_force_N"), 5e-5);
            CHECK_RELATIVE(sensor.peak_velocity, number(rows[i], "peak_velocity_m_per_s"), 5e-5);
            CHECK_ABSOLUTE(sensor.arrival_time * 1e6, number(rows[i], "peak_sensor_force_time_us"),
                           0.0055);
        }
        const double left = finished.result.ledger.kinetic / finished.result.ledger.initial;
        CHECK_RELATIVE(left, law == "hertz" ? 1.0 : 0.047098, law == "hertz" ? 1e-8 : 1e-5);
    }
}

}  // namespace beadwave::validation::chain70_test
