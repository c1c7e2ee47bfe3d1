// A free ellipsoid in a packing turns as the table of another program says.
#include "largest.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"
#include "shapes/rigid_motion.hpp"

#include <array>
#include <cmath>
#include <memory>

namespace beadwave::validation::shaped_rotation_test {
namespace {

using namespace shapes;

/// Orientation (w >= 0) and spin about the axes of the body.
std::array<double, 7> end_of(const packing::Packing& p, double time, int steps) {
    const std::unique_ptr<packing::PackingEngine> engine =
        packing::make_packing_engine(p, time / steps, 1);
    engine->advance(steps);
    const Quaternion q = engine->orientation()[0];
    const Vector w = body_spin_of(*engine, 0);
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    return {sign * q.w, sign * q.x, sign * q.y, sign * q.z, w.x, w.y, w.z};
}

TEST_CASE("a free ellipsoid of a packing turns as the table says, to the square of the step") {
    for (const Row& row : table("shapes/free_rotation.csv")) {
        Body body = solid({.semi_axes = vector_of(row, "a_m", "b_m", "c_m"),
                           .centre = {0.1, 0.2, -0.3},
                           .orientation = {number(row, "q0w"), number(row, "q0x"),
                                           number(row, "q0y"), number(row, "q0z")}},
                          number(row, "density"));
        body.velocity = {1.0, -2.0, 3.0};
        const Vector spin = vector_of(row, "wb1_0", "wb2_0", "wb3_0");
        set_spin(body, to_space(body.shape.orientation, spin));
        packing::Packing p = shaped_packing(70e9);
        add_body(p, body);
        const std::array<double, 7> exact{number(row, "qw"), number(row, "qx"),  number(row, "qy"),
                                          number(row, "qz"), number(row, "wb1"), number(row, "wb2"),
                                          number(row, "wb3")};
        const double time = number(row, "time_s");
        const int steps = 20'000;
        const std::array<double, 7> coarse = end_of(p, time, steps),
                                    fine = end_of(p, time, 2 * steps);
        Largest coarse_error, fine_error;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const double scale = i < 4 ? 1.0 : length(spin);
            coarse_error.enter(std::abs(coarse[i] - exact[i]) / scale);
            fine_error.enter(std::abs(fine[i] - exact[i]) / scale);
        }
        MESSAGE("errors ", double(coarse_error), ", ", double(fine_error));
        CHECK(coarse_error < 1e-5);
        CHECK_RELATIVE(coarse_error / fine_error, 4.0, 0.01);
    }
}

}  // namespace
}  // namespace beadwave::validation::shaped_rotation_test
