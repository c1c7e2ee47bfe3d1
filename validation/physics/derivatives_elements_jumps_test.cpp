// Derivatives of chains whose beads carry something, where a force jumps at an instant that depends
// on the parameters: bonds that break, damped bonds for tension only that become taut and slack,
// loads that end with a jump.
//
// Differences between runs contain these only if the displacement moves the instant over many
// steps. At a hundredth of the usual step there are hundreds, and errors of a few thousandths
// remain. There are few samples, so that none falls on a jump itself.

#include "derivatives.hpp"
#include "relative.hpp"

#include <string>
#include <vector>

namespace beadwave::validation::derivatives_elements_jumps_test {

namespace {

/// A bead pulls at five others, then comes back: bonds become taut, break or become slack.
constexpr const char* pulled_beads = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
[[segment]]
beads = 1
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
velocity = -0.5
[[segment]]
beads = 5
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
[[foundation]]
beads = [0, 0]
stiffness = 5e6
[law]
name = "hertz"
[time]
end = 8e-5
step = 2e-9
[sensors]
beads = [0, 1, 2, 3]
interval = 2e-6
)";

struct Pulled {
    Folder folder;
    VariedScenario chain;

    explicit Pulled(const std::string& text, std::vector<std::string> settings = {})
        : chain{.file = folder / "chain.toml", .settings = std::move(settings)} {
        write_file(chain.file, pulled_beads + text);
    }

    void check(const std::string& key, double value, double part, double tolerance = 4e-3) {
        CAPTURE(key);
        chain.varied.clear();
        chain.vary(key, value);
        const fit::Response response = chain.derivatives();
        CHECK(response.forces == chain.forces());
        CHECK_ABSOLUTE(chain.error(response, 0, part * std::abs(value)).root_mean_square, 0.0,
                       tolerance);
    }
};

}  // namespace

TEST_CASE("a bond that breaks: derivatives equal the differences over many steps") {
    Pulled one(R"(
[[bond]]
stiffness = 4e6
damping = 3.0
strength = 8.0
)");
    one.check("segment.0.velocity", -0.5, 5e-3);
    one.check("bond.0.strength", 8.0, 5e-3);
    one.check("bond.0.stiffness", 4e6, 5e-3);
    one.check("bond.0.damping", 3.0, 1e-1, 8e-3);  // moves the instant little
    one.check("foundation.0.stiffness", 5e6, 5e-3);
}

TEST_CASE("a damped bond for tension only: derivatives equal the differences over many steps") {
    Pulled one(R"(
[[bond]]
stiffness = 2e6
damping = 20.0
tension_only = true
gap = 2e-6
)");
    one.check("bond.0.gap", 2e-6, 5e-3);
    one.check("segment.0.velocity", -0.5, 5e-3);
    one.check("bond.0.damping", 20.0, 1e-2);
}

TEST_CASE("a load that ends with a jump: derivatives equal the differences over many steps") {
    Pulled one(R"(
[[load]]
bead = 1
frequency = 2e4
amplitude = 40.0
cycles = 0.7
)",
               {"segment.0.velocity=0.3"});
    one.check("load.0.cycles", 0.7, 5e-3);
    one.check("load.0.frequency", 2e4, 5e-3);
    one.check("load.0.amplitude", 40.0, 1e-3);
}

}  // namespace beadwave::validation::derivatives_elements_jumps_test
