// WangLiu2022 Tables 2-7: a ball in a socket at 4 and 8 m/s under five laws.

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/ma_liu_constants.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "table.hpp"

#include <limits>

namespace beadwave::validation::collisions_test {

namespace {

laws::Contact ball_in_socket() {
    const laws::Elasticity ball{
        .youngs_modulus = 6.5e10, .poisson_ratio = 0.33, .yield_stress = 3.0e7};
    const laws::Elasticity socket{
        .youngs_modulus = 2.0e11, .poisson_ratio = 0.29, .yield_stress = 1.03e9};
    return laws::socket_contact(2.00e-2, 0.2614, ball, 2.05e-2,
                                std::numeric_limits<double>::infinity(), socket);
}

}  // namespace

TEST_CASE("the ball in a socket rebounds as WangLiu2022 prints") {
    const laws::Contact contact = ball_in_socket();
    CHECK_RELATIVE(contact.radius, 0.82, 1e-12);
    for (const Row& row : table("papers/wangliu2022/collisions.csv")) {
        const double speed = number(row, "speed_m_per_s");
        CAPTURE(row.at("law"));
        CAPTURE(speed);
        const auto settings =
            law_settings(row.at("law"), {{"restitution", speed == 4.0 ? 0.6909 : 0.6309},
                                         {"impact_speed", speed},
                                         {"psi", 3.0},
                                         {"xi", 13.0}});
        const auto hit = laws::collide(laws::make(contact, settings), contact.mass, speed);
        // Four digits are printed for speeds and five for forces.
        CHECK_RELATIVE(hit.rebound_speed, number(row, "rebound_m_per_s"), 2e-4);
        CHECK_RELATIVE(hit.max_force, number(row, "max_force_N"), 1e-3);
        CHECK_RELATIVE(hit.restitution, number(row, "restitution"), 2e-4);
        // The paper integrates the damping term along a coarser path than the collision itself.
        CHECK_RELATIVE(hit.dissipated_energy, number(row, "dissipated_J"),
                       row.at("law") == "ma-liu" ? 3e-3 : 1.1e-2);
    }
}

TEST_CASE("the constants of Ma-Liu are those WangLiu2022 prints") {
    const laws::Contact socket = ball_in_socket();
    CHECK_RELATIVE(laws::MaLiuConstants(socket, 3.0, 13.0).overlap_yield, 1.5788e-6, 5e-5);

    // Section 5.2 and Table 8: the steel chain.
    const laws::Elasticity steel{
        .youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
    const laws::Contact beads =
        laws::sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, 0.45e-3, steel);
    const laws::MaLiuConstants chain(beads, 2.84, 13.0);
    CHECK_RELATIVE(chain.overlap_yield, 5.4822e-7, 5e-5);
    CHECK_RELATIVE(chain.overlap_plastic, 4.6324e-5, 5e-5);

    // Section 5.1: journal and bearing of 9.5 and 10 mm; the printed K_p and delta_y belong to
    // these.
    const laws::Elasticity bearing{
        .youngs_modulus = 207e9, .poisson_ratio = 0.3, .yield_stress = 20e6};
    const laws::Contact joint = laws::socket_contact(9.5e-3, 1.0, bearing, 10e-3, 1.0, bearing);
    const laws::MaLiuConstants journal(joint, 3.0, 13.0);
    CHECK_RELATIVE(journal.overlap_yield, 3.7576e-8, 5e-5);
    const double stiffness = (journal.force_plastic - journal.force_yield) /
                             (journal.overlap_plastic - journal.overlap_yield);
    CHECK_RELATIVE(stiffness, 6.044e7, 2e-4);
}

}  // namespace beadwave::validation::collisions_test
