// Oblique impacts of spheres on a plane and on triangles beside a table that was made without
// steps.

#include "impacts.hpp"
#include "largest.hpp"
#include "meshes.hpp"
#include "packing/contacts/impact.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace beadwave::validation::packing_oblique_impacts_test {

using packing::Impact;

namespace {

/// Three rows of each set of a table of oblique impacts that was made by following stick and slip
/// from event to event (accuracy 1e-10): sphere of radius 2.5 mm and 1.767145867644259e-4 kg, no
/// spin, normal spring 2e7 N/m. Sliding: what its dashpot, slip and the spring that contact leaves
/// behind take together.
struct ObliqueImpact {
    const char* separation;
    double vx, vz;                                                    // before [m/s]
    double tangential_stiffness, normal_dashpot, tangential_dashpot;  // [N/m], [N s/m]
    double friction;
    double vx_after, vz_after, spin_after, duration;  // [m/s], [rad/s], [s]
    double normal, sliding;                           // dissipated [J]
};

constexpr ObliqueImpact oblique_impacts[] = {
    {"gap", 1.009327814041258, 3.766862683494408, 5714285.714285714, 0, 0, 0.5, 0.4325690631605397,
     3.766862683494408, 576.7587508807187, 9.338369941448199e-06, 0, 0},
    {"gap", 2.75753486945315, 2.75753486945315, 5714285.714285714, 0, 0, 0.5, 1.181800658337064,
     2.75753486945315, 1575.734211116085, 9.338369941448199e-06, 0, 0},
    {"gap", 3.783904171301606, 0.9434332699806099, 5714285.714285714, 0, 0, 0.5, 2.840470901320995,
     0.9434332699806099, 943.4332699806104, 9.338369941448199e-06, 0, 0.0003555930435621947},
    {"gap", 1.009327814041258, 3.766862683494408, 12000000, 0, 0, 0.5, 0.6331551065665,
     3.766862683494408, 376.1727074747585, 9.338369941448199e-06, 0, 2.333449696546482e-05},
    {"gap", 2.75753486945315, 2.75753486945315, 12000000, 0, 0, 0.5, 1.50245503988557,
     2.75753486945315, 1255.079829567579, 9.338369941448199e-06, 0, 0.0001244568993179203},
    {"gap", 3.783904171301606, 0.9434332699806099, 12000000, 0, 0, 0.5, 2.840470901320995,
     0.9434332699806099, 943.4332699806104, 9.338369941448199e-06, 0, 0.0003555930435621946},
    {"gap", 1.009327814041258, 3.766862683494408, 12000000, 0, 0, 0.1, 0.5308439156178149,
     3.766862683494408, 478.4838984234436, 9.338369941448199e-06, 0, 1.454186727399748e-05},
    {"gap", 2.75753486945315, 2.75753486945315, 12000000, 0, 0, 0.1, 2.206027895562519,
     2.75753486945315, 551.5069738906303, 9.338369941448199e-06, 0, 0.0001746858701412512},
    {"gap", 3.783904171301606, 0.9434332699806099, 12000000, 0, 0, 0.1, 3.595217517305484,
     0.9434332699806099, 188.6866539961221, 9.338369941448199e-06, 0, 0.0001151591659908896},
    {"gap", 1.009327814041258, 3.766862683494408, 5714285.714285714, 0.7598727230870312,
     0.3799363615435156, 0.5, 0.4424900229956478, 3.691986168023539, 566.8377910456106,
     9.338560651553655e-06, 4.934689551952632e-05,
     1.745170748928638e-06 + -8.281191612961706e-09 + 2.203961152747347e-09},
    {"gap", 2.75753486945315, 2.75753486945315, 5714285.714285714, 0.7598727230870312,
     0.3799363615435156, 0.5, 1.208897433498237, 2.702721455834757, 1548.637435954912,
     9.338560651553655e-06, 2.644492160688022e-05,
     1.302613415626793e-05 + -6.548035923581195e-08 + 1.645092695257391e-08},
    {"gap", 3.7839, 0.94345, 5714285.714285714, 0.7598727230870312, 0.3799363615435156, 0.5,
     2.849777024060511, 0.9246963966816388, 934.1229759394885, 9.338560651553655e-06,
     3.095551515421288e-06, 2.088054515332948e-05 + 0.0003338915564808725 + 6.141388328204307e-10},
    {"gap", 1.009327814041258, 3.766862683494408, 12000000, 19.08259418761535, 0, 0.5,
     0.5258494751713201, 2.260117610096644, 483.4783388699383, 9.461013332356335e-06,
     0.0008023834372080357, 1.39469076468038e-05},
    {"gap", 2.75753486945315, 2.75753486945315, 12000000, 19.08259418761535, 0, 0.5,
     1.319340627333981, 1.65452092167189, 1438.194242119168, 9.461013332356335e-06,
     0.0004299959880400032, 6.117259667625489e-05},
    {"gap", 3.783904171301606, 0.9434332699806099, 12000000, 19.08259418761535, 0, 0.5,
     3.020113262663688, 0.5660599619883658, 763.7909086379179, 9.461013332356335e-06,
     5.033206546108642e-05, 0.0003303153719282463},
    {"force", 1.009327814041258, 3.766862683494408, 12000000, 19.08259418761535, 0, 0.5,
     0.5258494751713201, 2.381751551176005, 483.4783388699383, 8.490154045021305e-06,
     0.0007524961282806334, 1.39469076468038e-05},
    {"force", 2.75753486945315, 2.75753486945315, 12000000, 19.08259418761535, 0, 0.5,
     1.319340627333981, 1.743563146466821, 1438.194242119168, 8.490154045021305e-06,
     0.0004032614597606845, 6.117259667625489e-05},
    {"force", 3.783904171301606, 0.9434332699806099, 12000000, 19.08259418761535, 0, 0.5,
     3.020113262663688, 0.5965239094202581, 763.7909086379179, 8.490154045021305e-06,
     4.720272457221107e-05, 0.0003303153719282463},
};

}  // namespace

TEST_CASE("oblique impacts on a plane and on triangles are those of the table, one row each") {
    constexpr double mass = 1.767145867644259e-4, radius = 2.5e-3, before = 0.00134373746262501;
    for (const ObliqueImpact& row : oblique_impacts) {
        for (const bool triangles : {false, true}) {
            CAPTURE(row.vx);
            CAPTURE(row.tangential_stiffness);
            CAPTURE(row.normal_dashpot);
            CAPTURE(row.separation);
            CAPTURE(triangles);
            packing::Packing p = steel_packing("kelvin-voigt");
            p.law = spring_and_dashpot(2e7, row.normal_dashpot, row.separation);
            p.friction = {.law = laws::FrictionLaw::linear,
                          .coefficient = row.friction,
                          .stiffness = row.tangential_stiffness,
                          .damping = row.tangential_dashpot};
            // The table has the lever R of a hard sphere. Here it is R less the overlap, 1e-3 of
            // it: so the sphere is large, and its moment of inertia and the table's spin go with
            // it.
            constexpr double large = 2.5;
            p.add(large, mass, {-2e-6, 0, large + 1e-6});
            p.velocity[0] = {row.vx, 0, -row.vz};
            packing::Wall wall;
            if (triangles) {  // it passes from one triangle to another while it touches
                wall.shape = mesh_of(plate({-8.0, -8.1, 0}, {16, 0, 0}, {0, 16.2, 0}, 8), {});
            }
            p.walls.push_back(wall);
            const auto engine = watching(p, 2e-9);
            engine->advance(6500);
            const std::vector<Impact> impacts = engine->take_impacts();
            REQUIRE(impacts.size() == 1);
            const Impact& impact = impacts[0];
            CHECK(impact.second == 1);
            // The step is of first order where a dashpot acts at the ends: c dt / 2 m is 1e-4 with
            // the large one. So it is where friction lets the spring go as its limit falls to 0:
            // half the step halves the error of the slip. A contact that slides cuts its spring
            // alone to the limit, in the table spring and dashpot together: 1e-4 of the slip.
            const double tolerance = row.normal_dashpot > 1.0 ? 3e-4 : 2e-5;
            const double slip_tolerance = 1e-3;
            const double loss_tolerance =
                row.tangential_dashpot > 0.0 ? 5e-5 * before : tolerance * before;
            CHECK_RELATIVE(impact.impact_speed, row.vz, 1e-9);
            CHECK_RELATIVE(impact.impact_slip_speed, row.vx, 1e-9);
            CHECK_RELATIVE(impact.start, 1e-6 / row.vz, 1e-6);
            CHECK_RELATIVE(impact.separation_speed, row.vz_after, tolerance);
            CHECK_ABSOLUTE(impact.separation_slip_speed,
                           std::abs(row.vx_after - radius * row.spin_after),
                           slip_tolerance * row.vx);
            CHECK_RELATIVE(impact.end - impact.start, row.duration, tolerance);
            CHECK_ABSOLUTE(impact.dissipated.normal, row.normal, loss_tolerance);
            CHECK_ABSOLUTE(impact.dissipated.sliding, row.sliding, loss_tolerance);
        }
    }
}

TEST_CASE("no sphere leaves a fixed wall with more energy than it had, with every friction law") {
    using laws::Friction, laws::FrictionLaw;
    std::vector<Friction> frictions;
    for (const FrictionLaw law :
         {FrictionLaw::linear, FrictionLaw::mindlin, FrictionLaw::mindlin_displacement}) {
        const double stiffness = law == FrictionLaw::linear ? 3e4 : 0.0;
        const Friction plain{.law = law, .coefficient = 0.3, .stiffness = stiffness};
        Friction sticks = plain, damped = plain;
        sticks.static_coefficient = 0.5;
        (law == FrictionLaw::linear ? damped.damping : damped.damping_ratio) = 0.02;
        frictions.insert(frictions.end(), {plain, sticks, damped});
    }
    for (const char* law : {"hertz", "tsuji"}) {
        for (const Friction& friction : frictions) {
            CAPTURE(law);
            CAPTURE(static_cast<int>(friction.law));
            CAPTURE(friction.static_coefficient.has_value());
            packing::Packing p = steel_packing(law);
            p.species_list[0].elasticity.youngs_modulus = 1e8;
            p.friction = friction;
            p.walls.emplace_back();
            constexpr double radius = 5e-3, inertia = 0.4 * radius * radius;
            std::vector<double> before;
            for (int degrees = 4; degrees <= 88; degrees += 4) {
                for (const double spin : {-200.0, 0.0, 150.0}) {
                    const double angle = degrees * 0.017453292519943295;
                    p.add(radius, steel_mass(radius), {3e-4 * spin, 4e-3 * degrees, radius});
                    p.velocity.back() = {std::sin(angle), 0, -std::cos(angle)};
                    p.angular_velocity.back() = {0, spin, 0};
                    before.push_back(1.0 + inertia * spin * spin);
                }
            }
            const auto engine = packing::make_packing_engine(p, 1e-6, 1);
            engine->advance(2500);
            CHECK(engine->closed_contacts() == 0);
            Largest largest;
            double smallest = 1.0;
            for (std::size_t i = 0; i < p.particles(); ++i) {
                const packing::Motion now = engine->motion(i);
                const double after = dot(now.velocity, now.velocity) +
                                     inertia * dot(now.angular_velocity, now.angular_velocity);
                largest.enter(after / before[i]);
                smallest = std::min(smallest, after / before[i]);
            }
            // Where nothing is lost: the error of the step, of second order. The law that keeps the
            // displacement makes energy where the contact opens with a stretched spring: 9e-5.
            const bool makes_energy = friction.law == FrictionLaw::mindlin_displacement;
            CHECK(largest <= 1.0 + (makes_energy ? 1.2e-4 : 1e-6));
            CHECK(smallest < 0.95);
        }
    }
}

}  // namespace beadwave::validation::packing_oblique_impacts_test
