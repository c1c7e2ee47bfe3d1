// The order in the time step of long, soft contacts of ellipsoids that begin within a step.
#include "largest.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::validation::shaped_order_test {
namespace {

using namespace shapes;
using packing::Packing;

/// Soft ellipsoids that turn while they touch: one above a wall, or two. `gap`: between them at the
/// start [m]. Friction sticks.
Packing soft_bodies(bool wall, const std::string& law, laws::FrictionLaw friction, double gap) {
    Packing p = shaped_packing(3e6, law);
    p.friction = {.law = friction,
                  .coefficient = 1e3,
                  .stiffness = 300.0,
                  .damping = friction == laws::FrictionLaw::linear ? 0.01 : 0.0};
    Body a = solid({{4e-3, 2.5e-3, 2e-3}, {}, normalised({0.3, -0.5, 0.7, 0.1})}, 2500.0);
    a.velocity = {0.4, -0.3, -0.6};
    set_spin(a, {150.0, -80.0, 200.0});
    if (wall) {
        a.shape.centre.z = reach(a.shape, {0.0, 0.0, -1.0}) + gap;
        p.walls.push_back({});
        add_body(p, a);
        return p;
    }
    Body b = solid({{2e-3, 3e-3, 1.5e-3}, {2e-3, 0.5e-3, -8e-3}, normalised({0.1, 0.5, 0.2, 0.4})},
                   2500.0);
    const Gap far = gap_between({.first = a, .second = b});
    b.shape.centre += (far.overlap + gap) * far.normal;
    b.velocity = a.velocity - 0.8 * far.normal;
    set_spin(b, {-100.0, 50.0, 120.0});
    add_body(p, a);
    add_body(p, b);
    return p;
}

/// Velocities and spins at this time, speeds of 3 mm for spins [m/s].
std::vector<double> motion_at(const Packing& p, double time, std::int64_t steps) {
    const auto engine = packing::make_packing_engine(p, time / static_cast<double>(steps), 1);
    engine->advance(steps);
    std::vector<double> all;
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const Vector v = engine->velocity()[i], w = 3e-3 * engine->angular_velocity()[i];
        for (const double number : {v.x, v.y, v.z, w.x, w.y, w.z})
            all.push_back(number);
    }
    CHECK(engine->closed_contacts() == 1);
    return all;
}

/// The errors with steps a half and a quarter as long, over that before.
std::vector<double> ratios(const Packing& p, double time) {
    const std::vector<double> exact = motion_at(p, time, 51'200);
    std::vector<double> errors, all;
    for (const std::int64_t steps : {200, 400, 800}) {
        errors.push_back(largest_difference(motion_at(p, time, steps), exact));
        MESSAGE(errors.back());
        CHECK(errors.back() < 1e-2);
        if (errors.size() > 1) all.push_back(errors.end()[-2] / errors.back());
    }
    return all;
}

TEST_CASE("a contact of ellipsoids that closes within a step is of second order in the step") {
    // Without dashpot: Tsuji's grows as the fourth root of the overlap, which no step resolves.
    for (const bool wall : {true, false}) {
        for (const double ratio :
             ratios(soft_bodies(wall, "hertz", laws::FrictionLaw::none, 0.2e-3), 0.6e-3))
            CHECK_RELATIVE(ratio, 4.0, 0.25);  // where in the step it closes varies
    }
}

TEST_CASE("friction that sticks while ellipsoids turn is of second order in the step") {
    // A spring of constant stiffness, and contacts that are closed at the start: Mindlin's force is
    // of first order while the contact opens, and the step in which one closes counts whole.
    for (const bool wall : {true, false}) {
        for (const double ratio :
             ratios(soft_bodies(wall, "tsuji", laws::FrictionLaw::linear, -1e-5), 0.5e-3))
            CHECK_RELATIVE(ratio, 4.0, 0.02);
    }
}

}  // namespace
}  // namespace beadwave::validation::shaped_order_test
