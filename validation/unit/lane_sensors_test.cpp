// Sensors of a chain in a lane: only the rows that may change a result are recorded.

#include "largest.hpp"
#include "observers/sensor_recorder.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace beadwave::validation::lane_sensors_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t sensors = 3, rows = 700;

/// Equal, or no time in both.
bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

struct Hump {
    double peak, height;
};
constexpr Hump humps[] = {{60.3, 2.0},   {180.7, 5.0},   {185.0, 5.0},
                          {330.0, 4.99}, {420.4, 5.004}, {560.0, 5.5}};

/// Force and velocity of a sensor: waves of different heights, flat tops, long quiet times.
double force_at(std::size_t sensor, std::size_t row) {
    const double t = static_cast<double>(row) - 40.0 * static_cast<double>(sensor);
    Largest force;
    for (const Hump& hump : humps) {
        const double a = (t - hump.peak) / 25.0;
        force.enter(std::min(hump.height * (1.0 - a * a), 5.45));
    }
    return force;
}
double velocity_at(std::size_t sensor, std::size_t row) {
    const double t = static_cast<double>(row) - 40.0 * static_cast<double>(sensor);
    return t < 0.0 ? 0.0 : std::sin(t / 30.0) * (t < 400.0 ? 1.0 - 1e-4 * t : 1.1);
}

/// Lanes of a chain that is the second of four; two of its sensors are on one bead.
class Lane {
  public:
    /// Records a block of rows as lanes do that look at `group` rows at a time.
    void record(observers::SensorRecorder& recorder, std::size_t begin, std::size_t count,
                std::size_t group) {
        std::vector<double> known(3 * places * row, infinity), extremes(3 * places * row),
            found_at(extremes.size(), 1e9);
        const std::size_t third = places * row;
        recorder.set_limits(
            {row, place, &known[chain], &known[third + chain], &known[2 * third + chain]});
        // What is not recorded would be seen in every result.
        std::vector<double> force(places * count * row, 1e9), velocity(force.size(), -1e9);
        std::vector<std::size_t> first(places, count);
        for (std::size_t p = 0; p < places; ++p) {
            const std::size_t extreme = p * row + chain;
            double& strongest = extremes[extreme] = -infinity;
            double& fastest = extremes[third + extreme] = -infinity;
            double& slowest = extremes[2 * third + extreme] = infinity;
            for (std::size_t k = 0; k < count; ++k) {
                const double f = force_at(p, begin + k), v = velocity_at(p, begin + k);
                const auto group_begin = static_cast<double>(k / group * group);
                if (f > strongest) strongest = f, found_at[extreme] = group_begin;
                if (v > fastest) fastest = v, found_at[third + extreme] = group_begin;
                if (v < slowest) slowest = v, found_at[2 * third + extreme] = group_begin;
                if (strongest > known[extreme] || fastest > known[third + extreme] ||
                    slowest < known[2 * third + extreme])
                    first[p] = std::min(first[p], k / group * group);
            }
            for (std::size_t k = 0; k < count; ++k) {
                if (k + 1 < first[p] && k + 1 < count) continue;
                ++recorded;
                force[(p * count + k) * row + chain] = force_at(p, begin + k);
                velocity[(p * count + k) * row + chain] = velocity_at(p, begin + k);
            }
        }
        recorder.record({.rows = count,
                         .row = row,
                         .place = place,
                         .first = first.data(),
                         .force = &force[chain],
                         .velocity = &velocity[chain],
                         .strongest = &extremes[chain],
                         .fastest = &extremes[third + chain],
                         .slowest = &extremes[2 * third + chain],
                         .strongest_row = &found_at[chain],
                         .fastest_row = &found_at[third + chain],
                         .slowest_row = &found_at[2 * third + chain]});
    }

    std::size_t recorded = 0;
    static constexpr std::size_t place[sensors] = {1, 0, 1}, places = 2;

  private:
    static constexpr std::size_t row = 4, chain = 1;
};

}  // namespace

TEST_CASE("sensors in a lane have the results of all rows from those beyond the limits") {
    for (const std::size_t block : {1, 7, 50, 250}) {
        for (const std::size_t group : {1, 8, 250}) {
            CAPTURE(block);
            CAPTURE(group);
            observers::SensorRecorder all({4, 2, 4}, 1e-7, 1e-8, 1);
            observers::SensorRecorder some({4, 2, 4}, 1e-7, 1e-8, 1);
            std::vector<double> force, velocity;
            Lane lane;
            for (std::size_t begin = 0; begin < rows; begin += block) {
                const std::size_t count = std::min(block, rows - begin);
                force.clear(), velocity.clear();
                for (std::size_t k = begin; k < begin + count; ++k) {
                    for (const std::size_t p : Lane::place) {
                        force.push_back(force_at(p, k));
                        velocity.push_back(velocity_at(p, k));
                    }
                }
                all.record(static_cast<std::int64_t>(begin), force, velocity, nullptr);
                lane.record(some, begin, count, group);
                const auto expected = all.results(), found = some.results();
                for (std::size_t s = 0; s < sensors; ++s) {
                    CHECK(found[s].peak_force == expected[s].peak_force);
                    CHECK(same(found[s].arrival_time, expected[s].arrival_time));
                    CHECK(found[s].peak_velocity == expected[s].peak_velocity);
                    CHECK(same(found[s].peak_velocity_time, expected[s].peak_velocity_time));
                }
            }
            if (block == 50 && group == 8) CHECK(lane.recorded < Lane::places * rows * 2 / 3);
        }
    }
}

}  // namespace beadwave::validation::lane_sensors_test
