// [[foundation]], [[resonator]], [[load]] and [[drive]] of packings: which particles they select,
// what they refuse, and the time step that they need.

#include "beadwave/input_error.hpp"
#include "beadwave/stepping/drive.hpp"
#include "packing/step/time_step.hpp"
#include "packing_texts.hpp"
#include "relative.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::packing_elements_test {

using packing::Packing;

namespace {

const std::string packing_of_nine = R"(dimension = 2
[material.m]
youngs_modulus = 1e9
poisson_ratio = 0.3
density = 2500
[[particles]]
lattice = "square"
cells = [4, 1]
radius = 1e-3
material = "m"
fixed = true
[[particles]]
lattice = "square"
cells = [4, 1]
origin = [0.0, 2.5e-3]
radius = 1e-3
material = "m"
[[particles]]
position = [0.0, 6e-3]
radius = 1e-3
material = "m"
velocity = [0.0, -0.5]
[law]
name = "hertz"
[time]
end = 1e-3
)";

std::vector<std::size_t> particles_of(const auto& elements) {
    std::vector<std::size_t> particles;
    for (const auto& each : elements)
        particles.push_back(each.particle);
    return particles;
}

}  // namespace

TEST_CASE("elements select all free particles, ranges, every second one and groups") {
    using List = std::vector<std::size_t>;
    const auto with = [](const std::string& keys) {
        return particles_of(built(packing_of_nine + "[[foundation]]\nstiffness = 1e3\n" + keys)
                                .elements.foundations);
    };
    CHECK(with("") == List{4, 5, 6, 7, 8});
    CHECK(with("particles = \"all\"\nevery = 3\n") == List{6});  // 0, 3, 6 without the fixed ones
    CHECK(with("particles = [5, 8]\nevery = 2\n") == List{5, 7});
    CHECK(with("group = 1\n") == List{4, 5, 6, 7});
    CHECK(with("group = 2\n") == List{8});
}

TEST_CASE("a drive gives its particle the velocity at the start, and holds it along its axes") {
    const Packing p =
        built(packing_of_nine +
              "[[drive]]\nparticles = [4, 5]\nvelocity = [0.3, 0.0]\n"
              "[[drive]]\nparticles = [7, 7]\nfrequency = 100\namplitude = [1e-4, 1e-4]\n"
              "axes = [true, false]\nrotates = true\n");
    CHECK(p.velocity[4] == packing::Vec3{0.3, 0.0, 0.0});
    CHECK_RELATIVE(p.velocity[7].x, 2.0 * std::numbers::pi * 100.0 * 1e-4, 1e-14);
    CHECK(p.velocity[7].y == 0.0);
    CHECK(p.is_held(4));
    CHECK(p.is_held(5));
    CHECK(!p.is_held(7));
    CHECK(p.is_held(0));  // fixed
}

TEST_CASE("elements that a packing cannot have are refused in one sentence") {
    const auto refused = [](const std::string& keys, const std::string& what) {
        check_refused(packing_of_nine + keys, what);
    };
    refused("[[foundation]]\nparticles = [0, 5]\nstiffness = 1.0\n",
            "foundation.0.particles = [0, 5]: particle 0 is fixed and cannot have it; expected a "
            "particle "
            "that is free to move");
    refused(
        "[[foundation]]\nparticles = [5, 9]\nstiffness = 1.0\n",
        "foundation.0.particles = [5, 9]: there is no particle 9; expected particles from 0 to 8");
    refused("[[foundation]]\nparticles = [6, 5]\nstiffness = 1.0\n",
            "foundation.0.particles = [6, 5]: ends before it begins; expected [first, last], such "
            "as [0, 8]");
    refused("[[foundation]]\nparticles = 5\nstiffness = 1.0\n",
            R"(must be "all", or the first and the last particle, such as [0, 9])");
    refused("[[foundation]]\nparticles = [5, 6]\n",
            "missing; give at least one of stiffness, cubic and damping");
    refused("[[foundation]]\ngroup = 3\nstiffness = 1.0\n",
            "foundation.0.group = 3: there is no [[particles]] with this number; expected 0 to 2");
    refused("[[foundation]]\ngroup = 1\nparticles = [5, 6]\nstiffness = 1.0\n",
            "is given in addition to particles; give one of the two");
    refused("[[foundation]]\nbeads = [5, 6]\nstiffness = 1.0\n", "foundation.0.beads");
    refused("[[resonator]]\ngroup = 1\nstiffness = 1.0\n", "resonator.0.mass: missing");
    refused(
        "[[load]]\nforce = [1.0, 0.0]\n",
        "load.0.particles: missing; give particles, the first and the last one, such as [0, 9], "
        "or \"all\", or group, the number of a [[particles]]");
    refused("[[load]]\ngroup = 1\n", "missing; give force, a vector in N, or frequency");
    refused("[[load]]\ngroup = 1\nforce = 1.0\n", "load.0.force");
    refused("[[load]]\ngroup = 1\nforce = [0.0, 0.0, 1.0]\n",
            "load.0.force = [0.0, 0.0, 1.0]: points out of the plane z = 0; expected [x, y]");
    refused("[[load]]\ngroup = 1\nfrequency = 10.0\n", "load.0.amplitude: missing");
    refused("[[drive]]\ngroup = 1\nvelocity = [0, 0, 1]\n",
            "drive.0.velocity = [0, 0, 1]: points out of the plane z = 0");
    refused("[[drive]]\ngroup = 1\n", "missing; give velocity, a vector in m/s, or frequency");
    refused(
        "[[drive]]\ngroup = 1\nvelocity = [0, 0]\naxes = [false, false]\n",
        "drive.0.axes = [false, false]: prescribes no motion; expected true for at least one axis");
    refused("[[drive]]\ngroup = 1\nfrequency = 10.0\namplitude = [1e-4, 0]\ncycles = 0.3\n",
            "drive.0.cycles = 0.3: must be a multiple of 0.5");
    refused(
        "[[drive]]\ngroup = 2\nvelocity = [0, 0]\n",
        "drive.0.group = 2: particle 8 has a velocity of -0.5 m/s along y at the start; a driven "
        "particle moves as its drive says");
    refused(
        "[[drive]]\ngroup = 1\nvelocity = [0, 0]\n[[drive]]\nparticles = [5, 5]\nvelocity = [0, "
        "0]\n",
        "drive.1.particles = [5, 5]: particle 5 is driven already");
    refused("[[drive]]\ngroup = 0\nvelocity = [0, 0]\n", "particle 0 is fixed and cannot have it");
}

TEST_CASE("elements and a box that strains exclude each other, pressing does not") {
    const std::string loose = R"([material.m]
youngs_modulus = 1e9
poisson_ratio = 0.3
density = 2500
[[particles]]
random = 30
lower = [0.0, 0.0, 0.0]
upper = [0.01, 0.01, 0.01]
radius = 1e-3
material = "m"
[box]
lower = [0.0, 0.0, 0.0]
upper = [0.01, 0.01, 0.01]
periodic = [true, true, true]
STRAIN
[law]
name = "hertz"
[[foundation]]
stiffness = 1e3
[time]
end = 1e-3
)";
    const auto with = [&](const std::string& strain) {
        std::string text = loose;
        return text.replace(text.find("STRAIN"), 6, strain);
    };
    check_refused(with("strain_rate = [-0.1, 0.0, 0.0]"),
                  "box: strains, and what particles carry cannot follow the strain; expected a box "
                  "without strain");
    const Packing p = built(with("[press]\nvolume_fraction = 0.2"));
    CHECK(p.elements.foundations.size() == 30);
}

TEST_CASE("the time step resolves springs, masses inside, drag, loads and drives") {
    const auto step_with = [](const std::string& keys) {
        const Packing p = built(packing_of_nine + keys);
        const stepping::StepRequest request{.end = 1e-3, .step = {}, .interval = 1e-3};
        return packing::choose_time_step(p, request).step;
    };
    const double m = 4.0 / 3.0 * std::numbers::pi * 1e-9 * 2500.0, pi = std::numbers::pi;
    const double free = step_with("");
    const auto at_most = [&](const std::string& keys, double expected) {
        const double step = step_with(keys);
        CHECK(step < free);
        // A step that fits the end of the run is a little shorter.
        CHECK(step <= expected * (1.0 + 1e-12));
        CHECK(step > 0.9 * expected);
    };
    const double k = 1e7, n = 1e-6, c = 5.0;
    at_most("[[foundation]]\ngroup = 1\nstiffness = 1e7\n",
            pi / std::sqrt(k / m) / packing::steps_per_contact);
    at_most("[[resonator]]\ngroup = 1\nmass = 1e-6\nstiffness = 1e7\n",
            pi / std::sqrt(k / m + k / n) / packing::steps_per_contact);
    at_most("[[foundation]]\ngroup = 1\ndamping = 5.0\n", m / c / stepping::steps_per_damping_time);
    at_most("[[drive]]\ngroup = 1\nfrequency = 1e5\namplitude = [1e-9, 0]\n",
            1e-5 / stepping::steps_per_period);
    at_most("[[load]]\ngroup = 1\nfrequency = 1e5\namplitude = [1e-6, 0]\n",
            1e-5 / stepping::steps_per_period);
}

TEST_CASE("a drive with velocities moves by their integral") {
    const stepping::Drive steady = stepping::Drive::steady(-0.3);
    CHECK_RELATIVE(steady.displacement(2.0), -0.6, 1e-15);
    CHECK(steady.velocity(7.0) == -0.3);
    CHECK(steady.largest_speed() == 0.3);
    CHECK(std::isinf(steady.period()));
    const stepping::Drive ramp =
        stepping::Drive::with_velocities({0.0, 1.0, 3.0}, {0.0, 2.0, -1.0});
    CHECK_RELATIVE(ramp.displacement(0.5), 0.25, 1e-15);
    CHECK_RELATIVE(ramp.displacement(1.0), 1.0, 1e-15);
    CHECK_RELATIVE(ramp.velocity(2.0), 0.5, 1e-15);
    CHECK_RELATIVE(ramp.displacement(2.0), 1.0 + 1.25, 1e-15);
    CHECK_RELATIVE(ramp.displacement(4.0), 2.0 - 1.0, 1e-14);
    CHECK(ramp.velocity(9.0) == -1.0);
    CHECK_RELATIVE(ramp.period(), 2.0 * std::numbers::pi * 2.0 / 2.0, 1e-15);
}

}  // namespace beadwave::validation::packing_elements_test
