// Warnings about a packing that are known before its run.

#include "packing_system/packing_diagnostics.hpp"
#include "packing_system/packing_simulation.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace beadwave::validation::packing_warnings_test {

namespace {

std::vector<std::string> warnings_of(const std::string& law, double speed, double above_ground) {
    const std::string text = fmt::format(R"(
[material.ptfe]
youngs_modulus = 500e6
poisson_ratio = 0.46
density = 2170
[[particles]]
position = [0.0, 0.0, {:.17g}]
radius = 8.7e-3
material = "ptfe"
velocity = [0.0, 0.0, {}]
[[wall]]
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "ptfe"
file = "press.csv"
[law]
{}
[time]
end = 3e-5
)",
                                         8.7e-3 + above_ground, speed, law);
    std::string press = "time_s,displacement_m\n";
    for (int k = 0; k <= 20; ++k)
        press += fmt::format("{},{}\n", 1.5e-6 * k, 3e-8 * k * k);
    const packing::Scenario scenario =
        io::read_packing_text(text, "x.toml", {{"wall.0.file", press}}).scenario;
    const packing::Packing built = packing::build_packing(scenario);
    return running::diagnose(built, running::choose_time_step(scenario, built));
}

bool says(const std::vector<std::string>& warnings, const std::string& words) {
    for (const std::string& warning : warnings)
        if (warning.find(words) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE(
    "damping so steep that forces jump where the motion reverses gives a warning for packings "
    "too") {
    const std::string steep = "name = \"carretero-gonzalez\"\ngamma = 200.0\nalpha = 0.2";
    CHECK(says(warnings_of(steep, -1.0, 1e-4), "so steep at small speeds"));
    CHECK(warnings_of("name = \"hertz\"", -1.0, 1e-4).empty());
}

TEST_CASE("an impact speed that depends on the first steps gives a warning for driven walls too") {
    const std::string own = "name = \"hu\"\nrestitution = 0.7\nimpact_speed = \"per-contact\"";
    for (const double gap : {1e-14, 1e-13}) {
        CAPTURE(gap);
        CHECK(says(warnings_of(own + "\nmin_impact_speed = 5e-6", 0.0, gap), "starts gently"));
        CHECK_FALSE(says(warnings_of(own + "\nmin_impact_speed = 1.0", 0.0, gap), "starts gently"));
    }
    // If they touch, the speed after the first step is below min_impact_speed, which is used
    // instead.
    CHECK_FALSE(says(warnings_of(own + "\nmin_impact_speed = 5e-6", 0.0, 0.0), "starts gently"));
    // Over a tenth of a millimetre the wall gains a definite speed.
    CHECK_FALSE(says(warnings_of(own + "\nmin_impact_speed = 5e-6", -1.0, 1e-4), "starts gently"));
}

}  // namespace beadwave::validation::packing_warnings_test
