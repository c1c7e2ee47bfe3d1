// Runs that start displaced, from lists, CSV files and orbits, and slow sweeps past the folds of a
// branch.

#include "beadwave/history.hpp"
#include "largest.hpp"
#include "orbit_chains.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::orbit_runs_test {
namespace {

using namespace orbit_chains;
using Numbers = std::vector<double>;

nlohmann::json done(const Folder& folder, const std::string& command) {
    const Said said = shell(folder, "beadwave " + command + " --json --quiet --threads 1");
    CAPTURE(said.err);
    REQUIRE(said.status == 0);
    return nlohmann::json::parse(said.out);
}

void find(const Folder& folder, const std::string& options) {
    const Said said = shell(folder, "beadwave orbit s.toml --quiet -o orbit.h5 " + options);
    CAPTURE(said.err);
    REQUIRE(said.status == 0);
}

/// The displacements of the beads at samples of a run.
struct Motion {
    Numbers all;
    std::size_t beads;

    double at(std::size_t sample, std::size_t bead) const { return all[sample * beads + bead]; }
    std::size_t samples() const { return all.size() / beads; }
    /// The largest difference of a bead at two samples.
    double apart(std::size_t sample, const Motion& other, std::size_t its) const {
        Largest most;
        for (std::size_t i = 0; i < beads; ++i)
            most.enter(std::abs(at(sample, i) - other.at(its, i)));
        return most;
    }
};

/// A run of run.toml for some periods of an orbit, sampled once per period.
Motion motion_of(const Folder& folder, double frequency, int periods,
                 const std::string& more = "") {
    done(folder, fmt::format("run run.toml -o run.h5 --overwrite --set time.end={} --set "
                             "snapshots.interval={} {}",
                             (periods + 0.01) / frequency, 1.0 / frequency, more));
    const History history(folder / "run.h5");
    return {history.read("displacement"), history.read("mass").size()};
}

std::string refused(const Folder& folder, const std::string& command) {
    const Said said = shell(folder, "beadwave " + command);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    return said.err;
}

}  // namespace

TEST_CASE("orbit: a run repeats a stable orbit, after one period and after a thousand") {
    const Folder folder;
    write_file(folder / "s.toml", between_walls(2, "0", pressed(20.0)));
    const double frequency = 16072.001221070947;
    find(folder,
         "--frequency 16072.001221070947 --guess mode:1 --steps 400 --run-scenario run.toml");
    const int periods = sanitised ? 30 : 1000;
    const Motion run = motion_of(folder, frequency, periods);
    REQUIRE(run.samples() >= static_cast<std::size_t>(periods) + 1);
    const double size = std::max(std::abs(run.at(0, 0)), std::abs(run.at(0, 1)));
    CHECK(size > 1e-6);
    CHECK(run.apart(1, run, 0) < 1e-13 * size);
    CHECK(run.apart(static_cast<std::size_t>(periods), run, 0) < 1e-10 * size);
    // Half a period later it is elsewhere.
    const Motion half = motion_of(folder, 2.0 * frequency, 1);
    CHECK(half.apart(1, half, 0) > size);
}

TEST_CASE("orbit: a run from an unstable state grows by its multiplier, along its eigenvector" *
          doctest::skip(sanitised)) {
    // Between the folds of the driven chain; the drive has the orbit's frequency, and its phase.
    const Folder folder;
    write_file(folder / "s.toml", driven());
    find(folder, "--frequency 3615 --which 2 --steps 512 --run-scenario run.toml");
    const double multiplier =
        std::abs(History(folder / "orbit.h5").read("orbit/instabilities").at(0));
    CHECK_RELATIVE(multiplier, 1.0576, 1e-3);
    const Motion orbit = motion_of(folder, 3615.0, 20),
                 moved = motion_of(folder, 3615.0, 20,
                                   "--set initial.eigenvector=1 --set initial.amplitude=1e-12");
    const double size = 4e-7;
    CHECK(orbit.apart(1, orbit, 0) < 1e-11 * size);
    const double start = moved.apart(0, orbit, 0);
    CHECK_RELATIVE(start, 1e-12, 1e-3);
    for (const std::size_t k : {std::size_t{1}, std::size_t{5}, std::size_t{20}}) {
        CAPTURE(k);
        // Second order: the amplitude over the static overlap, 1e-6; and rounding, 1e-9 of it.
        CHECK_RELATIVE(moved.apart(k, orbit, k),
                       start * std::pow(multiplier, static_cast<double>(k)), 1e-4);
    }
    // Its direction stays: a bead keeps its part of the distance.
    const std::size_t bead = 5;
    CHECK_RELATIVE((moved.at(20, bead) - orbit.at(20, bead)) / moved.apart(20, orbit, 20),
                   (moved.at(0, bead) - orbit.at(0, bead)) / start, 1e-3);
}

TEST_CASE("orbit: a run repeats an orbit with springs, masses inside beads and a load over time") {
    const Folder folder;
    write_file(folder / "s.toml",
               between_walls(2, "0", pressed(20.0)) +
                   "[[foundation]]\nbeads = \"all\"\nstiffness = 1e5\ndamping = 5.0\n"
                   "[[resonator]]\nbeads = [0, 1]\nmass = 1e-3\nstiffness = 2e5\ndamping = 1.0\n"
                   "[[load]]\nbead = 0\nfrequency = 9000\namplitude = 5.0\n");
    find(folder, "--frequency 9100 --steps 400 --run-scenario run.toml");
    const Motion run = motion_of(folder, 9100.0, 50);
    const double size = std::abs(run.at(0, 0)) + std::abs(run.at(0, 1));
    CHECK(size > 1e-8);
    CHECK(run.apart(1, run, 0) < 1e-12 * size);
    // A run carries the acceleration on that damping had with a predicted velocity; the orbit's
    // map begins each period with that of its velocity. They differ by an error of the steps.
    CHECK(run.apart(50, run, 0) < 1e-6 * size);
    const History history(folder / "run.h5");
    const Numbers inside = history.read("resonator_displacement");
    CHECK(std::abs(inside.at(0) - run.at(0, 0)) > 1e-9);
    CHECK_ABSOLUTE(inside.at(100), inside.at(0), 1e-6 * size);
    // The ledger counts from the displaced start.
    const Numbers error = history.read("relative_energy_error");
    REQUIRE(error.size() > 2);
    for (const double each : error)
        CHECK(std::abs(each) < 1e-3);
}

TEST_CASE("a chain that starts displaced moves as one whose gaps are smaller") {
    const Folder folder;
    const std::string head =
        "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\ndensity = 7850\n";
    const std::string tail =
        "[law]\nname = \"flores\"\nrestitution = 0.8\nimpact_speed = 0.1\n[boundary]\nright = "
        "\"wall\"\n[time]\nend = 2e-4\nstep = 1e-8\n[snapshots]\ninterval = 1e-5\n[energy]\n"
        "interval = 1e-5\n";
    const auto segment = [](const std::string& gap) {
        return "[[segment]]\nbeads = 1\nradius = 5e-3\nmaterial = \"steel\"\nvelocity = "
               "0.2\ngap = " +
               gap + "\n";
    };
    // The second bead is displaced by -1 um, the third by 2 um.
    write_file(folder / "gaps.toml", head + segment("0") + segment("1e-6") + segment("5e-6") +
                                         tail + "[boundary.right]\nkind = \"wall\"\ngap = 1e-6\n");
    std::string text = read_file(folder / "gaps.toml");
    const std::string twice = "[boundary]\nright = \"wall\"\n";
    text.replace(text.find(twice), twice.size(), "");
    write_file(folder / "gaps.toml", text);
    std::string displaced = text;
    const auto put = [&](const std::string& old, const std::string& with) {
        const std::size_t place = displaced.find(old);
        REQUIRE(place != std::string::npos);
        displaced.replace(place, old.size(), with);
    };
    put("gap = 1e-6\n", "gap = 2e-6\n");
    put("gap = 5e-6\n", "gap = 2e-6\n");
    put("wall\"\ngap = 1e-6", "wall\"\ngap = 3e-6");
    write_file(folder / "list.toml", displaced + "[initial]\ndisplacement = [0.0, -1e-6, 2e-6]\n");
    write_file(folder / "file.toml", displaced + "[initial]\nfile = \"start.csv\"\n");
    write_file(folder / "start.csv",
               "displacement_m,velocity_m_per_s\n0,0.2\n-1e-6,0.2\n2e-6,0.2\n");
    const auto run = [&](const std::string& name) {
        done(folder, "run " + name + ".toml -o " + name + ".h5");
        return History(folder / (name + ".h5"));
    };
    const History gaps = run("gaps"), list = run("list"), file = run("file");
    const Numbers u = gaps.read("displacement"), moved = list.read("displacement"),
                  force = gaps.read("contact_force"), pushed = list.read("contact_force");
    REQUIRE(u.size() > 30);
    REQUIRE(u.size() == moved.size());
    const double start[] = {0.0, -1e-6, 2e-6};
    Largest error, largest;
    for (std::size_t k = 0; k < u.size(); ++k)
        error.enter(std::abs(moved[k] - start[k % 3] - u[k]));
    CHECK(error < 1e-16);
    for (std::size_t k = 0; k < force.size(); ++k) {
        largest.enter(std::abs(force[k]));
        CHECK_ABSOLUTE(pushed[k], force[k], 1e-7);
    }
    CHECK(largest > 1.0);
    CHECK(file.read("displacement") == moved);
    CHECK(file.read("velocity") == list.read("velocity"));
    // The history holds the file: a run that goes on has the same start.
    CHECK(list.read("dissipated_energy").back() > 0.0);
    CHECK_RELATIVE(list.read("dissipated_energy").back(), gaps.read("dissipated_energy").back(),
                   1e-6);
}

TEST_CASE("an initial state that does not fit is refused in one sentence") {
    const Folder folder;
    const auto says = [&](const std::string& initial, const char* words,
                          const std::string& chain = between_walls(2, "0", pressed(20.0))) {
        CAPTURE(initial);
        write_file(folder / "s.toml", chain + "[initial]\n" + initial + "\n");
        CHECK(tells(refused(folder, "run s.toml -o x.h5"), words));
    };
    write_file(folder / "short.csv", "displacement_m\n1e-6\n");
    write_file(folder / "other.csv", "time_s\n1e-6\n");
    says("displacement = [1e-6]", "has 1 displacements; expected 2, one per bead");
    says("velocity = [1.0, 2.0, 3.0]", "has 3 velocities; expected 2");
    says("displacement = [0.0, 6e-3]", "more than a bead's radius");
    says("file = \"short.csv\"", "initial.file");
    says("file = \"other.csv\"", "has no column displacement_m or velocity_m_per_s");
    says("file = \"none.csv\"", "no such file");
    says("file = \"short.csv\"\nvelocity = [0.0, 0.0]", "is given together with a file");
    for (const char* damage : {"# drive 4000", "# drive 4000 Hzz", "# drive nan Hz", "# drive x"}) {
        write_file(folder / "drive.csv", std::string(damage) + "\ndisplacement_m\n0\n0\n");
        says("file = \"drive.csv\"", "expected a frequency in Hz behind it");
    }
    says("", "give file, displacement or velocity");
    says("displacement = [0.0, 0.0]\neigenvector = 1\namplitude = 1e-9",
         "for the file of an orbit");
    says("file = \"short.csv\"\neigenvector = 1", "amplitude");
    says("file = \"short.csv\"\neigenvector = 1\namplitude = 1e-9", "expected that of an unstable");
    write_file(folder / "s.toml", driven());
    find(folder, "--frequency 3760 --steps 256");
    says("file = \"orbit.h5\"", "under a drive of 3760 Hz, and that of this chain has 4000 Hz",
         driven());
    write_file(folder / "s.toml", driven());
    CHECK(tells(refused(folder, "orbit s.toml --frequency 3760 --run-scenario r.toml"),
                "expected -o ORBIT.h5 with it"));
    CHECK(tells(refused(folder, "orbit s.toml --lyapunov --run-scenario r.toml"),
                "is for one orbit"));
    // What the search could not end with is refused before it: no mode has this number.
    write_file(folder / "s.toml", between_walls(2, "0") + "[initial]\nfile = \"short.csv\"\n");
    write_file(folder / "short.csv", "displacement_m\n0\n0\n");
    std::filesystem::create_directory(folder / "in");
    CHECK(tells(refused(folder,
                        "orbit s.toml --frequency 9000 --guess mode:99 -o o.h5 "
                        "--run-scenario in/r.toml"),
                "names files of its folder"));
    CHECK(tells(refused(folder, "orbit s.toml -o \"$(printf 'x\\377').h5\" --run-scenario r.toml"),
                "must be text in UTF-8"));
    write_file(folder / "s.toml", between_walls(2, "0") +
                                      "[initial]\ndisplacement = [1e-6, 0.0]\n"
                                      "[sensors]\nbeads = [0]\n");
    write_file(folder / "o.toml", "[[objective]]\nkind = \"peak\"\ncontact = 1\nsmoothing = 8\n");
    CHECK(tells(refused(folder, "gradient s.toml --objective o.toml --inputs gap"), "[initial]"));
}

TEST_CASE("orbit: slow sweeps of the frequency jump at both folds of the branch" *
          doctest::skip(sanitised)) {
    // The chain of docs/examples/orbit_two_states.toml, both of whose outer states are stable up to
    // the folds at 3540.377 and 3574.982 Hz. The wall sweeps 120 Hz in a second.
    const double low = 3500.0, high = 3620.0, end = 1.0, amplitude = 4e-7;
    for (const bool upwards : {true, false}) {
        CAPTURE(upwards);
        const double from = upwards ? low : high,
                     rate = (upwards ? 1.0 : -1.0) * (high - low) / end;
        const Folder folder;
        std::string text = driven();
        const std::string sine = "frequency = 4000\namplitude = 2e-7";
        text.replace(text.find(sine), sine.size(), "file = \"sweep.csv\"");
        write_file(folder / "s.toml", text + "[snapshots]\ninterval = 2e-5\n");
        std::string rows = "time_s,displacement_m\n";
        const double h = 1.0 / (50.0 * high);
        for (int k = 0; k * h < end + 2.0 * h; ++k) {
            const double t = k * h;
            // In the first tenth of a second the amplitude grows.
            const double part = std::min(t / 0.1, 1.0);
            rows += fmt::format(
                "{:.9e},{:.9e}\n", t,
                part * amplitude * std::sin(2.0 * std::numbers::pi * (from + 0.5 * rate * t) * t));
        }
        write_file(folder / "sweep.csv", rows);
        done(folder, fmt::format("run s.toml -o sweep.h5 --set time.end={} --set "
                                 "foundation.0.damping=28.84 --set foundation.1.damping=9.75",
                                 end));
        const History history(folder / "sweep.h5");
        const Numbers u = history.over_time("displacement", 5),
                      time = history.read("snapshot_time");
        // Amplitudes within blocks of 5 ms; the jump is where they change most between blocks.
        constexpr std::size_t block = 250;
        Numbers most;
        for (std::size_t k = 0; k + block <= u.size(); k += block) {
            double largest = 0.0;
            for (std::size_t i = k; i < k + block; ++i)
                largest = std::max(largest, std::abs(u[i]));
            most.push_back(largest);
        }
        std::size_t jump = 0;
        double change = 0.0;
        for (std::size_t k = 30; k + 3 < most.size(); ++k) {
            const double by = std::abs(most[k + 3] - most[k]);
            if (by > change) change = by, jump = k;
        }
        const double at = from + rate * time[jump * block];
        MESSAGE("jumps at " << at << " Hz by " << change << " m");
        CHECK(change > 2e-7);
        CHECK_RELATIVE(at, upwards ? 3574.982 : 3540.377, 0.005);
    }
}

}  // namespace beadwave::validation::orbit_runs_test
