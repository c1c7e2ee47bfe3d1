// The packings in configs/: their runs are compared with the results that their header comments
// give.

#include "chaotic.hpp"
#include "largest.hpp"
#include "packing_config_runs.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::packing_configs_test {

using packing::Vec3;

namespace {

constexpr double modulus = 193e9, ratio = 0.3, radius = 2.38e-3, density = 7970.0;
const double mass = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * density;
/// 1/E* of two equal bodies is 2 (1 - nu^2) / E.
const double effective_modulus = modulus / (2.0 * (1.0 - ratio * ratio));

/// Every sample of one sensor.
struct Samples {
    std::vector<double> time;
    std::vector<Vec3> velocity;
    running::Sinks sinks() {
        running::Sinks s;
        s.sensors = [this](auto, double t, auto, std::span<const double> v) {
            time.push_back(t);
            velocity.push_back({v[0], v[1], v[2]});
        };
        return s;
    }
};

double size_of(const Vec3& v) {
    return std::sqrt(dot(v, v));
}

}  // namespace

TEST_CASE(
    "configs/square_crystal.toml: the struck row moves like a chain, and nothing else moves") {
    std::vector<Vec3> velocity;
    running::Sinks sinks;
    sinks.snapshot = [&](auto, auto, running::System& system) {
        const packing::PackingEngine& engine = engine_of(system);
        velocity = engine.velocity();
    };
    const Run run = run_packing_config("square_crystal", {}, sinks);
    std::size_t still = 0;
    for (std::size_t i = 0; i < 189; ++i) {
        const bool of_the_row = i >= 84 && i < 105;
        if (!of_the_row && velocity[i] == Vec3{0.0, 0.0, 0.0}) ++still;
    }
    CHECK(still == 189 - 21);
    CHECK(run.at(75).peak_force == 0.0);

    // The same chain, integrated here: bead 0 is the striker.
    constexpr std::size_t beads = 22;
    const double stiffness = 4.0 / 3.0 * effective_modulus * std::sqrt(radius / 2.0);
    const double dt = run.finished.trial.time_step.step / 4.0;
    std::vector<double> u(beads, 0.0), v(beads, 0.0), a(beads, 0.0), net_peak(beads, 0.0);
    v[0] = 0.5;
    const auto steps = std::lround(run.scenario.time.end / dt);
    for (long k = 0; k < steps; ++k) {
        for (std::size_t i = 0; i < beads; ++i) {
            v[i] += 0.5 * dt * a[i];
            u[i] += dt * v[i];
        }
        std::vector<double> force(beads + 1, 0.0);
        for (std::size_t c = 1; c < beads; ++c)
            force[c] = stiffness * std::pow(std::max(u[c - 1] - u[c], 0.0), 1.5);
        for (std::size_t i = 0; i < beads; ++i) {
            a[i] = (force[i] - force[i + 1]) / mass;
            v[i] += 0.5 * dt * a[i];
            net_peak[i] = std::max(net_peak[i], std::abs(a[i] * mass));
        }
    }
    for (const std::int64_t particle : {88, 92, 96}) {
        CAPTURE(particle);
        const double expected = net_peak[static_cast<std::size_t>(particle - 84 + 1)];
        // Both integrations are of second order. The packing's step, 1/250 of a contact, is the
        // coarser one.
        CHECK(run.at(particle).peak_force == doctest::Approx(expected).epsilon(2e-4));
    }
}

TEST_CASE("configs/hexagonal_crystal.toml: the wave spreads symmetrically and weakens") {
    const Run run = run_packing_config("hexagonal_crystal");
    const double near = run.at(101).peak_force, far = run.at(182).peak_force;
    // Mirror images add their forces in another order, so they differ by the rounding of some
    // thousand steps.
    CHECK(run.at(103).peak_force == doctest::Approx(near).epsilon(1e-7));
    CHECK(run.at(186).peak_force == doctest::Approx(far).epsilon(1e-7));
    CHECK(run.at(103).arrival_time == doctest::Approx(run.at(101).arrival_time).epsilon(1e-7));
    CHECK(near < run.at(20).peak_force);
    CHECK(far < near);
    CHECK(run.at(182).arrival_time > run.at(101).arrival_time);
    CHECK(run.finished.result.largest_relative_energy_error < 1e-5);
}

TEST_CASE(
    "configs/hexagonal_crystal.toml: the fastest spheres are in the rows at 60 degrees, then, with "
    "friction, in the next rows inside") {
    // In row 3 and in row 7: the sphere at 60 degrees, and its neighbour inside, at 79 and 68.
    const auto largest_speeds = [](const std::string& friction) {
        std::vector<double> largest(4, 0.0);
        running::Sinks sinks;
        sinks.sensors = [&](auto, double, auto, std::span<const double> v) {
            for (std::size_t s = 0; s < 4; ++s)
                largest[s] = std::max(largest[s], size_of({v[3 * s], v[3 * s + 1], v[3 * s + 2]}));
        };
        run_packing_config(
            "hexagonal_crystal",
            {"sensors.particles=[143,144,309,310]", "friction.coefficient=" + friction}, sinks);
        return largest;
    };
    const std::vector<double> rough = largest_speeds("0.3"), smooth = largest_speeds("0");
    CHECK(rough[1] > 1.05 * rough[0]);
    CHECK(rough[2] > 1.15 * rough[3]);
    CHECK(smooth[1] > 1.3 * smooth[0]);
    CHECK(smooth[3] > 1.05 * smooth[2]);
}

TEST_CASE("configs/fcc_crystal.toml: layers are a chain of linear springs 2 k") {
    Samples samples;
    const Run run = run_packing_config("fcc_crystal", {"sensors.particles=[72]"}, samples.sinks());
    // The layers are half a cell apart. Two of them move at the start.
    constexpr std::size_t layers = 120, seen = 20;
    const double overlap = 2e-7, k = 2.0 * effective_modulus * std::sqrt(radius / 2.0 * overlap);
    // Four bonds at 45 degrees. The force of the initial overlap, k (2/3) overlap, rotates with
    // them.
    const double turn = 2.0 / 3.0 * k * overlap / (2.0 * radius - overlap);
    const double spring = 4.0 * (0.5 * k - 0.5 * turn);
    const double dt = 2e-8;
    std::vector<double> u(layers, 0.0), v(layers, 0.0), a(layers, 0.0);
    v[0] = v[1] = 1e-5;
    double time = 0.0;
    Largest largest, worst;
    const auto advance = [&](double step) {
        for (std::size_t i = 0; i < layers; ++i) {
            v[i] += 0.5 * step * a[i];
            u[i] += step * v[i];
        }
        for (std::size_t i = 0; i < layers; ++i) {
            const double before = u[(i + layers - 1) % layers], after = u[(i + 1) % layers];
            a[i] = spring / mass * (before + after - 2.0 * u[i]);
            v[i] += 0.5 * step * a[i];
        }
        time += step;
    };
    for (std::size_t s = 0; s < samples.time.size(); ++s) {
        const double left = samples.time[s] - time;
        const auto steps = std::max(1L, std::lround(left / dt));
        for (long n = 0; left > 0.0 && n < steps; ++n)
            advance(left / static_cast<double>(steps));
        largest.enter(std::abs(v[seen]));
        worst.enter(std::abs(samples.velocity[s].x - v[seen]));
    }
    CHECK(largest > 3e-6);
    // A strain of 1/200 of the overlap makes the springs stiffer by 1/400. The front shifts by less
    // than that.
    CHECK(worst < 1e-3 * largest);
    // The front of the linear chain, at half its first height, propagates at sqrt(spring/m) layers
    // per second.
    const double speed = 2.0 * radius * std::sqrt(k / mass);
    CHECK(speed == doctest::Approx(405.85).epsilon(1e-4));
    CHECK(run.finished.result.largest_relative_energy_error < 1e-9);
}

TEST_CASE(
    "configs/sticking_spheres.toml: slow rubber spheres stick, faster ones part at 0.0333 m/s") {
    // JKR in s = sqrt(a/a_s): zero force at s^3 = 6, overlap (s^4 - 4 s) a_s^2/R.
    constexpr double R = 0.25e-3, w = 0.1;
    const double E = 1e7 / (2.0 * (1.0 - 0.45 * 0.45));
    const double a_s = std::cbrt(std::numbers::pi * w * R * R / (8.0 * E)), s = std::cbrt(6.0);
    std::vector<packing::ContactState> contacts;
    Samples slow;
    running::Sinks sinks = slow.sinks();
    sinks.snapshot = [&](auto, auto, running::System& system) {
        contacts = engine_of(system).contacts();
    };
    const Run run = run_packing_config("sticking_spheres", {}, sinks);
    REQUIRE(contacts.size() == 1);
    CHECK_RELATIVE(contacts[0].overlap, (std::pow(s, 4) - 4.0 * s) * a_s * a_s / R, 1e-4);
    CHECK_RELATIVE(contacts[0].overlap, 0.778e-6, 1e-3);
    CHECK_RELATIVE(slow.velocity.back().x, 0.0075, 1e-4);
    CHECK(run.finished.result.ledger.stored < 0.0);
    CHECK(run.finished.result.largest_relative_energy_error < 1e-4);

    // The second sphere has what the first one has lost.
    Samples fast;
    run_packing_config("sticking_spheres", {"law.restitution=1", "particles.0.velocity=[0.04,0,0]"},
                       fast.sinks());
    // The jumps of the force leave an error of first order in the time step.
    CHECK_RELATIVE(0.04 - 2.0 * fast.velocity.back().x, 0.0333, 5e-3);
}

TEST_CASE("configs/incline.toml: rolling at 5/7 g sin(theta), sliding at g (sin - mu cos)") {
    const double along = 3.35407, across = 9.21524;
    // The slope of a straight line through the second half: the undamped spring of friction makes
    // the speed oscillate by about 1e-4 m/s every 0.9 ms.
    const auto acceleration = [&](std::vector<std::string> overrides) {
        overrides.emplace_back("sensors.interval=5e-5");
        Samples samples;
        run_packing_config("incline", overrides, samples.sinks());
        const std::size_t from = samples.time.size() / 2;
        double n = 0.0, t = 0.0, v = 0.0, tt = 0.0, tv = 0.0;
        for (std::size_t s = from; s < samples.time.size(); ++s) {
            const double time = samples.time[s], speed = samples.velocity[s].x;
            n += 1.0, t += time, v += speed, tt += time * time, tv += time * speed;
        }
        return (n * tv - t * v) / (n * tt - t * t);
    };
    // Friction acts at the contact with the plane, 0.82 um closer than the radius.
    const double arm = 1.0 - 8.1986e-7 / 5e-3;
    CHECK(acceleration({}) == doctest::Approx(along / (1.0 + 0.4 / (arm * arm))).epsilon(2e-5));
    CHECK(acceleration({}) == doctest::Approx(5.0 / 7.0 * along).epsilon(2e-4));
    CHECK(acceleration({"friction.coefficient=0.05"}) ==
          doctest::Approx(along - 0.05 * across).epsilon(1e-5));
}

TEST_CASE(
    "configs/hopper.toml: the normal force on each frictionless wall equals the whole weight" *
    doctest::skip(sanitised)) {
    // Fewer spheres, which come to rest sooner.
    std::vector<packing::ContactState> contacts;
    running::Sinks sinks;
    sinks.snapshot = [&](auto, auto, running::System& system) {
        const packing::PackingEngine& engine = engine_of(system);
        contacts = engine.contacts();
    };
    const Run run = run_packing_config("hopper", {"particles.0.random=60", "time.end=0.6"}, sinks);
    double weight = 0.0;
    for (const double m : run.packing.mass)
        weight += 9.81 * m;
    const std::size_t n = run.packing.particles();
    double carried[2] = {0.0, 0.0};
    for (const packing::ContactState& contact : contacts)
        if (contact.second >= n) carried[contact.second - n] += size_of(contact.normal_force);
    for (const double wall : carried)
        CHECK_BETWEEN(wall / weight, 0.98, 1.02);
}

TEST_CASE("configs/silo.toml: the rate of discharge does not depend on the filling height" *
          doctest::skip(sanitised)) {
    std::vector<double> time, out;  // spheres below the floor
    std::vector<Vec3> start;
    running::Sinks sinks;
    sinks.snapshot = [&](auto, double now, running::System& system) {
        const packing::PackingEngine& engine = engine_of(system);
        const std::vector<Vec3> moved = engine.displacement();
        double below = 0.0;
        for (std::size_t i = 0; i < start.size(); ++i)
            below += start[i].y + moved[i].y < -1e-3 ? 1.0 : 0.0;
        time.push_back(now);
        out.push_back(below);
    };
    const std::vector<std::string> shorter{"time.end=0.4"};
    const std::filesystem::path file = BEADWAVE_SOURCE_DIR "/configs/silo.toml";
    std::vector<std::string> changes = other_seeds(file);
    changes.insert(changes.end(), shorter.begin(), shorter.end());
    start = packing::build_packing(
                io::read_packing(io::load_toml(file, changes), io::NamedFiles::relative_to(file))
                    .scenario)
                .position;
    const Run run = run_packing_config("silo", shorter, sinks);
    const auto when = [&](double spheres) {
        std::size_t s = 0;
        while (s + 1 < out.size() && out[s] < spheres)
            ++s;
        return time[s];
    };
    const double first = 100.0 / (when(160.0) - when(60.0));
    const double second = 100.0 / (when(260.0) - when(160.0));
    // Beverloo in the plane: the density of the packing times sqrt(g) (D - 1.4 d)^(3/2) m^2/s.
    const double opening = 12e-3 - 1.4 * 2e-3;
    const double expected =
        0.8 * std::sqrt(9.81 * opening * opening * opening) / (std::numbers::pi * 1e-6);
    // The rate of a liquid would fall with the root of the height, to six tenths. A hundred spheres
    // in ten snapshots give the rate to a tenth. The constants of Beverloo's law are known to a
    // fifth.
    CHECK_BETWEEN(second / first, 0.75, 1.0 / 0.75);
    CHECK_BETWEEN(second / expected, 0.7, 1.3);
    for (std::size_t i = 0; i < 14; ++i)
        CHECK(run.packing.is_fixed(i));
    CHECK(run.finished.result.largest_relative_energy_error < 1e-3);
}

TEST_CASE(
    "configs/poured_silo.toml: it fills in a third of a second, and flows out at a steady rate" *
    doctest::skip(sanitised)) {
    const double opening = 12e-3 - 1.4 * 2e-3;
    const double expected =
        0.8 * std::sqrt(9.81 * opening * opening * opening) / (std::numbers::pi * 1e-6);
    double change = 0.0, rate = 0.0;
    constexpr int seeds = 3;
    for (int seed = 5; seed < 5 + seeds; ++seed) {
        std::vector<double> time, out;
        std::size_t when_opened = 0;
        running::Sinks sinks;
        sinks.snapshot = [&](auto, double now, running::System& system) {
            const packing::Population& population = engine_of(system).population();
            time.push_back(now);
            out.push_back(static_cast<double>(population.left_through(0)));
            if (now < 0.375) when_opened = population.count(packing::Presence::inside);
            if (now < 0.332) CHECK(population.count(packing::Presence::waiting) > 0);
        };
        const Run run = run_packing_config(
            "poured_silo",
            {"time.end=0.8", fmt::format("particles.2.seed={}", seed + seeds * other_seed())},
            sinks);
        CHECK(when_opened == 414);
        const auto when = [&](double spheres) {
            return time[static_cast<std::size_t>(std::ranges::lower_bound(out, spheres) -
                                                 out.begin())];
        };
        const double first = 100.0 / (when(150.0) - when(50.0));
        const double second = 100.0 / (when(250.0) - when(150.0));
        change += second / first / seeds;
        rate += second / seeds;
        CHECK(run.finished.result.largest_relative_energy_error < 1e-4);
    }
    // As for silo.toml. In single runs second / first scatters by a tenth: 0.73 to 1.08 with eight
    // seeds, 0.93 in the mean.
    CHECK_BETWEEN(change, 0.75, 1.0 / 0.75);
    CHECK_BETWEEN(rate / expected, 0.7, 1.3);
}

TEST_CASE("configs/poured_shear.toml: the poured bed carries its lid, and rolls below it" *
          doctest::skip(sanitised)) {
    double drag = 0.0, load = 0.0;
    running::Sinks sinks;
    sinks.snapshot = [&](auto, double now, running::System& system) {
        const packing::PackingEngine& engine = engine_of(system);
        if (now < 0.148) CHECK(engine.walls()[0].displacement == Vec3{});
        if (now < 0.3) return;
        for (const packing::ContactState& contact : engine.contacts()) {
            if (contact.second < engine.particles()) continue;
            // On the sphere: down, and with the lid.
            const Vec3 force = contact.normal_force + contact.tangential_force;
            drag += force.x;
            load -= force.y;
        }
    };
    const Run run = run_packing_config("poured_shear", {}, sinks);
    // The lid still rises and sinks over the spheres: by its mean acceleration of 0.2 s, below 1 %
    // of the load, and what 201 looks scatter. Ten seeds on each of AVX-512, AVX2 and SSE4: 0.998
    // of the expected load with a standard deviation of 0.008; the bound is five of them.
    constexpr double looks = 201.0;
    const double expected_load = looks * (20.0 * 0.016 + 1e-3 * 9.81);
    CHECK_BETWEEN(load / expected_load, 0.96, 1.04);
    // In the same runs the drag was 0.086 to 0.325 of the load: one chaotic run has no narrower
    // bounds than those of physics. The lid's work is dissipated, because the bed can store a
    // hundredth of it, so the drag is positive; and spheres that roll need less than Coulomb's
    // limit.
    CHECK_BETWEEN(drag / load, 0.0, 0.4);
    CHECK(run.finished.result.largest_relative_energy_error < 1e-5);
}

TEST_CASE(
    "configs/settling_column.toml: the floor carries the weight together with the side walls" *
    doctest::skip(sanitised)) {
    // Sums over the snapshots after the sinking floor has moved the whole column.
    double floor = 0.0, sides = 0.0, snapshots = 0.0;
    running::Sinks sinks;
    sinks.snapshot = [&](auto, double time, running::System& system) {
        if (time < 0.24) return;
        const packing::PackingEngine& engine = engine_of(system);
        snapshots += 1.0;
        const std::size_t n = engine.particles();
        for (const packing::ContactState& contact : engine.contacts()) {
            if (contact.second < n) continue;
            (contact.second == n ? floor : sides) +=
                contact.normal_force.z + contact.tangential_force.z;
        }
    };
    // A narrower and lower box with fewer spheres gives a column too.
    const Run run = run_packing_config(
        "settling_column",
        {"particles.0.random=350", "particles.0.upper=[0.01, 0.01, 0.065]",
         "wall.2.point=[0.01, 0.0, 0.0]", "wall.4.point=[0.0, 0.01, 0.0]", "time.end=0.35"},
        sinks);
    double weight = 0.0;
    for (const double m : run.packing.mass)
        weight += 9.81 * m;
    CHECK(snapshots == 5.0);
    // The forces still fluctuate: over ten seeds the mean of the snapshots deviates by 0.0077.
    CHECK_BETWEEN((floor + sides) / snapshots / weight, 0.96, 1.04);
    // Janssen: the floor carries lambda / h (1 - exp(-h / lambda)) of a column h high and w wide,
    // with lambda = w / (4 mu K) and K between 0.4 and 1. Here h is about 2.3 w, which gives 0.2 to
    // 0.5.
    CHECK_BETWEEN(floor / snapshots / weight, 0.15, 0.5);
    const recording::Ledger& ledger = run.finished.result.ledger;
    CHECK(ledger.translational < 1e-3 * ledger.external_work);
    CHECK(run.finished.result.largest_relative_energy_error < 1e-4);
}

}  // namespace beadwave::validation::packing_configs_test
