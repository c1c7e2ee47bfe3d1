// `beadwave collide` with [[body]]: ellipsoids against tables of another program, a plain
// integration, two spheres as always, conservation laws, and what is refused.
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/contact.hpp"
#include "largest.hpp"
#include "laws/neck.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::shapes_collide_test {
namespace {

using nlohmann::json;
using Three = std::array<double, 3>;

Said collide(const std::string& text, const std::string& options = "--json") {
    const Folder folder;
    write_file(folder / "case.toml", text);
    return shell(folder, "beadwave collide case.toml " + options);
}

json result_of(const std::string& text) {
    const Said said = collide(text);
    REQUIRE_MESSAGE(said.status == 0, said.err, text);
    return json::parse(said.out);
}

std::string list(const Three& v) {
    return fmt::format("[{:.17e}, {:.17e}, {:.17e}]", v[0], v[1], v[2]);
}

Three cross(const Three& a, const Three& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Three& a, const Three& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Three sum(const Three& a, double factor, const Three& b) {
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
double size(const Three& a) {
    return std::sqrt(dot(a, a));
}

using Four = std::array<double, 4>;

/// The matrix of a unit quaternion times a vector; `back`: its transpose.
Three turned(const Four& q, const Three& v, bool back = false) {
    const auto [w, x, y, z] = q;
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    Three out{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            out[i] += (back ? r[j][i] : r[i][j]) * v[j];
    }
    return out;
}

const std::string glass = R"(
[material.glass]
youngs_modulus = 70e9
poisson_ratio = 0.25
density = 2500.0
yield_stress = 1e9
bulk_viscosity = 1e3
shear_viscosity = 1e3
)";

const std::string wall = R"(
[[wall]]
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "glass"
)";

const std::string hertz = "\n[law]\nname = \"hertz\"\n";

struct Given {
    Three axes;
    Three position, velocity{}, spin{};
    Four orientation{1.0, 0.0, 0.0, 0.0};
    std::array<double, 2> exponents{2.0, 2.0};  ///< others: a superellipsoid
};

std::string body(const Given& g) {
    const double norm = std::sqrt(dot({g.orientation[1], g.orientation[2], g.orientation[3]},
                                      {g.orientation[1], g.orientation[2], g.orientation[3]}) +
                                  g.orientation[0] * g.orientation[0]);
    return fmt::format(
        "\n[[body]]\n{}semi_axes = {}\nposition = {}\nvelocity = "
        "{}\nangular_velocity = {}\norientation = [{:.17e}, {:.17e}, {:.17e}, "
        "{:.17e}]\nmaterial = \"glass\"\n",
        g.exponents == Given{}.exponents
            ? std::string("shape = \"ellipsoid\"\n")
            : fmt::format("shape = \"superellipsoid\"\nexponents = [{:.17e}, {:.17e}]\n",
                          g.exponents[0], g.exponents[1]),
        list(g.axes), list(g.position), list(g.velocity), list(g.spin), g.orientation[0] / norm,
        g.orientation[1] / norm, g.orientation[2] / norm, g.orientation[3] / norm);
}

const Given tumbling{.axes = {4e-3, 2.5e-3, 2e-3},
                     .position = {1e-3, -2e-3, 4.5e-3},
                     .velocity = {0.3, -0.2, -1.5},
                     .spin = {60.0, -150.0, 80.0},
                     .orientation = {0.8, 0.1, 0.4, -0.2}};

/// The same with these exponents, higher above the wall.
Given tumbling_with(const std::array<double, 2>& exponents) {
    Given given = tumbling;
    given.exponents = exponents;
    given.position[2] = 6e-3;
    return given;
}

/// What moves of one body, for sums before and after.
struct Sums {
    Three momentum{}, angular{};
    double energy = 0.0;

    void add(const json& b, const Three& place, const Three& velocity, const Three& body_spin,
             const Four& orientation) {
        const double mass = b.at("mass");
        const Three moments = b.at("moments_of_inertia");
        const Three turning{moments[0] * body_spin[0], moments[1] * body_spin[1],
                            moments[2] * body_spin[2]};
        momentum = sum(momentum, mass, velocity);
        angular = sum(angular, mass, cross(place, velocity));
        angular = sum(angular, 1.0, turned(orientation, turning));
        energy += 0.5 * mass * dot(velocity, velocity) + 0.5 * dot(turning, body_spin);
    }
};

}  // namespace

TEST_CASE("collide gives the rebounds of ellipsoids from a wall that the table has") {
    std::map<std::string, Row> starts;
    for (const Row& row : table("shapes/ellipsoid_wall_impact.csv"))
        starts[row.at("case")] = row;
    Largest speeds, spins, times, works;
    for (const Row& row : table("shapes/ellipsoid_wall_finite.csv")) {
        const Row& start = starts.at(row.at("case"));
        const auto three = [](const Row& from, const char* x, const char* y, const char* z) {
            return Three{number(from, x), number(from, y), number(from, z)};
        };
        const Given given{.axes = three(start, "a_m", "b_m", "c_m"),
                          .position = {0.0, 0.0, number(start, "centre_height_m")},
                          .velocity = three(start, "vx", "vy", "vz"),
                          .spin = three(start, "wbx", "wby", "wbz"),
                          .orientation = {number(start, "qw"), number(start, "qx"),
                                          number(start, "qy"), number(start, "qz")}};
        std::string text = glass + body(given) + wall + hertz;
        text.replace(text.find("70e9"), 4, row.at("youngs_modulus_Pa"));
        const json hit = result_of(text);
        const json& after = hit.at("bodies").at(0);
        CHECK_RELATIVE(after.at("mass").get<double>(), number(start, "mass_kg"), 1e-14);
        CHECK_RELATIVE(hit.at("effective_mass").get<double>(), number(start, "effective_mass_kg"),
                       1e-12);
        const Three v = after.at("velocity"), w = after.at("angular_velocity");
        const Three wanted = three(row, "wbx_after", "wby_after", "wbz_after");
        speeds.enter(std::abs(v[2] - number(row, "vz_after")) /
                     (number(row, "accuracy_m_per_s") + 1e-10));
        spins.enter(size(sum(w, -1.0, wanted)) / size(wanted));
        times.enter(
            std::abs(hit.at("duration").get<double>() / number(row, "contact_time_s") - 1.0));
        works.enter(std::abs(hit.at("dissipated_energy").get<double>() /
                             hit.at("energy_before").get<double>()));
        CHECK_RELATIVE(v[0], number(start, "vx"), 1e-14);
    }
    MESSAGE("speeds ", double(speeds), " of the table's accuracy, spins ", double(spins),
            ", times ", double(times), ", work ", double(works));
    CHECK(speeds < 3.0);
    CHECK(spins < 1e-8);
    CHECK(times < 1e-8);
    CHECK(works < 1e-10);
}

namespace {

/// How far a superellipsoid reaches along a direction in its axes: the largest n.x on its surface,
/// by Hoelder's inequality; and the point there.
double reach_of(const Given& g, const Three& n, Three& point) {
    const double p = g.exponents[0], r = g.exponents[1];
    const double q = p / (p - 1.0), s = r / (r - 1.0);
    const Three y{g.axes[0] * n[0], g.axes[1] * n[1], g.axes[2] * n[2]};
    const double plane =
        std::pow(std::pow(std::abs(y[0]), q) + std::pow(std::abs(y[1]), q), 1.0 / q);
    const double h = std::pow(std::pow(plane, s) + std::pow(std::abs(y[2]), s), 1.0 / s);
    const double share = std::pow(plane / h, s - 1.0);
    for (const std::size_t i : {0U, 1U})
        point[i] =
            g.axes[i] * share * std::copysign(std::pow(std::abs(y[i]) / plane, q - 1.0), n[i]);
    point[2] = g.axes[2] * std::copysign(std::pow(std::abs(y[2]) / h, s - 1.0), n[2]);
    return h;
}

void check_eccentric_impact(const Given& given) {
    // Force K d^1.5 along the normal at the deepest point; classical Runge-Kutta steps of 1 ns.
    const json hit = result_of(glass + body(given) + wall + hertz);
    const json& after = hit.at("bodies").at(0);
    const double mass = after.at("mass");
    const Three moments = after.at("moments_of_inertia");
    if (given.exponents == Given{}.exponents) {
        const double volume = 4.0 / 3.0 * M_PI * 4e-3 * 2.5e-3 * 2e-3;
        CHECK_RELATIVE(mass, 2500.0 * volume, 1e-14);
        CHECK_RELATIVE(moments[0], mass * (2.5e-3 * 2.5e-3 + 2e-3 * 2e-3) / 5.0, 1e-14);
    }
    const double K = 4.0 / 3.0 * 70e9 / (2.0 * (1.0 - 0.0625)) *
                     std::sqrt(hit.at("effective_radius").get<double>());
    // place, velocity, quaternion, angular velocity in the body's axes
    using State = std::array<double, 13>;
    const auto overlap_of = [&](const State& x, Three& arm) {
        const Four q{x[6], x[7], x[8], x[9]};
        const Three n = turned(q, {0.0, 0.0, -1.0}, true);
        return reach_of(given, n, arm) - x[2];
    };
    const auto rate = [&](const State& x) {
        Three arm{};
        const double overlap = overlap_of(x, arm);
        const Four q{x[6], x[7], x[8], x[9]};
        const double force = overlap > 0.0 ? K * overlap * std::sqrt(overlap) : 0.0;
        const Three torque = cross(arm, turned(q, {0.0, 0.0, force}, true));
        const double p = x[10], r = x[11], s = x[12];
        return State{x[3],
                     x[4],
                     x[5],
                     0.0,
                     0.0,
                     force / mass,
                     0.5 * (-q[1] * p - q[2] * r - q[3] * s),
                     0.5 * (q[0] * p + q[2] * s - q[3] * r),
                     0.5 * (q[0] * r + q[3] * p - q[1] * s),
                     0.5 * (q[0] * s + q[1] * r - q[2] * p),
                     (torque[0] - (moments[2] - moments[1]) * r * s) / moments[0],
                     (torque[1] - (moments[0] - moments[2]) * s * p) / moments[1],
                     (torque[2] - (moments[1] - moments[0]) * p * r) / moments[2]};
    };
    const auto step = [&](State& x, double dt) {
        const auto moved = [&](const State& by, double factor) {
            State y = x;
            for (std::size_t i = 0; i < y.size(); ++i)
                y[i] += factor * by[i];
            return y;
        };
        const State k1 = rate(x), k2 = rate(moved(k1, 0.5 * dt)), k3 = rate(moved(k2, 0.5 * dt)),
                    k4 = rate(moved(k3, dt));
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    };
    double norm = 0.0;
    for (const double part : given.orientation)
        norm += part * part;
    norm = std::sqrt(norm);
    State x{given.position[0],
            given.position[1],
            given.position[2],
            given.velocity[0],
            given.velocity[1],
            given.velocity[2],
            given.orientation[0] / norm,
            given.orientation[1] / norm,
            given.orientation[2] / norm,
            given.orientation[3] / norm,
            given.spin[0],
            given.spin[1],
            given.spin[2]};
    // The flight in a thousand steps, then the contact in steps of 1 ns.
    const double flight = hit.at("flight_time");
    CHECK(flight > 1e-4);
    for (int i = 0; i < 1000; ++i)
        step(x, flight / 1000.0);
    Three arm{};
    CHECK(std::abs(overlap_of(x, arm)) < 1e-12);
    double time = 0.0, deepest = 0.0;
    const auto is_over = [&] { return time > 1e-6 && overlap_of(x, arm) <= 0.0; };
    while (!is_over() && time < 1e-3) {
        step(x, 1e-9);
        time += 1e-9;
        deepest = std::max(deepest, overlap_of(x, arm));
    }
    const Three v = after.at("velocity"), w = after.at("angular_velocity");
    const double v_error = size(sum(v, -1.0, {x[3], x[4], x[5]})) / 1.5;
    const double w_error = size(sum(w, -1.0, {x[10], x[11], x[12]})) / size(w);
    MESSAGE("velocity ", v_error, ", spin ", w_error, ", deepest ",
            deepest / hit.at("max_overlap").get<double>() - 1.0, ", duration ",
            time / hit.at("duration").get<double>() - 1.0);
    // The force begins as d^1.5, which costs the steps their order there.
    CHECK(v_error < 1e-8);
    // It also ends up to one step later, in which the spin turns in the body.
    CHECK(w_error < 1e-8 + 1e-9 * size(w));
    CHECK_RELATIVE(deepest, hit.at("max_overlap").get<double>(), 1e-8);
    CHECK(std::abs(time - hit.at("duration").get<double>()) < 3e-9);
    CHECK_RELATIVE(hit.at("max_force").get<double>(), K * std::pow(deepest, 1.5), 1e-7);
    const double impulse = hit.at("impulse");
    CHECK_RELATIVE(impulse, mass * (v[2] + 1.5), 1e-10);
}

}  // namespace

TEST_CASE("an eccentric impact on a wall is what a plain integration of it gives") {
    check_eccentric_impact(tumbling);
}

TEST_CASE("an eccentric impact of a superellipsoid is what a plain integration of it gives") {
    check_eccentric_impact(tumbling_with({4.0, 3.0}));
    check_eccentric_impact(tumbling_with({2.5, 6.0}));
}

TEST_CASE("spheres given as ellipsoids collide as two spheres do") {
    for (const char* law :
         {"name = \"hertz\"", "name = \"flores\"\nrestitution = 0.7",
          "name = \"ma-liu\"\npsi = 5.0\nxi = 20.0", "name = \"tsuji\"\nrestitution = 0.4"}) {
        CAPTURE(law);
        const std::string tail = fmt::format("\n[law]\n{}\n", law);
        // They meet head on, along a direction without zeros; the second one is at rest.
        const Three n{2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
        const Given a{.axes = {3e-3, 3e-3, 3e-3},
                      .position = {0.0, 0.0, 0.0},
                      .velocity = sum({0.0, 0.0, 0.0}, 2.0, n),
                      .spin = {10.0, 0.0, 0.0},
                      .orientation = {0.5, 0.5, -0.5, 0.5}};
        const Given b{.axes = {5e-3, 5e-3, 5e-3}, .position = sum({0.0, 0.0, 0.0}, 9e-3, n)};
        const json new_one = result_of(glass + body(a) + body(b) + tail);
        const json known = result_of(
            "speed = 2.0\n[body.a]\nradius = 3e-3\ndensity = 2500.0\nyoungs_modulus = "
            "70e9\npoisson_ratio = 0.25\nyield_stress = 1e9\n[body.b]\nradius = 5e-3\ndensity = "
            "2500.0\nyoungs_modulus = 70e9\npoisson_ratio = 0.25\nyield_stress = 1e9\n" +
            tail);
        for (const char* name :
             {"speed", "restitution", "rebound_speed", "max_force", "max_overlap", "duration"}) {
            CAPTURE(name);
            CHECK_RELATIVE(new_one.at(name).get<double>(), known.at(name).get<double>(), 1e-10);
        }
        CHECK(std::abs(new_one.at("dissipated_energy").get<double>() -
                       known.at("dissipated_energy").get<double>()) <
              1e-10 * new_one.at("energy_before").get<double>());
        CHECK_RELATIVE(new_one.at("flight_time").get<double>(), 0.5e-3, 1e-9);
    }
}

TEST_CASE("two ellipsoids in space keep momentum, angular momentum and energy") {
    const Given a{.axes = {3e-3, 2e-3, 1.5e-3},
                  .position = {0.01, 0.002, -0.003},
                  .velocity = {0.4, 0.1, 1.2},
                  .spin = {100.0, 40.0, -70.0},
                  .orientation = {0.6, -0.3, 0.5, 0.2}};
    const Given b{.axes = {2e-3, 4e-3, 2.5e-3},
                  .position = {0.011, 0.0015, 0.0045},
                  .velocity = {0.1, 0.2, -0.3},
                  .spin = {-20.0, 90.0, 30.0},
                  .orientation = {0.9, 0.2, 0.1, -0.4}};
    for (const char* law :
         {"name = \"hertz\"", "name = \"lankarani-nikravesh\"\nrestitution = 0.6"}) {
        const json hit = result_of(glass + body(a) + body(b) + fmt::format("\n[law]\n{}\n", law));
        Sums before, after;
        const json& bodies = hit.at("bodies");
        REQUIRE(bodies.size() == 2);
        for (const auto& [given, place] : {std::pair{a, 0}, std::pair{b, 1}}) {
            const json& now = bodies.at(static_cast<std::size_t>(place));
            Four q = given.orientation;
            double norm = 0.0;
            for (const double part : q)
                norm += part * part;
            for (double& part : q)
                part /= std::sqrt(norm);
            before.add(now, given.position, given.velocity, given.spin, q);
            after.add(now, now.at("position").get<Three>(), now.at("velocity").get<Three>(),
                      now.at("angular_velocity").get<Three>(), now.at("orientation").get<Four>());
            const Three in_space =
                turned(now.at("orientation").get<Four>(), now.at("angular_velocity").get<Three>());
            CHECK(size(sum(in_space, -1.0, now.at("angular_velocity_in_space").get<Three>())) <
                  1e-12 * size(in_space));
        }
        const double lost = hit.at("dissipated_energy");
        MESSAGE(law, ": momentum ",
                size(sum(after.momentum, -1.0, before.momentum)) / size(before.momentum),
                ", angular momentum ",
                size(sum(after.angular, -1.0, before.angular)) / size(before.angular), ", energy ",
                (after.energy + lost - before.energy) / before.energy, ", lost ",
                lost / before.energy);
        CHECK(size(sum(after.momentum, -1.0, before.momentum)) < 1e-12 * size(before.momentum));
        CHECK(size(sum(after.angular, -1.0, before.angular)) < 1e-11 * size(before.angular));
        CHECK(std::abs(after.energy + lost - before.energy) < 1e-11 * before.energy);
        CHECK_RELATIVE(hit.at("energy_before").get<double>(), before.energy, 1e-13);
        CHECK_RELATIVE(hit.at("energy_after").get<double>(), after.energy, 1e-13);
        if (std::string(law).find("hertz") != std::string::npos) {
            // What the integration leaves, 1e-13 in each of its steps: up to 2.2e-11 at 40 places
            // that are 1e-5 m apart.
            CHECK(std::abs(lost) < 3e-11 * before.energy);
            // 1 but for the turn of the normal and of the levers while they touch.
            CHECK(std::abs(hit.at("restitution").get<double>() - 1.0) < 0.02);
        } else {
            CHECK(lost > 0.01 * before.energy);
        }
    }
}

TEST_CASE("collide of shapes takes all laws without adhesion") {
    const Given ball{
        .axes = {3e-3, 3e-3, 3e-3}, .position = {0.0, 0.0, 3.1e-3}, .velocity = {0.2, 0.0, -1.0}};
    int computed = 0, refused = 0;
    Largest balances;
    for (const laws::Entry& law : laws::catalogue()) {
        if (!law.refused.empty()) continue;
        CAPTURE(law.name);
        std::string tail = fmt::format("\n[law]\nname = \"{}\"\n", law.name);
        for (const laws::Parameter& p : law.parameters) {
            if (p.is_file) {
                tail +=
                    fmt::format("{} = \"{}\"\n", p.name,
                                BEADWAVE_SOURCE_DIR "/validation/physics/indentation_example.csv");
            } else if (p.required()) {
                tail += fmt::format("{} = {}\n", p.name, p.usual(0.65));
            }
        }
        const Said said = collide(glass + body(ball) + wall + tail);
        if (laws::is_adhesive(law.name)) {
            CHECK(said.status == 2);
            CHECK(said.err.find("adhesion") != std::string::npos);
            CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
            ++refused;
            continue;
        }
        REQUIRE_MESSAGE(said.status == 0, law.name, said.err);
        const json hit = json::parse(said.out);
        const double before = hit.at("energy_before"), after = hit.at("energy_after"),
                     lost = hit.at("dissipated_energy");
        balances.enter(std::abs(after + lost - before) / before);
        CHECK(after <= before * (1.0 + 1e-12));
        // Some hundred steps with errors of 1e-13.
        if (law.name == "hertz" || law.name == "hooke") CHECK(std::abs(lost) < 1e-11 * before);
        ++computed;
    }
    MESSAGE(computed, " laws, ", refused, " with adhesion; balance ", double(balances));
    CHECK(balances < 1e-10);
    CHECK(computed > 15);
    CHECK(refused >= 3);
}

TEST_CASE("collide of shapes writes a trajectory and text") {
    const Folder folder;
    write_file(folder / "case.toml", glass + body(tumbling) + wall + hertz);
    const Said said = shell(folder,
                            "beadwave collide case.toml --trajectory t.csv --set "
                            "'body.0.velocity=[0, 0, -0.1]' --set 'body.0.angular_velocity=[0, 0, "
                            "0]'");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    CHECK(said.err.empty());
    for (const char* words : {"hertz at ", "time of flight", "restitution", "greater semi-axis",
                              "energy before", "first body"})
        CHECK(said.out.find(words) != std::string::npos);
    const std::string rows = read_file(folder / "t.csv");
    CHECK(rows.starts_with("time_s,overlap_m,approach_speed_m_per_s,force_N\n0"));
    CHECK(std::count(rows.begin(), rows.end(), '\n') > 20);
}

TEST_CASE("collide of shapes refuses in one sentence what it does not have") {
    const std::string right = glass + body(tumbling) + wall + hertz;
    struct Bad {
        const char *from, *to, *says;
    };
    const std::vector<Bad> bad{
        {"shape = \"ellipsoid\"", "shape = \"clump\"", "is not offered by collide yet"},
        {"shape = \"ellipsoid\"", "shape = \"superellipsoid\"",
         "exponents: missing; give [n2, n1], two exponents from 2 to 8"},
        {"shape = \"ellipsoid\"", "shape = \"ellipsoid\"\nexponents = [2.0, 2.0]",
         "exponents = [2.0, 2.0]: belongs to shape = \"superellipsoid\"; the shape is "
         "\"ellipsoid\""},
        {"shape = \"ellipsoid\"", "exponents = [2.0, 2.0]", "shape: missing"},
        {"shape = \"ellipsoid\"", "shape = \"superellipsoid\"\nexponents = [1.9, 2.0]",
         "exponents[0] = 1.9: must be a number from 2 to 8"},
        {"shape = \"ellipsoid\"", "shape = \"superellipsoid\"\nexponents = [4.0, 8.5]",
         "exponents[1] = 8.5: must be a number from 2 to 8"},
        {"shape = \"ellipsoid\"", "shape = \"superellipsoid\"\nexponents = [4.0]",
         "exponents = [4.0]: must be [n2, n1], two exponents from 2 to 8"},
        {"shape = \"ellipsoid\"", "shape = \"superellipsoid\"\nexponents = 4.0",
         "exponents = 4.0: must be [n2, n1], two exponents from 2 to 8, not a number"},
        {"shape = \"ellipsoid\"", "shape = \"plane\"", "a plane is a [[wall]]"},
        {"shape = \"ellipsoid\"", "shape = \"cube\"", "shape"},
        {"orientation = [", "orientation = [0.0, 0.0, 0.0, 0.0]\n#", "has zero length"},
        {"orientation = [", "orientation = [nan, 0.0, 0.0, 1.0]\n#", "orientation"},
        {"semi_axes = [", "semi_axes = [0.0, 1e-3, 1e-3]\n#", "semi_axes"},
        {"normal = [0.0, 0.0, 1.0]", "normal = [0.0, 0.0, 0.0]", "has zero length"},
        {"normal = [0.0, 0.0, 1.0]", "normal = [0.0, 0.0, -1.0]", "overlap by"},
        {"velocity = [", "velocity = [0.0, 0.0, 1.0]\n#", "never meet"},
        {"density = 2500.0", "", "density"},
        {"name = \"hertz\"", "name = \"hertx\"", "hertz"},
        {"name = \"hertz\"", "name = \"thornton\"", "ellipse"},
        {"[[wall]]", "[[wal]]", "wall"},
        {"[law]", "[time]\nend = 1.0\n[law]", "for `beadwave run`"}};
    for (const Bad& each : bad) {
        CAPTURE(each.to);
        std::string text = right;
        REQUIRE(text.find(each.from) != std::string::npos);
        text.replace(text.find(each.from), std::string(each.from).size(), each.to);
        const Said said = collide(text);
        CHECK_MESSAGE(said.status == 2, said.out, said.err);
        CHECK(said.out.empty());
        CHECK_MESSAGE(said.err.find(each.says) != std::string::npos, said.err);
        CHECK_MESSAGE(std::count(said.err.begin(), said.err.end(), '\n') == 1, said.err);
    }
    for (const std::string& text :
         {glass + body(tumbling) + hertz, right + wall, right + body(tumbling),
          glass + body(tumbling) + body(tumbling) + body(tumbling) + hertz}) {
        const Said said = collide(text);
        CHECK(said.status == 2);
        CHECK_MESSAGE(std::count(said.err.begin(), said.err.end(), '\n') == 1, said.err);
    }
    // Not a unit quaternion: a warning, and the same numbers.
    std::string longer = right;
    const std::size_t at = longer.find("orientation = [");
    longer.replace(at, longer.find(']', at) - at + 1, "orientation = [1.6, 0.2, 0.8, -0.4]");
    const Said warned = collide(longer);
    REQUIRE_MESSAGE(warned.status == 0, warned.err);
    CHECK(warned.err.find("body.0.orientation: has the length") != std::string::npos);
    CHECK_RELATIVE(json::parse(warned.out).at("max_force").get<double>(),
                   result_of(right).at("max_force").get<double>(), 1e-12);
    // Other commands say what it is.
    const Folder folder;
    write_file(folder / "case.toml", right);
    const Said run = shell(folder, "beadwave run case.toml");
    CHECK(run.status == 2);
    CHECK_MESSAGE(run.err.find("collision case, for `beadwave collide`") != std::string::npos,
                  run.err);
}

TEST_CASE("an ellipsoid rubs on a wall, and what it loses is said") {
    const std::string text = glass + body(tumbling) + wall + hertz;
    const json smooth = result_of(text);
    CHECK(smooth == result_of(text + "[friction]\nlaw = \"none\"\n"));
    CHECK(!smooth.contains("friction"));
    const json rough = result_of(text + "[friction]\nlaw = \"mindlin\"\ncoefficient = 0.2\n");
    const json &friction = rough.at("friction"), &after = rough.at("bodies").at(0);
    const Three impulse = friction.at("impulse").get<Three>();
    // On the wall: no more than Coulomb's law allows.
    CHECK(size(impulse) > 0.0);
    CHECK(size(impulse) <= 0.2 * rough.at("impulse").get<double>());
    const Three change = sum(after.at("velocity").get<Three>(), -1.0, tumbling.velocity);
    const double mass = after.at("mass");
    CHECK_ABSOLUTE(mass * change[0], -impulse[0], 1e-8 * size(impulse));
    CHECK_ABSOLUTE(mass * change[1], -impulse[1], 1e-8 * size(impulse));
    const double lost = friction.at("dissipated_energy");
    CHECK(lost > 0.0);
    CHECK_RELATIVE(rough.at("dissipated_energy").get<double>(), lost, 1e-4);
    CHECK_RELATIVE(rough.at("energy_before").get<double>() - rough.at("energy_after").get<double>(),
                   lost, 1e-4);
}

TEST_CASE("a dashpot that pulls at the end keeps its restitution beside friction") {
    // Its force jumps at both ends of the contact: by the whole damping, to a tension of e times
    // it.
    const std::string dashpot =
        "[law]\nname = \"kelvin-voigt\"\nstiffness = 1e6\nrestitution = 0.2\n";
    const Given ball{
        .axes = {5e-3, 5e-3, 5e-3}, .position = {0.0, 0.0, 6e-3}, .velocity = {0.1, 0.0, -1.0}};
    const std::string text = glass + body(ball) + wall + dashpot;
    const json smooth = result_of(text);
    const json rough =
        result_of(text + "[friction]\nlaw = \"linear\"\ncoefficient = 0.1\nstiffness = 1e6\n");
    // Steps are doubled until velocities change by less than 1e-7 of those before the impact.
    CHECK_RELATIVE(rough.at("restitution").get<double>(), 0.2, 1e-6);
    CHECK_RELATIVE(rough.at("max_force").get<double>(), smooth.at("max_force").get<double>(), 1e-6);
}

TEST_CASE("what is wrong with the friction of two bodies is said") {
    const std::pair<const char*, const char*> cases[] = {
        {"law = \"linear\"\ncoefficient = 0.3\n", "friction.stiffness: missing"},
        {"law = \"mindlin\"\n", "friction.coefficient: missing"},
        {"law = \"mindlin\"\ncoefficient = 0.3\nstatic_coefficient = 0.2\n",
         "friction: static_coefficient is 0.2; expected the coefficient, 0.3, or larger"},
        {"law = \"mindlin\"\ncoefficient = 0.3\ndamping_factor = 1.0\n",
         "friction: damping_factor takes the restitution of the normal law"},
        {"law = \"linear\"\ncoefficient = 0.3\nstiffness = 1e200\n",
         "friction: the tangential stiffness, 1e+200 N/m, is too large to be followed"},
        {"law = \"mindlin\"\ncoefficient = 0.3\ndamping = 1e300\n",
         "friction: the tangential damping, 1e+300 N s/m, is too large to be followed"},
        {"law = \"coulomb\"\ncoefficient = 0.3\n",
         "friction.law = \"coulomb\": is that of rigid contacts"}};
    for (const auto& [friction, message] : cases) {
        const Said said =
            collide(glass + body(tumbling) + wall + hertz + "[friction]\n" + friction);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(message) != std::string::npos, said.err);
        CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    }
}

}  // namespace beadwave::validation::shapes_collide_test
