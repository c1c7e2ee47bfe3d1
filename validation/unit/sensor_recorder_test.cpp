// The recorder of sensors: peaks and samples, from any number of steps at a time.

#include "observers/sensor_recorder.hpp"

#include "relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace beadwave::validation::sensor_recorder_test {

namespace {

/// Keeps the samples of sensors, one by one or as they come.
struct SensorSamples : recording::Store {
    SensorSamples(const observers::SensorRecorder& from, bool takes_several)
        : recorder(from), together(takes_several) {}
    void sample(recording::Pace, std::int64_t step, double time) override {
        keep({&step, 1}, {&time, 1});
    }
    bool samples(recording::Pace, std::span<const std::int64_t> several,
                 std::span<const double> their_times) override {
        if (together) keep(several, their_times);
        return together;
    }
    void keep(std::span<const std::int64_t> more_steps, std::span<const double> more_times) {
        const auto add = [](auto& to, auto from) { to.insert(to.end(), from.begin(), from.end()); };
        add(steps, more_steps), add(times, more_times);
        add(force, recorder.force()), add(velocity, recorder.velocity());
    }

    const observers::SensorRecorder& recorder;
    bool together;
    std::vector<std::int64_t> steps;
    std::vector<double> times, force, velocity;
};

}  // namespace

TEST_CASE("sensors record the same from any number of steps at a time") {
    constexpr std::size_t all_rows = 1000;
    constexpr double time_step = 1e-8;
    for (const std::size_t count : {1U, 2U, 3U, 4U, 7U}) {
        for (const double interval : {1e-9, 3.3e-8, 4e-7}) {
            CAPTURE(count);
            CAPTURE(interval);
            std::vector<double> force, velocity;
            for (std::size_t i = 0; i < all_rows * count; ++i) {
                const double t = static_cast<double>(i / count), s = static_cast<double>(i % count);
                force.push_back(std::exp(-1e-4 * (t - 300.0 - 9 * s) * (t - 300.0 - 9 * s)));
                velocity.push_back(force.back() * std::cos(0.01 * t + s));
            }
            const auto run = [&](std::size_t at_a_time, bool together) {
                std::vector<std::int64_t> bodies(count);
                observers::SensorRecorder recorder(bodies, interval, time_step, 1);
                SensorSamples store(recorder, together);
                for (std::size_t row = 0; row < all_rows; row += at_a_time) {
                    const std::size_t numbers = std::min(at_a_time, all_rows - row) * count;
                    recorder.record(static_cast<std::int64_t>(row),
                                    std::span(force).subspan(row * count, numbers),
                                    std::span(velocity).subspan(row * count, numbers), &store);
                }
                Archive state;
                recorder.serialize(state);
                return std::tuple(store.steps, store.times, store.force, store.velocity,
                                  state.numbers());
            };
            const auto expected = run(1, false);
            const std::vector<std::int64_t>& steps = std::get<0>(expected);
            const std::vector<double>& forces = std::get<2>(expected);
            REQUIRE(forces.size() == count * steps.size());
            REQUIRE(steps.size() > 20);
            for (std::size_t k = 0; k < forces.size(); ++k) {
                const auto row = static_cast<std::size_t>(steps[k / count]);
                CHECK(forces[k] == force[row * count + k % count]);
            }
            for (const std::size_t at_a_time : {1U, 6U, 93U, 1000U}) {
                CAPTURE(at_a_time);
                CHECK(run(at_a_time, true) == expected);
                CHECK(run(at_a_time, false) == expected);
            }
        }
    }
}

TEST_CASE("a sensor says by how much a peak at a jump may be higher, and nothing of a smooth one") {
    const auto result = [](auto force_at) {
        observers::SensorRecorder recorder({0}, 1.0, 1.0, 1);
        std::vector<double> force;
        for (int step = 0; step < 100; ++step)
            force.push_back(force_at(static_cast<double>(step)));
        recorder.record(0, force, std::vector<double>(force.size(), 0.0), nullptr);
        return recorder.results({}).front();
    };
    // A jump to 1 at 10.7, and a decay to 1/e in 20 steps: 0.3 steps later the first sample.
    const auto sharp =
        result([](double t) { return t < 10.7 ? 0.0 : std::exp(-(t - 10.7) / 20.0); });
    CHECK_RELATIVE(sharp.peak_force, std::exp(-0.3 / 20.0), 1e-12);  // no parabola across the jump
    CHECK_RELATIVE(sharp.peak_force_missed, sharp.peak_force * (1.0 - std::exp(-0.05)), 1e-12);
    CHECK(sharp.peak_force + sharp.peak_force_missed > 1.0);
    const auto smooth = result([](double t) { return std::exp(-0.1 * (t - 20.3) * (t - 20.3)); });
    CHECK(smooth.peak_force_missed == 0.0);
    // A contact that breaks: the last sample is up to one step before.
    const auto broken = result([](double t) { return t > 30.7 ? 0.0 : t / 30.7; });
    CHECK_RELATIVE(broken.peak_force, 30.0 / 30.7, 1e-12);
    CHECK_RELATIVE(broken.peak_force_missed, 1.0 / 30.7, 1e-12);
}

}  // namespace beadwave::validation::sensor_recorder_test
