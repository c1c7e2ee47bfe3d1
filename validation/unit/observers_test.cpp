// Peaks, sampling schedules, ordered sums.

#include "largest.hpp"
#include "observers/comparison.hpp"
#include "observers/peak.hpp"
#include "packing/ordered_sum.hpp"
#include "recording/schedule.hpp"
#include "relative.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace beadwave::validation::observers_test {

TEST_CASE("a peak between two samples is that of the parabola through three samples") {
    observers::Peak peak;
    for (int i = 0; i < 20; ++i)
        peak.add(5.0 - 0.1 * (i - 7.3) * (i - 7.3));
    CHECK_RELATIVE(peak.value(), 5.0, 1e-14);
    CHECK_RELATIVE(peak.step(), 7.3, 1e-13);
}

TEST_CASE("a peak at the first or the last sample is that sample") {
    observers::Peak falling, rising;
    for (int i = 0; i < 5; ++i) {
        falling.add(5.0 - i);
        rising.add(i * i);
    }
    CHECK(falling.value() == 5.0);
    CHECK(falling.step() == 0.0);
    CHECK(rising.value() == 16.0);
    CHECK(rising.step() == 4.0);
}

TEST_CASE("a peak found block by block is the peak found step by step") {
    // Rises over several blocks, equal samples, peaks at either end of a block; also in reverse.
    const std::vector<double> signal = {0, 0, 1, 3, 3, 2,  4,  1,  5, 6, 6,
                                        2, 7, 8, 1, 0, -2, -9, -3, 1, 8, 2};
    for (const double sign : {1.0, -1.0}) {
        for (std::size_t length = 1; length <= signal.size(); ++length) {
            observers::Peak stepwise, blockwise;
            for (std::size_t begin = 0; begin < signal.size(); begin += length) {
                const std::size_t steps = std::min(length, signal.size() - begin);
                std::vector<double> column;  // every second number of a trace with two sensors
                Largest largest;
                for (std::size_t i = 0; i < steps; ++i) {
                    stepwise.add(sign * signal[begin + i]);
                    largest.enter(sign * signal[begin + i]);
                    column.insert(column.end(), {signal[begin + i], 1e6});
                }
                blockwise.add(column.data(), steps, 2, sign, largest);
                CHECK(blockwise.value() == stepwise.value());
                CHECK(blockwise.step() == stepwise.step());
            }
        }
    }
}

TEST_CASE("samples fall on the steps nearest to the multiples of the interval, each once") {
    recording::Schedule schedule(1e-7, 3e-8);
    std::vector<std::int64_t> sampled;
    for (std::int64_t step = 0; step <= 34; ++step) {
        if (!schedule.due(step)) continue;
        sampled.push_back(step);
        schedule.done(step);
    }
    CHECK(sampled == std::vector<std::int64_t>{0, 3, 7, 10, 13, 17, 20, 23, 27, 30, 33});
}

TEST_CASE("an interval below one step samples every step") {
    recording::Schedule schedule(1e-9, 1e-8);
    for (std::int64_t step = 0; step < 5; ++step) {
        CHECK(schedule.due(step));
        schedule.done(step);
    }
}

TEST_CASE("samples fall on rounded multiples, halves upwards, for any ratio of interval and step") {
    for (const double ratio : {1.0, 1.5, 2.5, 3.0, 10.0 / 3.0, 7.4999999999999991, 1e6 + 0.5}) {
        recording::Schedule schedule(ratio, 1.0);
        for (std::int64_t sample = 1; sample < 2000; ++sample) {
            schedule.done(schedule.next());
            CHECK(schedule.next() == std::llround(static_cast<double>(sample) * ratio));
        }
    }
}

TEST_CASE("threads change no bit of an ordered sum") {
    for (const std::size_t count : {std::size_t{0}, std::size_t{700}, std::size_t{40'001}}) {
        const auto term = [](std::size_t i) {
            const double x = std::sin(static_cast<double>(i));
            return std::array{x, 1e9 * x * x * x};
        };
        const auto expected = packing::ordered_sums<2>(count, term);
        CHECK(packing::ordered_sums<2>(count, term, 3) == expected);
    }
}

TEST_CASE("an ordered sum loses nothing to large terms that cancel") {
    const std::size_t count = 3 * 512;
    const double sum = packing::ordered_sum(count, [](std::size_t i) {
        if (i == 0) return 1e16;
        if (i == 1024) return -1e16;
        return i == 512 ? 1.0 : 0.0;
    });
    CHECK(sum == 1.0);
}

TEST_CASE("a measured peak is found between unequally spaced samples") {
    std::vector<double> time, force;
    for (const double t : {0.0, 1.0, 1.7, 2.9, 3.5, 5.0}) {
        time.push_back(t * 1e-6);
        force.push_back(40.0 - 3.0 * (t - 2.4) * (t - 2.4));
    }
    const auto peak = observers::measured_peak(time, force);
    CHECK_RELATIVE(peak.force, 40.0, 1e-12);
    CHECK_RELATIVE(peak.time, 2.4e-6, 1e-12);
}

TEST_CASE("an interval beyond any run is never due again") {
    for (const double interval : {1e9, 1e30, 1e308}) {
        recording::Schedule schedule(interval, 1e-12);
        CHECK(schedule.due(0));
        schedule.done(0);
        CHECK(schedule.next() > std::int64_t{9'000'000'000'000'000});
    }
}

}  // namespace beadwave::validation::observers_test
