// The arrival time: which hump of a force counts.

#include "observers/arrival.hpp"

#include "largest.hpp"
#include "observers/comparison.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace beadwave::validation::arrival_test {

namespace {

double arrival_of(const std::vector<double>& force) {
    observers::Arrival arrival;
    for (const double f : force)
        arrival.add(f);
    return arrival.step();
}

/// A quiet start, then two humps of these heights with peaks at 400 and 500.3.
std::vector<double> two_humps(double first, double second, double quiet = 0.0) {
    std::vector<double> force;
    for (int i = 0; i < 1000; ++i) {
        const double a = (i - 400.0) / 40.0, b = (i - 500.3) / 40.0;
        force.push_back(quiet + std::max({first * (1.0 - a * a), second * (1.0 - b * b), 0.0}));
    }
    return force;
}

double measured_arrival(const std::vector<double>& force) {
    std::vector<double> time;
    for (std::size_t i = 0; i < force.size(); ++i)
        time.push_back(static_cast<double>(i));
    return observers::measured_peak(time, force).time;
}

/// Normally distributed noise from a fixed sequence: the sum of twelve uniform numbers.
class Noise {
  public:
    double operator()() {
        double sum = -6.0;
        for (int k = 0; k < 12; ++k) {
            state_ = state_ * 6364136223846793005U + 1442695040888963407U;
            sum += static_cast<double>(state_ >> 11) * 0x1p-53;
        }
        return sum;
    }

  private:
    std::uint64_t state_ = 1;
};

}  // namespace

TEST_CASE("the arrival of a single hump is its largest value, between samples by a parabola") {
    std::vector<double> force;
    for (int i = 0; i < 20; ++i)
        force.push_back(5.0 - 0.1 * (i - 7.3) * (i - 7.3));
    CHECK_RELATIVE(arrival_of(force), 7.3, 1e-13);
    CHECK(arrival_of({0, 1, 3, 3, 1, 0}) == 2.5);
    CHECK(arrival_of({0, 1, 1, 2, 0}) == 3.0 + 0.5 * (1.0 - 0.0) / (1.0 - 4.0 + 0.0));
}

TEST_CASE("without a complete hump nothing has arrived: no time, and not zero") {
    CHECK(std::isnan(arrival_of({5, 4, 3})));     // only falls
    CHECK(std::isnan(arrival_of({0, 1, 4, 9})));  // has not come to its peak
    CHECK(std::isnan(arrival_of({0, 0, 0})));
    CHECK(std::isnan(arrival_of({0})));
    CHECK(std::isnan(arrival_of({0, 1, 3, 3})));
    // The rise at the end is no hump yet, the one before it is.
    CHECK(arrival_of({0, 1, 0, 2, 4}) == 1.0);
    // A static force of 10 N that rounding moves, and one that a pulse of 1e-7 of it reaches.
    CHECK(std::isnan(arrival_of({10, 10 * (1 + 1e-15), 10, 10 * (1 + 1e-13), 10})));
    CHECK_ABSOLUTE(arrival_of({10, 10, 10 + 1e-6, 10, 10}), 2.0, 1e-9);
}

TEST_CASE("an arrival at a later, higher hump knows the first one, unless that is a hundredth") {
    const auto earlier = [](const std::vector<double>& force) {
        observers::Arrival arrival;
        for (const double f : force)
            arrival.add(f);
        return arrival.earlier_step();
    };
    CHECK_ABSOLUTE(earlier(two_humps(1.0, 2.0)), 400.0, 1e-9);
    CHECK_ABSOLUTE(earlier(two_humps(0.011, 1.0)), 400.0, 1e-9);
    CHECK(std::isnan(earlier(two_humps(0.009, 1.0))));
    CHECK(std::isnan(earlier(two_humps(1.0, 1.0))));  // the arrival is the first
    CHECK(std::isnan(earlier({0, 0})));
    // Of many humps the first counts that is worth a mark beside the last: 1, 300, 301, 302.
    CHECK(earlier({0, 1, 0, 300, 0, 301, 0, 303, 0}) == 3.0);
    CHECK(earlier({0, 200, 0, 300, 0, 301, 0, 303, 0}) == 1.0);
}

TEST_CASE("with a threshold the arrival is where the force first exceeds that of the start by it") {
    const auto arrival_at = [](double threshold, const std::vector<double>& force) {
        observers::Arrival stepwise(threshold), blockwise(threshold);
        Largest largest;
        for (const double f : force) {
            stepwise.add(f);
            largest.enter(f);
        }
        blockwise.add(force.data(), force.size(), 1, largest);
        if (!std::isnan(stepwise.step())) CHECK(blockwise.step() == stepwise.step());
        CHECK(std::isnan(blockwise.step()) == std::isnan(stepwise.step()));
        return stepwise.step();
    };
    // A ramp of 0.5 N a step from 7 N, which begins at step 10: 2.25 N above it at 14.5.
    std::vector<double> ramp;
    for (int i = 0; i < 40; ++i)
        ramp.push_back(7.0 + 0.5 * std::max(0.0, i - 10.0));
    CHECK_ABSOLUTE(arrival_at(2.25, ramp), 14.5, 1e-12);
    CHECK(std::isnan(arrival_at(20.0, ramp)));
    // Humps do not matter.
    CHECK_ABSOLUTE(arrival_at(0.5, {0, 1, 0, 5, 0}), 0.5, 1e-12);
    std::vector<double> time;
    for (std::size_t i = 0; i < ramp.size(); ++i)
        time.push_back(1e-3 * static_cast<double>(i));
    CHECK_ABSOLUTE(observers::threshold_time(time, ramp, 2.25), 14.5e-3, 1e-15);
    CHECK(std::isnan(observers::threshold_time(time, ramp, 20.0)));
}

TEST_CASE("of two humps the first is the arrival, unless the second is clearly higher") {
    for (const double second : {0.5, 1.0 - 1e-14, 1.0, 1.0 + 1e-14, 1.0009}) {
        CAPTURE(second);
        CHECK_ABSOLUTE(arrival_of(two_humps(1.0, second)), 400.0, 1e-9);
        CHECK_ABSOLUTE(measured_arrival(two_humps(1.0, second)), 400.0, 1e-9);
    }
    for (const double second : {1.0015, 2.0}) {
        CAPTURE(second);
        CHECK_ABSOLUTE(arrival_of(two_humps(1.0, second)), 500.3, 1e-9);
        CHECK_ABSOLUTE(measured_arrival(two_humps(1.0, second)), 500.3, 1e-9);
    }
}

TEST_CASE("the height of a hump counts from the start, not from zero force, in a squeezed chain") {
    // 1 mN on 10 N.
    CHECK_ABSOLUTE(arrival_of(two_humps(1e-3, 1.01e-3, 10.0)), 500.3, 1e-6);
    CHECK_ABSOLUTE(arrival_of(two_humps(1e-3, 1.0005e-3, 10.0)), 400.0, 1e-6);
    CHECK_ABSOLUTE(measured_arrival(two_humps(1e-3, 1.01e-3, 10.0)), 500.3, 1e-6);
    CHECK_ABSOLUTE(measured_arrival(two_humps(1e-3, 1.0005e-3, 10.0)), 400.0, 1e-6);
}

TEST_CASE(
    "an arrival found block by block, and saved between blocks, equals that found step by step") {
    const std::vector<double> signal = {0, 0, 1, 1,     2,      2, 4, 1, 4.0005, 0, 4.003,
                                        2, 5, 5, 5.001, 5.0011, 3, 0, 6, 6.0001, 5, 6.1};
    for (std::size_t end = 1; end <= signal.size(); ++end) {
        for (std::size_t length = 1; length <= end; ++length) {
            CAPTURE(end);
            CAPTURE(length);
            observers::Arrival stepwise, blockwise;
            for (std::size_t begin = 0; begin < end; begin += length) {
                const std::size_t steps = std::min(length, end - begin);
                std::vector<double> column;  // every second number of a trace with two sensors
                Largest largest;
                for (std::size_t i = begin; i < begin + steps; ++i) {
                    stepwise.add(signal[i]);
                    largest.enter(signal[i]);
                    column.insert(column.end(), {signal[i], 1e6});
                }
                blockwise.add(column.data(), steps, 2, largest);
                Archive saved;
                blockwise.serialize(saved);
                Archive restored(saved.numbers());
                blockwise = {};
                blockwise.serialize(restored);
                CHECK(restored.exhausted());
            }
            CHECK(std::isnan(blockwise.step()) == std::isnan(stepwise.step()));
            if (!std::isnan(stepwise.step())) CHECK(blockwise.step() == stepwise.step());
            CHECK(std::isnan(blockwise.earlier_step()) == std::isnan(stepwise.earlier_step()));
            if (!std::isnan(stepwise.earlier_step()))
                CHECK(blockwise.earlier_step() == stepwise.earlier_step());
        }
    }
}

TEST_CASE("noise makes no humps: a measured arrival stays at the first of two equal ones") {
    // The peak is 40 samples wide on each side: noise of 1 % moves the largest sample by up to
    // about 40 sqrt(0.06) = 10, and either hump may have the largest sample.
    Noise noise;
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<double> both = two_humps(1.0, 1.0), one = two_humps(1.0, 0.5);
        for (std::size_t i = 0; i < both.size(); ++i) {
            const double n = 0.01 * noise();
            both[i] += n, one[i] += n;
        }
        CHECK_ABSOLUTE(measured_arrival(both), 400.0, 12.0);
        CHECK_ABSOLUTE(measured_arrival(one), 400.0, 12.0);
    }
}

}  // namespace beadwave::validation::arrival_test
