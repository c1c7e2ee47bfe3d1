// Restitution formulas of WangReview2022 Table 4, and Ma-Liu's restitution from its own energies
// [WangLiu2022 Eqs (6)-(8), Fig. 3].

#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "beadwave/laws/restitution.hpp"
#include "relative.hpp"
#include "table.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace beadwave::validation::restitution_formulas_test {

using std::numbers::pi;

namespace {

/// Two beads of the laboratory's steel chain. One moves as if the other were fixed.
laws::Impact steel_beads(double speed) {
    const laws::Elasticity steel{
        .youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
    const double infinite = std::numeric_limits<double>::infinity();
    return {.contact = laws::sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, infinite, steel),
            .speed = speed,
            .poisson_ratio = 0.3,
            .density = 7970.0};
}

/// WangLiu2022 Table 1: the ball in the socket.
laws::Impact ball_in_socket(double speed, double psi, double xi) {
    const laws::Elasticity ball{
        .youngs_modulus = 6.5e10, .poisson_ratio = 0.33, .yield_stress = 3.0e7};
    const laws::Elasticity socket{
        .youngs_modulus = 2.0e11, .poisson_ratio = 0.29, .yield_stress = 1.03e9};
    return {.contact = laws::socket_contact(2.00e-2, 0.2614, ball, 2.05e-2,
                                            std::numeric_limits<double>::infinity(), socket),
            .speed = speed,
            .psi = psi,
            .xi = xi};
}

}  // namespace

TEST_CASE("the restitution formulas give the independently computed values") {
    for (const Row& row : table("papers/restitution_formulas.csv")) {
        const laws::Impact impact = steel_beads(number(row, "speed_m_per_s"));
        CAPTURE(impact.speed);
        constexpr double digits = 5.1e-5;  // four are given
        namespace restitution = laws::restitution;
        CHECK_ABSOLUTE(restitution::chang_ling(impact), number(row, "chang_ling"), digits);
        CHECK_ABSOLUTE(restitution::thornton(impact), number(row, "thornton"), digits);
        CHECK_ABSOLUTE(restitution::wu(impact), number(row, "wu"), digits);
        CHECK_ABSOLUTE(restitution::weir_tallon(impact, 1.0), number(row, "weir_tallon"), digits);
        CHECK_ABSOLUTE(restitution::jackson(impact).value(), number(row, "jackson"), digits);
        CHECK_ABSOLUTE(restitution::ma_liu(impact), number(row, "ma_liu"), digits);
        CHECK_ABSOLUTE(restitution::ma_liu_energy(impact), number(row, "ma_liu_energy"), digits);
    }
}

TEST_CASE("Ma-Liu's restitution from its energies is that of the collision integrated in time") {
    const auto compare = [](const laws::Impact& impact) {
        CAPTURE(impact.speed);
        const auto law = laws::make_ma_liu(impact.contact, impact.psi, impact.xi);
        const auto hit = laws::collide(law, impact.contact.mass, impact.speed);
        CHECK_ABSOLUTE(laws::restitution::ma_liu_energy(impact), hit.restitution, 1e-6);
        const laws::MaLiuConstants constants(impact.contact, impact.psi, impact.xi);
        CHECK_RELATIVE(laws::ma_liu_loading_work(constants, hit.max_overlap),
                       0.5 * impact.contact.mass * impact.speed * impact.speed, 1e-8);
        return hit.max_overlap;
    };
    const laws::MaLiuConstants chain(steel_beads(1.0).contact, 2.84, 13.0);
    CHECK(compare(steel_beads(0.02)) < chain.overlap_yield);
    for (const double speed : {0.05, 0.3, 1.77}) {
        const double largest = compare(steel_beads(speed));
        CHECK((largest > chain.overlap_yield && largest < chain.overlap_plastic));
    }
    for (const double speed : {10.0, 30.0})
        CHECK(compare(steel_beads(speed)) > chain.overlap_plastic);
    compare(ball_in_socket(4.0, 3.0, 13.0));
    compare(ball_in_socket(8.0, 3.0, 13.0));
}

TEST_CASE("Ma-Liu's energies give the restitutions that WangLiu2022 prints") {
    CHECK_ABSOLUTE(laws::restitution::ma_liu_energy(ball_in_socket(4.0, 3.0, 13.0)), 0.6909, 6e-5);
    CHECK_ABSOLUTE(laws::restitution::ma_liu_energy(ball_in_socket(8.0, 3.0, 13.0)), 0.6309, 6e-5);
    CHECK_ABSOLUTE(laws::restitution::ma_liu_energy(steel_beads(1.77)), 0.81, 5e-3);
    // Section 5.1: journal and bearing, whose largest overlap at 0.5 m/s is printed and gives the
    // mass.
    const laws::Elasticity bearing{
        .youngs_modulus = 207e9, .poisson_ratio = 0.3, .yield_stress = 20e6};
    laws::Impact joint{.contact = laws::socket_contact(9.5e-3, 1.0, bearing, 10e-3, 1.0, bearing),
                       .speed = 0.5,
                       .psi = 3.0};
    joint.contact.mass =
        8.0 * laws::ma_liu_loading_work(laws::MaLiuConstants(joint.contact, 3.0, 13.0), 1.2923e-5);
    CHECK_ABSOLUTE(laws::restitution::ma_liu_energy(joint), 0.54, 5e-3);
}

TEST_CASE("Ma-Liu's restitution falls with xi and rises with psi, as in WangLiu2022 Fig. 3") {
    const auto e = [](double psi, double xi) {
        return laws::restitution::ma_liu_energy(ball_in_socket(4.0, psi, xi));
    };
    for (int p = 26; p <= 30; ++p) {
        for (int xi = 13; xi <= 20; ++xi) {
            const double psi = 0.1 * p;
            CAPTURE(psi);
            CAPTURE(xi);
            if (xi > 13) CHECK(e(psi, xi) < e(psi, xi - 1));
            if (p > 26) CHECK(e(psi, xi) > e(psi - 0.1, xi));
        }
    }
}

TEST_CASE("Thornton's closed form is the square root of its law's two energies") {
    const laws::Contact c = steel_beads(1.0).contact;
    const double p_y = 1.61 * 900e6;
    const double y = std::pow(pi * p_y / (2.0 * c.modulus), 2) * c.radius;
    const double F_y = c.stiffness * std::pow(y, 1.5), slope = pi * p_y * c.radius;
    for (const double beyond : {1e-3, 0.1, 1.0, 30.0, 1e4}) {
        const double x = beyond * y;
        const double work = 0.4 * F_y * y + F_y * x + 0.5 * slope * x * x;
        const double F = F_y + slope * x;
        // Unloading: (4/3) E sqrt(R_u) (delta - delta_r)^1.5, R_u = 4 E/(3 F) ((2 F + F_y)/(2 pi
        // p_y))^1.5.
        const double R_u =
            4.0 * c.modulus / (3.0 * F) * std::pow((2.0 * F + F_y) / (2.0 * pi * p_y), 1.5);
        const double recovered = std::pow(3.0 * F / (4.0 * c.modulus * std::sqrt(R_u)), 2.0 / 3.0);
        const double speed = std::sqrt(2.0 * work / c.mass);
        CHECK_RELATIVE(laws::restitution::thornton(steel_beads(speed)),
                       std::sqrt(0.4 * F * recovered / work), 1e-12);
    }
}

TEST_CASE("Ma-Liu as printed creates energy near yield: it returns up to 1.002392 of the speed") {
    // Simpson's rule over the printed loading curve, independent of this program: the restitution
    // is largest when unloading starts at 1.5247 delta_y, and it is 1 again at 1.98 delta_y.
    const auto e = [](double speed) {
        return laws::restitution::ma_liu_energy(steel_beads(speed));
    };
    CHECK_ABSOLUTE(e(0.0744656), 1.0023924, 1e-7);
    for (double speed = 0.02; speed < 43.0; speed *= 1.01)
        CHECK(e(speed) < 1.0023925);
    CHECK(e(0.102) > 1.0);
    CHECK(e(0.104) < 1.0);
}

TEST_CASE(
    "no other formula gives more than 1, and each is 1 at low speed and falls with the speed") {
    for (const laws::RestitutionFormula& formula : laws::restitution_formulas()) {
        CAPTURE(formula.name);
        CHECK(laws::restitution_by(formula, steel_beads(0.01)) == 1.0);
        double last = 1.0;
        for (double speed = 0.02; speed < 43.0; speed *= 1.1) {
            CAPTURE(speed);
            const double e = laws::restitution_by(formula, steel_beads(speed)).value();
            const bool created = formula.name == "ma-liu-energy" && speed < 0.08;
            if (formula.name != "ma-liu-energy") CHECK(e <= 1.0);
            if (!created) CHECK(e <= last * (1.0 + 1e-12));
            CHECK(e > 0.0);
            last = e;
        }
    }
}

TEST_CASE("formulas are continuous between their branches") {
    const laws::Contact c = steel_beads(1.0).contact;
    const auto jump = [&](auto formula, double speed) {
        return std::abs(formula(steel_beads(speed * (1 + 1e-9))) -
                        formula(steel_beads(speed * (1 - 1e-9))));
    };
    const double v_y = laws::yield_speed(c, 1.61 * 900e6);
    const double v_c = laws::yield_speed(c, 1.295 * std::exp(0.736 * 0.3) * 900e6);
    CHECK_RELATIVE(v_y,
                   3.194 * std::sqrt(std::pow(1.61 * 900e6, 5) * std::pow(c.radius, 3) /
                                     (std::pow(c.modulus, 4) * c.mass)),
                   1e-3);
    CHECK(jump(laws::restitution::thornton, v_y) < 1e-8);
    const double strain = 900e6 / c.modulus;
    CHECK(jump(laws::restitution::wu, v_y * std::pow(0.62 / 2.08, 4) / (strain * strain)) < 1e-8);
    const auto jackson = [](const laws::Impact& i) {
        return laws::restitution::jackson(i).value();
    };
    CHECK(jump(jackson, 60.0 * v_c) < 1e-6);
    CHECK_RELATIVE(jackson(steel_beads(60.0 * v_c)), 0.59057, 1e-5);
    CHECK(!laws::restitution::jackson(steel_beads(1001.0 * v_c)).has_value());
}

TEST_CASE("a formula without the numbers it needs gives no value") {
    for (const laws::RestitutionFormula& formula : laws::restitution_formulas()) {
        CAPTURE(formula.name);
        laws::Impact impact = steel_beads(3.0);
        CHECK(laws::restitution_by(formula, impact).has_value());
        impact.poisson_ratio.reset();
        CHECK(laws::restitution_by(formula, impact).has_value() == !formula.needs_poisson_ratio);
        impact = steel_beads(3.0);
        impact.density.reset();
        CHECK(laws::restitution_by(formula, impact).has_value() == !formula.needs_density);
        impact = steel_beads(3.0);
        impact.contact.yield_stress = 0.0;
        CHECK(!laws::restitution_by(formula, impact).has_value());
    }
}

}  // namespace beadwave::validation::restitution_formulas_test
