// Chains of ellipsoids against a table of another program, quadrature, spheres and a packing.
#include "beadwave/input_error.hpp"
#include "beadwave/laws/hertz.hpp"
#include "chain/bead_shape.hpp"
#include "dynamics/plain_engine.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"
#include "subjects/chain/chain_reader.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::ellipsoid_chain_test {
namespace {

using std::numbers::pi;

constexpr double half = 0.70710678118654752;  // sqrt(1/2)

std::string list_of(const auto& numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}

/// The keys of a row of glass beads, of which the first flies at `speed`.
std::string row_of(int beads, const std::string& shape, double speed = 0.7,
                   const std::string& more = "", const std::string& law = "name = \"hertz\"") {
    const auto segment = [&](int count, double velocity) {
        return fmt::format("[[segment]]\nbeads = {}\nvelocity = {}\nmaterial = \"glass\"\n{}\n",
                           count, velocity, shape);
    };
    return "[material.glass]\nyoungs_modulus = 70e9\npoisson_ratio = 0.25\ndensity = 2500.0\n" +
           segment(1, speed) + segment(beads - 1, 0.0) + "[law]\n" + law + "\n[time]\nend = 1.0\n" +
           more;
}

chain::Scenario scenario_of(const std::string& text) {
    return io::read_scenario_text(text, "row.toml").scenario;
}

chain::Chain chain_of(const std::string& text) {
    return chain::build_chain(scenario_of(text));
}

double stiffness_of(const chain::Chain& chain) {
    return chain.contacts.at(1).respond(1e-6, 0.0, {}).force / 1e-9;
}

/// Turns this axis of the body (0, 1, 2) to the chain, then by `turn` about it.
std::array<double, 4> turned(std::size_t axis, double turn) {
    const shapes::Quaternion first = axis == 0   ? shapes::Quaternion{}
                                     : axis == 1 ? shapes::Quaternion{half, 0.0, 0.0, -half}
                                                 : shapes::Quaternion{half, 0.0, half, 0.0};
    const shapes::Quaternion q =
        shapes::Quaternion{std::cos(0.5 * turn), std::sin(0.5 * turn), 0.0, 0.0} * first;
    return {q.w, q.x, q.y, q.z};
}

struct Pulse {
    double beads_per_second, velocity;
};

Pulse pulse_in(const std::string& text, std::size_t from, std::size_t to) {
    chain::Scenario scenario = scenario_of(text);
    const chain::Chain chain = chain::build_chain(scenario);
    // Longer than the pulse needs.
    const double time =
        std::pow(chain.mass[0] * chain.mass[0] / std::pow(stiffness_of(chain), 2) / 0.4, 0.2);
    scenario.time.end = (static_cast<double>(to) + 4.0) * time / 0.85;
    const auto step = running::choose_time_step(scenario, chain);
    const auto engine = dynamics::make_tiled_engine(chain, step.step, 1);
    dynamics::SensorTrace none;
    std::array<std::vector<double>, 2> velocity;
    for (std::int64_t s = 0; s < step.count; s += 8) {
        engine->advance(8, none);
        velocity[0].push_back(engine->velocity()[from]);
        velocity[1].push_back(engine->velocity()[to]);
    }
    std::array<double, 2> peak_time{}, peak{};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::vector<double>& v = velocity[i];
        const auto k = static_cast<std::size_t>(std::ranges::max_element(v) - v.begin());
        REQUIRE((k > 0 && k + 1 < v.size()));
        const double curve = v[k + 1] - 2.0 * v[k] + v[k - 1];
        const double slope = 0.5 * (v[k + 1] - v[k - 1]), aside = -slope / curve;
        peak_time[i] = 8.0 * step.step * (static_cast<double>(k) + aside);
        peak[i] = v[k] + 0.5 * slope * aside;
    }
    return {.beads_per_second = static_cast<double>(to - from) / (peak_time[1] - peak_time[0]),
            .velocity = peak[1]};
}

/// K of F = K d^(3/2) for a gap A x^2 + B y^2, from the pressure p0 sqrt(1 - x^2/a^2 - y^2/b^2) on
/// an ellipse with a = 1 [Johnson, Contact Mechanics, section 3.5]. Its elliptic integrals are sums
/// over equal angles, which converge exponentially.
double elliptic_stiffness(double A, double B, double modulus) {
    if (A > B) std::swap(A, B);
    struct Displacement {
        double L, M, N;  ///< of (L - M x^2 - N y^2)/(pi E*), over p0
    };
    const auto displacement = [](double b) {
        constexpr int angles = 400;
        double K = 0.0, near = 0.0, far = 0.0;  // (K - E)/k^2 and (E - b^2 K)/k^2
        for (int i = 0; i < angles; ++i) {
            const double s = std::sin((i + 0.5) * 0.5 * pi / angles);
            const double root = std::sqrt(1.0 - (1.0 - b * b) * s * s);
            K += 1.0 / root;
            near += s * s / root;
            far += (1.0 - s * s) / root;
        }
        const double weight = 0.5 * pi / angles * pi * b;
        return Displacement{weight * K, weight * near, weight * far / (b * b)};
    };
    double low = 0.02, high = 1.0;
    for (int n = 0; n < 200; ++n) {
        const double b = 0.5 * (low + high);
        const Displacement d = displacement(b);
        (d.N / d.M > B / A ? low : high) = b;
    }
    const double b = 0.5 * (low + high);
    const Displacement d = displacement(b);
    const double p0 = pi * modulus * A / d.M;
    const double depth = p0 * d.L / (pi * modulus), force = 2.0 / 3.0 * p0 * pi * b;
    return force / std::pow(depth, 1.5);
}

}  // namespace

TEST_CASE("chains of ellipsoids have the stiffness, mass and pulse speed of the table") {
    Largest stiffness, mass, speed;
    for (const Row& row : table("shapes/ellipsoid_chain.csv")) {
        const std::array axes{number(row, "a_m"), number(row, "b_m"), number(row, "c_m")};
        const auto along = static_cast<std::size_t>(row.at("axis_along_chain")[0] - 'a');
        const double turn = number(row, "turn_deg") * pi / 180.0;
        const std::string body =
            fmt::format("shape = \"ellipsoid\"\nsemi_axes = {}\n", list_of(axes));
        const std::string by_angle =
            body + fmt::format("orientation = {}\nangle = {}", list_of(turned(along, 0.0)), turn);
        const std::string by_pattern =
            body + fmt::format("pattern = [{{ orientation = {} }}, {{ orientation = {} }}]",
                               list_of(turned(along, 0.3)), list_of(turned(along, 0.3 + turn)));
        const double K = number(row, "stiffness_N_per_m1.5");
        for (const std::string& shape : {by_angle, by_pattern}) {
            const chain::Chain chain = chain_of(row_of(4, shape));
            CHECK(chain.radius[1] == axes[along]);
            mass.enter(std::abs(chain.mass[1] / number(row, "mass_kg") - 1.0));
            for (const std::size_t contact : {2, 3}) {
                const double force = chain.contacts.at(contact).respond(1e-6, 0.0, {}).force;
                stiffness.enter(std::abs(force / (K * 1e-9) - 1.0));
            }
        }
        const Pulse pulse = pulse_in(row_of(32, by_angle), 18, 26);
        const double at_half =
            pulse.beads_per_second * 2.0 * axes[along] * std::pow(0.5 / pulse.velocity, 0.2);
        speed.enter(std::abs(at_half / number(row, "speed_m_per_s_at_bead_speed_0.5") - 1.0));
    }
    MESSAGE("stiffness differs by ", double(stiffness), ", mass by ", double(mass), ", speed by ",
            double(speed));
    CHECK(stiffness < 1e-13);
    CHECK(mass < 1e-14);
    CHECK(speed < 1e-6);
}

TEST_CASE("the pulse of ellipsoids has the speed of their elliptic stiffness, by quadrature") {
    // In units of 2 r and (m^2/(K^2 v))^(1/5) all these chains are one.
    const double modulus = 70e9 / (2.0 * (1.0 - 0.0625));
    Largest stiffness, speed, nesterenko;
    const double ball =
        pulse_in(row_of(24, "radius = 3e-3"), 14, 20).beads_per_second /
        std::pow(4.0 / 3.0 * modulus * std::sqrt(1.5e-3) / (2500.0 * 4.0 / 3.0 * pi * 27e-9), 0.4);
    for (const double aspect : {0.5, 0.8, 1.3, 2.0, 3.0}) {
        for (const double degrees : {0.0, 20.0, 45.0, 70.0, 90.0}) {
            const double r = 3e-3, p = aspect * r, q = 3.5e-3, angle = degrees * pi / 180.0;
            const std::string shape = fmt::format(
                "shape = \"ellipsoid\"\nsemi_axes = [{}, {}, {}]\nangle = {}", r, p, q, angle);
            // Half the sum of both curvatures, r/p^2 and r/q^2, one of them turned.
            const double mean = r / (p * p) + r / (q * q);
            const double spread = std::abs((r / (p * p) - r / (q * q)) * std::cos(angle));
            const double K =
                elliptic_stiffness(0.5 * (mean - spread), 0.5 * (mean + spread), modulus);
            const std::string text = row_of(24, shape);
            const chain::Chain chain = chain_of(text);
            stiffness.enter(std::abs(stiffness_of(chain) / K - 1.0));
            const double mass = 2500.0 * 4.0 / 3.0 * pi * r * p * q;
            const Pulse pulse = pulse_in(text, 14, 20);
            speed.enter(std::abs(pulse.beads_per_second / (ball * std::pow(K / mass, 0.4)) - 1.0));
            // Nesterenko's long wave: (16/25)^(1/5) (K^2 v/m^2)^(1/5) beads per second.
            nesterenko.enter(
                std::abs(pulse.beads_per_second /
                             std::pow(0.64 * K * K * pulse.velocity / (mass * mass), 0.2) -
                         1.0));
        }
    }
    MESSAGE("stiffness differs by ", double(stiffness), ", speed by ", double(speed),
            ", from the long wave by ", double(nesterenko));
    CHECK(stiffness < 1e-12);
    CHECK(speed < 1e-10);
    CHECK(nesterenko < 1e-2);
}

TEST_CASE("a chain of ellipsoids with equal axes is the chain of spheres, to the bit") {
    const std::string more = "[boundary]\nright = \"wall\"\n";
    for (const std::string law : {"name = \"hertz\"", "name = \"flores\"\nrestitution = 0.7",
                                  "name = \"jkr\"\nadhesion_energy = 0.2"}) {
        CAPTURE(law);
        const std::string ball =
            law.find("jkr") == std::string::npos ? "disorder = 0.1\nseed = 3\n" : "";
        const chain::Chain spheres = chain_of(row_of(12, ball + "radius = 2.7e-3", 0.7, more, law));
        const chain::Chain ellipsoids =
            chain_of(row_of(12,
                            ball + "shape = \"ellipsoid\"\nsemi_axes = [2.7e-3, 2.7e-3, 2.7e-3]\n"
                                   "orientation = [0.5, 0.1, -0.7, 0.2]\nangle = 0.4",
                            0.7, more, law));
        CHECK(spheres.mass == ellipsoids.mass);
        CHECK(spheres.radius == ellipsoids.radius);
        CHECK(spheres.contacts.columns() == ellipsoids.contacts.columns());
        dynamics::SensorTrace none;
        const auto first = dynamics::make_tiled_engine(spheres, 2e-8, 1);
        const auto second = dynamics::make_tiled_engine(ellipsoids, 2e-8, 1);
        first->advance(4000, none);
        second->advance(4000, none);
        double fastest = 0.0;
        for (std::size_t i = 0; i < 12; ++i) {
            CHECK(first->velocity()[i] == second->velocity()[i]);
            fastest = std::max(fastest, std::abs(first->velocity()[i]));
        }
        CHECK(fastest > 0.05);
    }
}

TEST_CASE("spheres, ellipsoids and crossed cylinders meet in one chain as Hertz's ellipse says") {
    const std::string text =
        "[material.glass]\nyoungs_modulus = 70e9\npoisson_ratio = 0.25\ndensity = 2500.0\n"
        "[[segment]]\nbeads = 1\nshape = \"sphere\"\nradius = 3e-3\nmaterial = \"glass\"\n"
        "[[segment]]\nbeads = 1\nshape = \"cylinder\"\nradius = 2e-3\nlength = 8e-3\nmaterial = "
        "\"glass\"\n"
        "[[segment]]\nbeads = 1\nshape = \"ellipsoid\"\nsemi_axes = [4e-3, 2e-3, 3e-3]\nangle = "
        "0.5\nmaterial = \"glass\"\n"
        "[boundary]\nright = \"wall\"\n[law]\nname = \"hertz\"\n[time]\nend = 1e-4\n";
    const chain::Chain chain = chain_of(text);
    const double modulus = 70e9 / (2.0 * (1.0 - 0.0625));
    const auto stiffness = [&](std::size_t c) {
        return chain.contacts.at(c).respond(1e-6, 0.0, {}).force / 1e-9;
    };
    const double ball = 1.0 / 3e-3, roller = 1.0 / 2e-3, p = 4e-3 / 4e-6, q = 4e-3 / 9e-6;
    CHECK_RELATIVE(stiffness(1), elliptic_stiffness(0.5 * ball, 0.5 * (ball + roller), modulus),
                   1e-10);
    CHECK_RELATIVE(stiffness(3), elliptic_stiffness(0.5 * p, 0.5 * q, modulus), 1e-10);
    // The cylinder bends along y alone, the ellipsoid along p and q, turned by 0.5 rad.
    const double c2 = std::cos(1.0), s2 = std::sin(1.0);
    const double mean = 0.5 * (roller + p + q);
    const double spread = 0.5 * std::hypot(roller + (p - q) * c2, (p - q) * s2);
    CHECK_RELATIVE(stiffness(2),
                   elliptic_stiffness(0.5 * (mean - spread), 0.5 * (mean + spread), modulus),
                   1e-10);
    CHECK_RELATIVE(chain.mass[1], 2500.0 * pi * 4e-6 * 8e-3, 1e-14);
    CHECK_RELATIVE(chain.positions()[2], 3e-3 + 2.0 * 2e-3 + 4e-3, 1e-14);
}

TEST_CASE("a row of ellipsoids in a packing moves as the chain") {
    constexpr int beads = 8;
    const double r = 3e-3, p = 4e-3, q = 2e-3, turn = 1.1, speed = 0.7;
    for (const std::string law : {"hertz", "tsuji"}) {
        packing::Packing row = shaped_packing(70e9, law);
        double place = 0.0;
        for (int i = 0; i < beads; ++i) {
            const auto orientation = turned(0, i % 2 == 0 ? 0.0 : turn);
            shapes::Body body =
                shapes::solid(shapes::Ellipsoid{.semi_axes = {r, p, q},
                                                .centre = {place, 0.0, 0.0},
                                                .orientation = {orientation[0], orientation[1],
                                                                orientation[2], orientation[3]}},
                              2500.0);
            body.velocity.x = i == 0 ? speed : 0.0;
            add_body(row, body);
            place += 2.0 * r;
        }
        const std::string shape = fmt::format(
            "shape = \"ellipsoid\"\nsemi_axes = [{}, {}, {}]\nangle = {}", r, p, q, turn);
        const chain::Chain chain = chain_of(row_of(
            beads, shape, speed, "",
            fmt::format("name = \"{}\"{}", law, law == "tsuji" ? "\nrestitution = 0.65" : "")));
        const double step = 1e-8;
        const auto line = dynamics::make_plain_engine(chain, step);
        const auto space = packing::make_packing_engine(row, step, 1);
        dynamics::SensorTrace none;
        Largest velocity, aside, spin, moving;
        for (int look = 0; look < 10; ++look) {
            line->advance(800, none);
            space->advance(800);
            for (std::size_t i = 0; i < beads; ++i) {
                const auto v = space->velocity()[i];
                velocity.enter(std::abs(v.x - line->velocity()[i]));
                aside.enter(std::max(std::abs(v.y), std::abs(v.z)));
                spin.enter(shapes::length(space->angular_velocity()[i]) * r);
                moving.enter(line->velocity()[beads - 1]);
            }
        }
        MESSAGE(law, ": velocities differ by ", double(velocity), " m/s, aside ", double(aside),
                ", spin ", double(spin));
        CHECK(moving > 0.1);
        CHECK(velocity < 1e-11);
        CHECK(aside < 1e-12);
        CHECK(spin < 1e-12);
    }
}

TEST_CASE("beads from a file have semi-axes, orientations and angles of their own") {
    const std::string head =
        "[material.glass]\nyoungs_modulus = 70e9\npoisson_ratio = 0.25\ndensity = 2500.0\n"
        "[[segment]]\nshape = \"ellipsoid\"\nfile = \"beads.csv\"\nmaterial = \"glass\"\n";
    const std::string tail = "[law]\nname = \"hertz\"\n[time]\nend = 1e-4\n";
    const auto chain_from = [&](const std::string& csv, const std::string& keys) {
        return chain::build_chain(
            io::read_scenario_text(head + keys + tail, "row.toml", {{"segment.0.file", csv}})
                .scenario);
    };
    const chain::Chain listed = chain_from(
        "a_m,b_m,c_m,qw,qx,qy,qz,gap_m\n"
        "3e-3,4e-3,2e-3,1,0,0,0,0\n"
        "2e-3,3e-3,5e-3,0.70710678118654752,0,0,-0.70710678118654752,1e-6\n",
        "");
    CHECK(listed.radius == std::vector{3e-3, 3e-3});
    CHECK(listed.gap[1] == 1e-6);
    CHECK_RELATIVE(listed.mass[1], 2500.0 * 4.0 / 3.0 * pi * 30e-9, 1e-14);
    // Of the first 3/16 and 3/4 per mm along y and z; of the second, y along the chain, 3/4 and
    // 3/25.
    const double modulus = 70e9 / (2.0 * (1.0 - 0.0625));
    CHECK_RELATIVE(
        stiffness_of(listed),
        elliptic_stiffness(0.5e3 * (3.0 / 16 + 3.0 / 4), 0.5e3 * (3.0 / 4 + 3.0 / 25), modulus),
        1e-10);
    const chain::Chain by_angle =
        chain_from("angle_rad,mass_kg\n0,1e-3\n1.1,2e-3\n", "semi_axes = [3e-3, 4e-3, 2e-3]\n");
    CHECK(by_angle.mass == std::vector{1e-3, 2e-3});
    CHECK_RELATIVE(stiffness_of(by_angle),
                   stiffness_of(chain_of(row_of(
                       3, "shape = \"ellipsoid\"\nsemi_axes = [3e-3, 4e-3, 2e-3]\nangle = 1.1"))),
                   1e-14);
}

}  // namespace beadwave::validation::ellipsoid_chain_test
