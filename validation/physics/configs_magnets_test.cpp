// configs/: magnets that never touch, and crossed cylinders, compared with the equation of the
// travelling wave.

#include "config_runs.hpp"
#include "relative.hpp"
#include "travelling_wave.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::configs_magnets_test {

namespace {

struct Peak {
    double time = 0.0, velocity = 0.0;
};

/// The first peaks of the velocities of all sensors, through three samples each.
std::vector<Peak> velocity_peaks(const std::string& name, const std::vector<std::string>& overrides,
                                 Finished& finished) {
    std::vector<std::vector<double>> samples;
    std::vector<double> times;
    running::Sinks sinks;
    sinks.sensors = [&](std::int64_t, double time, std::span<const double>,
                        std::span<const double> velocity) {
        times.push_back(time);
        samples.resize(velocity.size());
        for (std::size_t s = 0; s < velocity.size(); ++s)
            samples[s].push_back(velocity[s]);
    };
    finished = run_config(name, overrides, sinks);
    std::vector<Peak> peaks;
    for (const std::vector<double>& v : samples) {
        const double most = *std::ranges::max_element(v);
        std::size_t k = 1;
        while (v[k] < 0.9 * most || v[k] < v[k + 1])
            ++k;
        const double curve = v[k + 1] - 2.0 * v[k] + v[k - 1];
        const double slope = 0.5 * (v[k + 1] - v[k - 1]), aside = -slope / curve;
        peaks.push_back({times[k] + aside * (times[1] - times[0]), v[k] + 0.5 * slope * aside});
    }
    return peaks;
}

/// The travelling wave with this peak velocity, by the secant rule for its largest compression.
TravellingWave wave_of(const std::function<double(double)>& push, double mass, double velocity,
                       double from, double to) {
    const auto miss = [&](double peak) {
        return TravellingWave(push, peak, mass).velocity(-0.5) - velocity;
    };
    double at_from = miss(from), at_to = miss(to);
    for (int k = 0; k < 12 && std::abs(at_to) > 1e-10 * velocity && from != to; ++k) {
        const double next = to - at_to * (to - from) / (at_to - at_from);
        from = to, at_from = at_to;
        to = next, at_to = miss(next);
    }
    return {push, to, mass};
}

}  // namespace

TEST_CASE("magnets: the push makes the solitary wave of its amplitude") {
    constexpr double spacing = 0.02, force = 0.5, exponent = 2.73, mass = 2e-3;
    const double k = exponent * force / spacing;
    CHECK_RELATIVE(k, 68.0, 5e-3);
    CHECK_RELATIVE(spacing * std::sqrt(k / mass), 3.69, 2e-3);

    Finished finished;
    const auto peaks = velocity_peaks("magnets", {"sensors.interval=2e-5"}, finished);
    const double speed = 20.0 * spacing / (peaks[2].time - peaks[1].time);
    const TravellingWave wave = wave_of(
        [&](double x) { return force * (std::pow(spacing / (spacing - x), exponent) - 1.0); }, mass,
        peaks[2].velocity, 0.2 * spacing, 0.3 * spacing);
    MESSAGE("speed ", speed, " m/s, of the travelling wave ", wave.speed() * spacing,
            "; peak velocity ", peaks[2].velocity, " m/s");
    CHECK_RELATIVE(speed, wave.speed() * spacing, 2e-5);
    CHECK_RELATIVE(speed, 4.84, 1e-3);               // as the head of the file says
    CHECK_RELATIVE(peaks[2].velocity, 1.746, 1e-3);  // it too
    CHECK_RELATIVE(finished.result.ledger.external_work, 9.21e-3, 1e-2);
    CHECK(finished.result.largest_relative_energy_error < 1e-6);
}

TEST_CASE("crossed_cylinders: the speed of the pulse over the angle is that of the ellipse") {
    // The axis ratio q of the ellipse by bisection, with elliptic integrals by the
    // arithmetic-geometric mean; then delta = F2 (F/((4/3) E* sqrt(R_e)))^(2/3).
    constexpr double pi = std::numbers::pi, radius = 3e-3;
    struct Integrals {
        double first, second;
    };
    const auto elliptic = [&](double k) {
        double a = 1.0, b = std::sqrt(1.0 - k * k), sum = 0.5 * k * k, power = 0.5;
        for (int n = 0; n < 8; ++n) {
            const double c = 0.5 * (a - b);
            const double next = 0.5 * (a + b);
            b = std::sqrt(a * b);
            a = next;
            power *= 2.0;
            sum += power * c * c;
        }
        return Integrals{0.5 * pi / a, 0.5 * pi / a * (1.0 - sum)};
    };
    const auto stiffness = [&](double angle) {  // over that at right angles
        const double sum = 1.0 / radius, difference = std::abs(std::cos(angle)) / radius;
        const double a = 0.5 * (sum - difference), b = 0.5 * (sum + difference);
        if (b - a < 1e-12 * sum) return 1.0;
        double low = 1e-4, high = 1.0 - 1e-9;
        for (int n = 0; n < 200; ++n) {
            const double q = 0.5 * (low + high);
            const auto [first, second] = elliptic(std::sqrt(1.0 - q * q));
            // B/A falls as the ellipse becomes round.
            ((second / (q * q) - first) / (first - second) > b / a ? low : high) = q;
        }
        const double q = 0.5 * (low + high), k = std::sqrt(1.0 - q * q);
        const auto [first, second] = elliptic(k);
        // With a the greater semi-axis: A = f (K - E)/k^2 and delta = f a^2 K, F ~ f a^3 (Johnson,
        // section 4.1, up to one factor), so F = delta^(3/2) (f K^3)^(-1/2) up to that factor.
        const double f = a * k * k / (first - second);
        const double at_circle = 0.5 * sum / (pi / 4.0);  // (K - E)/k^2 becomes pi/4
        return std::sqrt(at_circle * std::pow(0.5 * pi, 3)) / std::sqrt(f * std::pow(first, 3));
    };
    constexpr double modulus = 200e9 / (2.0 * (1.0 - 0.09));
    const double mass = 7800.0 * pi * radius * radius * 18e-3;
    const double hertz = 4.0 / 3.0 * modulus * std::sqrt(radius);
    double at_right_angles = 0.0;
    struct Row {
        double degrees, stiffness, speed;
    };
    for (const Row& row : {Row{90, 1.0, 1.0}, Row{60, 1.101, 1.039}, Row{45, 1.266, 1.099},
                           Row{30, 1.616, 1.212}, Row{20, 2.131, 1.353}}) {
        CAPTURE(row.degrees);
        const double angle = row.degrees * pi / 180.0, k = stiffness(angle);
        CHECK_RELATIVE(k, row.stiffness, 1e-3);  // as the head of the file says
        CHECK_RELATIVE(std::pow(k, 0.4), row.speed, 1e-3);
        Finished finished;
        std::vector<std::string> overrides{"sensors.interval=1e-7"};
        for (const char* segment : {"0", "1"})
            overrides.push_back(fmt::format("segment.{}.angle={}", segment, angle));
        const auto peaks = velocity_peaks("crossed_cylinders", overrides, finished);
        const double speed = 20.0 / (peaks[2].time - peaks[1].time);  // beads per second
        if (row.degrees == 90) {
            at_right_angles = speed;
            const TravellingWave wave =
                wave_of([&](double x) { return k * hertz * std::pow(std::max(x, 0.0), 1.5); }, mass,
                        peaks[2].velocity, 1e-6, 2e-6);
            CHECK_RELATIVE(speed, wave.speed(), 2e-4);
        }
        CHECK_RELATIVE(speed / at_right_angles, std::pow(k, 0.4), 2e-4);
    }
}

}  // namespace beadwave::validation::configs_magnets_test
