// The coefficient of restitution of each impact, by Newton's, Poisson's and Stronge's definitions.
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <cmath>

namespace beadwave::validation::mechanism_restitution_test {
namespace {

using namespace mechanism;

/// A rod of 1 m falls on the floor with its lower end; `angle` from the vertical.
Mechanism falling_rod(double angle, double coefficient) {
    const Vector half{0.5 * std::sin(angle), 0.5 * std::cos(angle)};
    Mechanism made;
    made.bodies = {{.name = "rod",
                    .mass = 1.0,
                    .inertia = 1.0 / 12.0,
                    .centre = half + Vector{0.0, 1e-4},
                    .velocity = Vector{0.0, -1.0}}};
    made.contacts = {{.name = "tip",
                      .bodies = {0, ground},
                      .geometry = PointLine{.point = {0.0, 1e-4},
                                            .line_point = {0.0, 0.0},
                                            .normal = {0.0, 1.0},
                                            .radius = 0.01},
                      .materials = Stiffness{1e9},
                      .law = validation::law_settings("flores", {{"restitution", 0.7}})}};
    if (coefficient > 0.0) {
        made.contacts[0].friction = Friction{.law = Friction::Law::linear,
                                             .coefficient = coefficient,
                                             .stiffness = 1e7,
                                             .damping = 0.0};
    }
    made.accuracy = 1e-10;
    made.end = 2.5e-3;
    made.interval = 1e-7;
    return made;
}

/// The same three from the samples of the force: sums with the trapezoidal rule.
struct Sums {
    double compression = 0.0, separation = 0.0, taken = 0.0, given = 0.0;
    ContactSample before{};
    void add(const ContactSample& now, double interval) {
        const double impulse = 0.5 * interval * (std::max(now.force, 0.0) + before.force);
        const double work =
            0.5 * interval *
            (std::max(now.force, 0.0) * now.approach_speed + before.force * before.approach_speed);
        (now.approach_speed > 0.0 ? compression : separation) += impulse;
        (now.approach_speed > 0.0 ? taken : given) += std::abs(work);
        before = now;
        before.force = std::max(now.force, 0.0);
    }
};

TEST_CASE("without friction a short impact has one restitution, straight or oblique") {
    for (const double angle : {0.0, 0.6}) {
        const Result result = simulate(falling_rod(angle, 0.0));
        const auto& impacts = result.contact_points[0].impacts;
        REQUIRE(impacts.size() == 1);
        const Impact& hit = impacts[0];
        const double newton = hit.separation_speed / hit.impact_speed;
        CHECK(newton > 0.6);
        // The rod turns by some 1e-3 rad meanwhile; a vertical rod does not.
        const double tolerance = angle == 0.0 ? 1e-8 : 5e-3;
        CHECK_RELATIVE(hit.poisson_restitution, newton, tolerance);
        CHECK_RELATIVE(hit.stronge_restitution, newton, tolerance);
    }
}

TEST_CASE("with friction an eccentric impact has three, and they are those of its force") {
    const Mechanism made = falling_rod(0.6, 0.5);
    Sums sums;
    const Result result = simulate(
        made, [&](const Sample& sample) { sums.add(sample.contact_points[0], made.interval); });
    REQUIRE(result.contact_points[0].impacts.size() == 1);
    const Impact& hit = result.contact_points[0].impacts[0];
    REQUIRE(std::isfinite(hit.end));
    const double newton = hit.separation_speed / hit.impact_speed;
    // The sample at the turn belongs to one side: 1e-7 s of some 1e-3 s, of the largest force.
    CHECK_RELATIVE(hit.poisson_restitution, sums.separation / sums.compression, 4e-4);
    CHECK_RELATIVE(hit.stronge_restitution, std::sqrt(sums.given / sums.taken), 4e-4);
    CHECK(std::abs(hit.poisson_restitution - newton) > 0.01);
    CHECK(std::abs(hit.stronge_restitution - newton) > 0.01);
    CHECK(std::abs(hit.stronge_restitution - hit.poisson_restitution) > 1e-3);
}

}  // namespace
}  // namespace beadwave::validation::mechanism_restitution_test
