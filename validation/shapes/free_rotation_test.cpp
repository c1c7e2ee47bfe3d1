// The free rotation of ellipsoids against a table of another program, and what it keeps.
#include "largest.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "shape_rows.hpp"
#include "shapes/rigid_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::validation::free_rotation_test {
namespace {

using namespace shapes;

Vector products(const Vector& a, const Vector& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}
Vector ratios(const Vector& a, const Vector& b) {
    return {a.x / b.x, a.y / b.y, a.z / b.z};
}

struct Case {
    Vector moments;
    Rotation start;
    Vector spin;  ///< in the body's axes
    double time;
};

Case case_of(const Row& row) {
    const Ellipsoid e{.semi_axes = vector_of(row, "a_m", "b_m", "c_m")};
    const double mass = number(row, "density") * volume(e);
    CHECK_RELATIVE(mass, number(row, "mass_kg"), 1e-14);
    const Vector I = moments(e, mass), given = vector_of(row, "I1", "I2", "I3");
    CHECK(length(ratios(I, given) - Vector{1.0, 1.0, 1.0}) < 1e-14);
    const Vector spin = vector_of(row, "wb1_0", "wb2_0", "wb3_0");
    return {.moments = I,
            .start = {.orientation = {number(row, "q0w"), number(row, "q0x"), number(row, "q0y"),
                                      number(row, "q0z")},
                      .momentum = products(I, spin)},
            .spin = spin,
            .time = number(row, "time_s")};
}

/// Orientation (w >= 0) and spin at the end.
std::array<double, 7> end_of(const Case& c, int steps) {
    Rotation r = c.start;
    for (int i = 0; i < steps; ++i)
        turn_freely(r, c.moments, c.time / steps);
    const double sign = r.orientation.w < 0.0 ? -1.0 : 1.0;
    const Vector w = ratios(r.momentum, c.moments);
    return {sign * r.orientation.w,
            sign * r.orientation.x,
            sign * r.orientation.y,
            sign * r.orientation.z,
            w.x,
            w.y,
            w.z};
}

TEST_CASE("ellipsoids turn freely as the table says, to the square of the step") {
    for (const Row& row : table("shapes/free_rotation.csv")) {
        const Case c = case_of(row);
        const std::array<double, 7> exact{number(row, "qw"), number(row, "qx"),  number(row, "qy"),
                                          number(row, "qz"), number(row, "wb1"), number(row, "wb2"),
                                          number(row, "wb3")};
        const int steps = 20'000;
        const std::array<double, 7> coarse = end_of(c, steps), fine = end_of(c, 2 * steps);
        const double w = length(c.spin);
        Largest coarse_error, fine_error, extrapolated;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const double scale = i < 4 ? 1.0 : w;
            coarse_error.enter(std::abs(coarse[i] - exact[i]) / scale);
            fine_error.enter(std::abs(fine[i] - exact[i]) / scale);
            extrapolated.enter(std::abs((4.0 * fine[i] - coarse[i]) / 3.0 - exact[i]) / scale);
        }
        MESSAGE("errors ", double(coarse_error), ", ", double(fine_error), ", extrapolated ",
                double(extrapolated));
        CHECK(coarse_error < 1e-5);
        CHECK_RELATIVE(coarse_error / fine_error, 4.0, 0.01);
        // The next term is of fourth order; the table itself is good to 3e-12.
        CHECK(extrapolated < 1e-9);
    }
}

TEST_CASE("a free rotation keeps angular momentum and length to rounding, energy without drift" *
          doctest::skip(sanitised)) {
    for (const Row& row : table("shapes/free_rotation.csv")) {
        const Case c = case_of(row);
        Rotation r = c.start;
        const Vector before = to_space(normalised(r.orientation), r.momentum);
        const auto energy = [&] { return 0.5 * dot(r.momentum, ratios(r.momentum, c.moments)); };
        const double energy_before = energy(), step = 0.05 / length(c.spin);
        Largest momentum, size, early, late;
        const int steps = 200'000;
        for (int i = 0; i < steps; ++i) {
            turn_freely(r, c.moments, step);
            momentum.enter(length(to_space(r.orientation, r.momentum) - before) / length(before));
            size.enter(std::abs(norm(r.orientation) - 1.0));
            (i < steps / 2 ? early : late).enter(std::abs(energy() / energy_before - 1.0));
        }
        MESSAGE("momentum ", double(momentum), ", length ", double(size), ", energy ",
                double(early), " then ", double(late));
        CHECK(momentum < 1e-12);
        CHECK(size < 1e-15);
        CHECK(early < 0.05 * 0.05);
        CHECK(late < 1.05 * early + 1e-13);
    }
}

TEST_CASE("a ball turns about its axis by its angle") {
    const Vector I{2e-9, 2e-9, 2e-9};
    const Vector spin{3.0, -4.0, 12.0};
    Rotation r{.orientation = {}, .momentum = 2e-9 * spin};
    for (int i = 0; i < 10'000; ++i)
        turn_freely(r, I, 1e-5);
    // 13 rad/s for 0.1 s about spin/13.
    const double half = 0.65;
    CHECK_RELATIVE(r.orientation.w, std::cos(half), 1e-8);
    CHECK_RELATIVE(r.orientation.x, std::sin(half) * 3.0 / 13.0, 1e-8);
    CHECK_RELATIVE(r.orientation.y, std::sin(half) * -4.0 / 13.0, 1e-8);
    CHECK_RELATIVE(r.orientation.z, std::sin(half) * 12.0 / 13.0, 1e-8);
}

}  // namespace
}  // namespace beadwave::validation::free_rotation_test
