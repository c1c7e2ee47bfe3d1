// Derivatives with events whose instant depends on the parameters: a force that jumps when contacts
// close, open or yield, a law that stores the speed at which its contact closed.
//
// Differences between runs at displaced values contain these only if the displacement moves the
// instant over many steps.

#include "derivatives.hpp"
#include "largest.hpp"
#include "relative.hpp"

#include <functional>
#include <numbers>

namespace beadwave::validation::derivatives_jumps_test {

namespace {

/// One bead strikes another through a gap; a linear spring and dashpot between them.
struct LinearCollision {
    double speed, gap, stiffness, damping;  // m/s, m, N/m, N s/m
    static constexpr double reduced_mass = 0.5 * 0.45e-3;

    /// [N], until it would become tensile.
    double force(double time) const {
        const double t = time - gap / speed;
        if (t < 0.0) return 0.0;
        const double decay = 0.5 * damping / reduced_mass;
        const double w = std::sqrt(stiffness / reduced_mass - decay * decay);
        const double envelope = speed / w * std::exp(-decay * t);
        const double overlap = envelope * std::sin(w * t);
        const double rate = envelope * (w * std::cos(w * t) - decay * std::sin(w * t));
        return std::max(0.0, stiffness * overlap + damping * rate);
    }
};

constexpr const char* two_beads = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
[[segment]]
beads = 1
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
velocity = 1.0
[[segment]]
beads = 1
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
gap = 3.35e-6
[law]
name = "kelvin-voigt"
restitution = "from-damping"
damping = 20.0
stiffness = 1e7
[time]
end = 1.6e-5
step = 1e-9
[sensors]
beads = [0]
interval = 1e-7
)";

}  // namespace

TEST_CASE(
    "a spring and dashpot: derivatives of the force between two beads equal the closed form") {
    const Folder folder;
    write_file(folder / "chain.toml", two_beads);
    VariedScenario chain{.file = folder / "chain.toml", .settings = {}};
    chain.vary("segment.0.velocity", 1.0);
    chain.vary("segment.1.gap", 3.35e-6);
    chain.vary("law.stiffness", 1e7);
    chain.vary("law.damping", 20.0);
    const fit::Response response = chain.derivatives();
    const LinearCollision exact{1.0, 3.35e-6, 1e7, 20.0};
    double LinearCollision::*const numbers[] = {&LinearCollision::speed, &LinearCollision::gap,
                                                &LinearCollision::stiffness,
                                                &LinearCollision::damping};
    for (std::size_t k = 0; k < 4; ++k) {
        CAPTURE(chain.varied[k].key);
        Largest largest, error;
        for (std::size_t i = 0; i < response.times.size(); ++i) {
            const double time = response.times[i];
            LinearCollision above = exact, below = exact;
            const double h = 1e-6 * exact.*numbers[k];
            above.*numbers[k] += h;
            below.*numbers[k] -= h;
            // The sensor has half of the force; the other side of the bead is free.
            const double slope = 0.5 * (above.force(time) - below.force(time)) / (2.0 * h);
            const bool open = exact.force(time + 2e-8) == 0.0;  // and about to open
            if (open) continue;
            largest.enter(std::abs(slope));
            error.enter(std::abs(slope - response.derivatives[4 * i + k]));
        }
        // Half a step in the instant of closing, of a motion with 2e5 rad/s; without the jump the
        // error is a tenth and more.
        CHECK_ABSOLUTE(error / largest, 0.0, 1e-3);
    }
}

TEST_CASE("jumps and stored speeds: derivatives equal the differences over many steps") {
    const Folder folder;
    write_file(folder / "chain.toml", six_beads);
    // If the instant moves over n steps, the difference contains n or n +- 1 of them. At a fiftieth
    // of the step there are hundreds, and errors of a few thousandths remain. There are few
    // samples, so that none falls on a jump of the force itself.
    VariedScenario chain{.file = folder / "chain.toml",
                         .settings = {"time.step=3e-9", "sensors.interval=1.5e-6"}};
    const auto check = [&](const std::string& key, double value, double h) {
        CAPTURE(key);
        chain.varied.clear();
        chain.vary(key, value);
        CHECK_ABSOLUTE(chain.error(chain.derivatives(), 0, h).root_mean_square, 0.0, 3e-3);
    };
    SUBCASE("the force jumps at closing") {
        chain.settings.insert(chain.settings.end(),
                              {"law.name=\"kelvin-voigt\"", "law.restitution=0.65"});
        check("segment.0.velocity", 1.77, 1e-2);
        check("law.restitution", 0.65, 1e-3);
    }
    SUBCASE("the force jumps at yield") {
        chain.settings.insert(chain.settings.end(),
                              {"law.name=\"wang-liu\"", "law.restitution=0.65"});
        check("segment.0.velocity", 1.77, 1e-2);
    }
    SUBCASE("contacts store the speed at which they closed, while beads are accelerated") {
        chain.settings.insert(
            chain.settings.end(),
            {"law.name=\"hunt-crossley\"", "law.restitution=0.65",
             "law.impact_speed=\"per-contact\"", "segment.1.gap=3e-6", "time.end=9e-5"});
        check("segment.0.velocity", 1.77, 1e-2);
        check("segment.1.gap", 3e-6, 3e-8);
    }
}

}  // namespace beadwave::validation::derivatives_jumps_test
