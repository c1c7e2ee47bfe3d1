// When the linear friction law cuts its spring and when only its force.

#include "laws/tangential/linear_slider.hpp"

#include "relative.hpp"

#include <doctest/doctest.h>

namespace beadwave::validation::linear_slider_test {

namespace {

/// k = 1000 N/m, c = 10 N s/m, mu = 0.5, so that the limit is 1 N at a normal force of 2 N.
struct Felt {
    double force, spring;
};

/// The response along x to a spring with this force [N] and a slip velocity [m/s], without slip in
/// the step.
Felt respond(double spring, double velocity) {
    const laws::LinearSlider<double> law{.stiffness = 1000.0, .damping = 10.0, .coefficient = 0.5};
    const auto response = law.respond({.slip = {},
                                       .mean = {},
                                       .velocity = {velocity, 0, 0},
                                       .overlap = 1e-6,
                                       .normal_force = 2.0},
                                      {{spring, 0, 0}, 0.0});
    return {response.force.x, response.memory.vector.x};
}

}  // namespace

TEST_CASE("linear friction sticks while spring and dashpot together stay within the limit") {
    CHECK_RELATIVE(respond(0.5, 0.03).force, 0.8, 1e-15);
    CHECK(respond(0.5, 0.03).spring == 0.5);
    // The dashpot holds back a spring that is beyond the limit alone: nothing is cut.
    CHECK_RELATIVE(respond(1.5, -0.08).force, 0.7, 1e-15);
    CHECK(respond(1.5, -0.08).spring == 1.5);
}

TEST_CASE("linear friction that slides keeps a spring within the limit and cuts one beyond it") {
    CHECK_RELATIVE(respond(0.5, 0.2).force, 1.0, 1e-15);
    CHECK(respond(0.5, 0.2).spring == 0.5);
    CHECK_RELATIVE(respond(1.5, 0.2).force, 1.0, 1e-15);
    CHECK_RELATIVE(respond(1.5, 0.2).spring, 1.0, 1e-15);
}

}  // namespace beadwave::validation::linear_slider_test
