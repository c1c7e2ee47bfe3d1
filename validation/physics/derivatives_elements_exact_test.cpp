// Derivatives of chains whose beads carry something, by dual numbers, against closed forms: a
// driven oscillator on a foundation, a mass inside a bead, a bond that breaks, long waves in a
// chain of beads that repel each other.

#include "derivatives.hpp"
#include "largest.hpp"
#include "relative.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::derivatives_elements_exact_test {

namespace {

constexpr double pi = std::numbers::pi;

/// Two beads, of which the second is fixed, with a spring of 1e7 N/m between them that is pressed,
/// so that it also pulls: what is left of a mass on springs.
constexpr const char* oscillator = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
[[segment]]
beads = 2
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
[boundary]
right = "fixed"
[precompression]
force = 20.0
[law]
name = "hooke"
stiffness = 1e7
[time]
end = 2e-4
step = 2e-8
[sensors]
beads = [0]
interval = 1e-6
)";

/// Force of a sensor, by its index, over time [N] for given numbers.
using ClosedForm =
    std::function<double(std::size_t sensor, double time, const std::vector<double>& numbers)>;

/// The largest error of the derivatives over the largest derivative, for each number. Derivatives
/// of the closed form are central differences, to 1e-9. `counts`: the times that count.
std::vector<double> errors(const VariedScenario& chain, const ClosedForm& exact,
                           const std::function<bool(double)>& counts = {}) {
    const fit::Response response = chain.derivatives();
    CHECK(response.forces == chain.forces());
    const std::vector<double> values = chain.values();
    const std::size_t sensors = response.forces.size() / response.times.size();
    std::vector<double> all;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double h = 1e-5 * std::abs(values[k]);
        std::vector<double> above = values, below = values;
        above[k] += h;
        below[k] -= h;
        Largest largest, error;
        for (std::size_t i = 0; i < response.forces.size(); ++i) {
            const double time = response.times[i / sensors];
            if (counts && !counts(time)) continue;
            const std::size_t s = i % sensors;
            const double slope = (exact(s, time, above) - exact(s, time, below)) / (2.0 * h);
            largest.enter(std::abs(slope));
            error.enter(std::abs(slope - response.derivatives[i * values.size() + k]));
        }
        CHECK(largest > 0.0);
        all.push_back(error / largest);
    }
    return all;
}

}  // namespace

TEST_CASE("a driven oscillator on a foundation: derivatives equal the closed form") {
    const Folder folder;
    VariedScenario chain{.file = folder / "chain.toml", .settings = {}};
    write_file(chain.file, std::string(oscillator) + R"(
[[foundation]]
beads = [0, 0]
stiffness = 4e6
damping = 12.0
[[load]]
bead = 0
frequency = 2.2e4
amplitude = 3.0
)");
    chain.vary("foundation.0.stiffness", 4e6);
    chain.vary("foundation.0.damping", 12.0);
    chain.vary("load.0.frequency", 2.2e4);
    chain.vary("load.0.amplitude", 3.0);
    chain.vary("segment.0.mass", 0.45e-3);
    chain.vary("law.stiffness", 1e7);
    // m u'' + c u' + (k + K) u = F sin(2 pi f t) from rest; the sensor has half of 20 N + K u.
    const auto exact = [](std::size_t, double t, const std::vector<double>& n) {
        const double k = n[0] + n[5], c = n[1], w = 2.0 * pi * n[2], m = n[4];
        const std::complex<double> steady =
            n[3] / std::complex<double>(k - m * w * w, c * w) * std::polar(1.0, w * t);
        const std::complex<double> start = n[3] / std::complex<double>(k - m * w * w, c * w);
        const double decay = 0.5 * c / m, own = std::sqrt(k / m - decay * decay);
        const double u = -start.imag();
        const double v = -(std::complex<double>(0.0, w) * start).imag();
        const double transient = std::exp(-decay * t) * (u * std::cos(own * t) +
                                                         (v + decay * u) / own * std::sin(own * t));
        return 0.5 * (20.0 + n[5] * (steady.imag() + transient));
    };
    // Steps of 2e-8 s at 1.8e5 rad/s shift the phase by (w dt)^2/24 = 5e-7 of 36 rad, 2e-5 in
    // all; derivatives by stiffness and mass grow with the time as phases do.
    for (const double error : errors(chain, exact))
        CHECK_ABSOLUTE(error, 0.0, 5e-5);
}

TEST_CASE("a mass inside a bead: derivatives equal those of the two normal modes") {
    const Folder folder;
    VariedScenario chain{.file = folder / "chain.toml", .settings = {}};
    write_file(chain.file, std::string(oscillator) + R"(
[[resonator]]
beads = [0, 0]
mass = 0.3e-3
stiffness = 3e6
[[load]]
bead = 0
force = 2.0
)");
    chain.vary("resonator.0.mass", 0.3e-3);
    chain.vary("resonator.0.stiffness", 3e6);
    chain.vary("segment.0.mass", 0.45e-3);
    chain.vary("load.0.force", 2.0);
    // m u'' = -K u - k (u - x) + F, M x'' = k (u - x) from rest, because the start balances
    // 20 N without F. The motion about the deflected place F/K is a sum of two modes.
    const auto exact = [](std::size_t, double t, const std::vector<double>& n) {
        constexpr double contact = 1e7;
        const double a = (contact + n[1]) / n[2], b = n[1] / n[2], c = n[1] / n[0];
        // u'' = -a u + b x, x'' = c u - c x
        const double half = 0.5 * (a + c), root = std::sqrt(0.25 * (a - c) * (a - c) + b * c);
        const double fast = half + root, slow = half - root;  // squares of frequencies
        // x/u of each mode: (a - w^2) / b. Both start at -F/K.
        const double ratio_fast = (a - fast) / b, ratio_slow = (a - slow) / b;
        const double u0 = -n[3] / contact;
        const double in_slow = u0 * (1.0 - ratio_fast) / (ratio_slow - ratio_fast);
        const double u = in_slow * std::cos(std::sqrt(slow) * t) +
                         (u0 - in_slow) * std::cos(std::sqrt(fast) * t);
        return 0.5 * (20.0 + contact * (u - u0));
    };
    for (const double error : errors(chain, exact))
        CHECK_ABSOLUTE(error, 0.0, 5e-5);
}

TEST_CASE("a bond that breaks: derivatives of the blow that follows equal the closed form") {
    const Folder folder;
    VariedScenario chain{.file = folder / "chain.toml", .settings = {}};
    // Bead 0 leaves the fixed bead 1, breaks the bond and strikes the wall.
    write_file(chain.file, R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
[[segment]]
beads = 1
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
velocity = -1.0
[[segment]]
beads = 1
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
[[bond]]
stiffness = 2e6
strength = 20.0
[boundary]
left = { kind = "wall", gap = 2e-5 }
right = "fixed"
[law]
name = "hooke"
stiffness = 1e7
[time]
end = 5e-5
step = 1e-9
[sensors]
beads = [0]
interval = 1e-7
)");
    chain.vary("segment.0.velocity", -1.0);
    chain.vary("segment.0.mass", 0.45e-3);
    chain.vary("bond.0.stiffness", 2e6);
    chain.vary("bond.0.strength", 20.0);
    chain.vary("boundary.left.gap", 2e-5);
    const auto at_wall = [](const std::vector<double>& n) {
        const double speed = -n[0], m = n[1], k = n[2], x = n[3] / k;
        const double w = std::sqrt(k / m);
        const double later = std::sqrt(speed * speed - w * w * x * x);
        return std::array{std::asin(x * w / speed) / w + (n[4] - x) / later, later};
    };
    const auto exact = [&](std::size_t, double t, const std::vector<double>& n) {
        const auto [closing, speed] = at_wall(n);
        const double w = std::sqrt(1e7 / n[1]);
        const double phase = w * (t - closing);
        return phase > 0.0 && phase < pi ? 0.5 * 1e7 * speed / w * std::sin(phase) : 0.0;
    };
    const std::vector<double> values = chain.values();
    const double closing = at_wall(values)[0];
    const double opening = closing + pi * std::sqrt(values[1] / 1e7);
    REQUIRE(opening < 5e-5);
    const auto counts = [&](double t) {
        // Not within some steps of the kinks of the force.
        return std::abs(t - closing) > 1e-8 && std::abs(t - opening) > 1e-8;
    };
    // The bond breaks at a whole step of 1e-9 s, of 1.1e-5 s. Without the jump the error is of
    // order 1.
    for (const double error : errors(chain, exact, counts))
        CHECK_ABSOLUTE(error, 0.0, 1e-3);
}

TEST_CASE("beads that repel each other: derivatives of a long wave equal those of its speed") {
    const Folder folder;
    VariedScenario chain{.file = folder / "chain.toml", .settings = {}};
    // The velocity A w (1 - cos w t)^2 starts so gently that the front does not ring.
    const double amplitude = 1e-7, w = 2.0 * pi * 200.0;
    std::string rows = "time_s,displacement_m\n";
    for (int k = 0; k <= 1500; ++k) {
        const double t = 2e-6 * k;
        rows += fmt::format(
            "{:.17g},{:.17g}\n", t,
            amplitude * (1.5 * w * t - 2.0 * std::sin(w * t) + 0.25 * std::sin(2.0 * w * t)));
    }
    write_file(folder / "drive.csv", rows);
    // Springs of 1e5 N/m in the contacts show the strain of the wave.
    write_file(chain.file, R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
[[segment]]
beads = 120
radius = 2.5e-3
mass = 0.5e-3
material = "steel"
gap = -1e-6
[[pair_force]]
force = 800.0
distance = 5e-3
exponent = 3.4
[[drive]]
bead = 0
file = "drive.csv"
[boundary]
right = "fixed"
[law]
name = "hooke"
stiffness = 1e5
[time]
end = 3e-3
step = 2e-7
[sensors]
beads = [30, 60]
interval = 2e-5
)");
    chain.vary("pair_force.0.exponent", 3.4);
    chain.vary("pair_force.0.force", 800.0);
    chain.vary("segment.0.mass", 0.5e-3);
    // The displacement at x is that of bead 0 at the time t - x/c. A sensor has the mean of the two
    // contacts, which is K a/c times the velocity.
    const std::array<double, 2> sensors{30.0, 60.0};
    const double distance = 2.0 * 2.5e-3 - 1e-6;
    const auto speed = [&](const std::vector<double>& n) {
        const double k = 1e5 + n[0] * n[1] / distance * std::pow(5e-3 / distance, n[0]);
        return distance * std::sqrt(k / n[2]);
    };
    const auto exact = [&](std::size_t sensor, double time, const std::vector<double>& n) {
        const double c = speed(n);
        const double t = std::max(0.0, time - sensors[sensor] * distance / c);
        const double rise = 1.0 - std::cos(w * t);
        return 1e5 * (1e-6 + amplitude * w * rise * rise * distance / c);
    };
    // Waves have 180 beads per length.
    for (const double error : errors(chain, exact))
        CHECK_ABSOLUTE(error, 0.0, 5e-3);
}

}  // namespace beadwave::validation::derivatives_elements_exact_test
