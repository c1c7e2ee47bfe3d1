// WangLiu2022: two bodies under five laws (Tables 2-7), and the numbers of its text.

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/ma_liu_constants.hpp"
#include "beadwave/laws/power_hysteresis.hpp"
#include "beadwave/laws/restitution.hpp"
#include "papers/paper_row.hpp"
#include "papers/velocity_overlap.hpp"
#include "scenarios.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace beadwave::validation {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double psi = 3.0, xi = 13.0;
constexpr double integration =
    5e-6;  // relative, of speeds and forces that the paper integrates in time

constexpr double force_error_digits = 2e-3;  // percent points, see (i)

double ball_mass(double radius, double density) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * density;
}

/// Table 1, read as (a) to (c).
laws::Contact ball_in_socket() {
    const laws::Elasticity ball{
        .youngs_modulus = 6.5e10, .poisson_ratio = 0.33, .yield_stress = 3.0e7};
    const laws::Elasticity socket{
        .youngs_modulus = 2.0e11, .poisson_ratio = 0.29, .yield_stress = 1.03e9};
    return laws::socket_contact(2.00e-2, ball_mass(2.00e-2, 7800.0), ball, 2.05e-2, infinite,
                                socket);
}

/// K_p of Eq. (9).
double linear_stiffness(const laws::MaLiuConstants& c) {
    return (c.force_plastic - c.force_yield) / (c.overlap_plastic - c.overlap_yield);
}

laws::Collision hit(const laws::Contact& contact, const std::string& law, double speed,
                    double restitution = 0.65, double law_psi = psi) {
    const auto settings = law_settings(
        law, {{"restitution", restitution}, {"impact_speed", speed}, {"psi", law_psi}, {"xi", xi}});
    return laws::collide(laws::make(contact, settings), contact.mass, speed);
}

/// Eq. (18), with K_p delta from zero overlap.
laws::Collision hit_new_dashpot(const laws::Contact& contact, double speed, double restitution) {
    const laws::PowerHysteresis<double, laws::ImpactSpeed::uniform> dashpot{
        .stiffness = linear_stiffness(laws::MaLiuConstants(contact, psi, xi)),
        .exponent = 1.0,
        .damping = 1.5 * (1.0 - restitution) / restitution / speed,
        .min_impact_speed = 0.0,
        .lowest_force = 0.0};
    return laws::collide(dashpot, contact.mass, speed);
}

double ma_liu_restitution(const laws::Contact& contact, double speed) {
    return laws::restitution::ma_liu_energy(
        {.contact = contact, .speed = speed, .psi = psi, .xi = xi});
}

double percent_off(double value, double reference) {
    return 100.0 * std::abs(reference - value) / reference;
}

/// Three tables for one speed: energies, rebound, forces.
std::vector<PaperRow> two_body_tables(double speed, int first_table) {
    const laws::Contact contact = ball_in_socket();
    const double restitution = ma_liu_restitution(contact, speed);
    std::vector<Row> lines;
    for (const Row& line : table("papers/wangliu2022/collisions.csv")) {
        if (number(line, "speed_m_per_s") == speed) lines.push_back(line);
    }
    REQUIRE(lines.size() == 5);
    REQUIRE(lines[0].at("law") == "ma-liu");
    std::vector<laws::Collision> hits;
    for (const Row& line : lines) {
        const std::string& law = line.at("law");
        hits.push_back(law == "wang-liu" ? hit_new_dashpot(contact, speed, restitution)
                                         : hit(contact, law, speed, restitution));
    }

    const auto place = [&](int table) { return fmt::format("Table {}", first_table + table); };
    std::vector<PaperRow> energies, errors, rebounds, forces, force_errors;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Row& line = lines[i];
        const std::string law = line.at("law");
        const std::string setup = law == "ma-liu"     ? "(a) (b) (c) (d)"
                                  : law == "wang-liu" ? "(a) (b) (c) (d) (e) (f)"
                                                      : "(a) (b) (c) (d) (e)";
        PaperRow energy{.place = place(0),
                        .what = law + ": energy dissipated",
                        .unit = "J",
                        .printed = line.at("dissipated_J"),
                        .ours = hits[i].dissipated_energy,
                        .note = setup};
        if (law != "ma-liu") {
            const double v = number(line, "rebound_m_per_s");
            energy.why = fmt::format(
                "the rebound speed that the paper prints leaves {:.5g} J; its sum of the damping "
                "work "
                "misses {:.1f} %",
                0.5 * contact.mass * (speed * speed - v * v),
                percent_off(printed_value(energy), energy.ours));
        }
        energies.push_back(energy);
        rebounds.push_back({.place = place(1),
                            .what = law + ": rebound speed",
                            .unit = "m/s",
                            .printed = line.at("rebound_m_per_s"),
                            .ours = hits[i].rebound_speed,
                            .tolerance = integration,
                            .note = setup + " (g)"});
        rebounds.push_back({.place = place(1),
                            .what = law + ": restitution",
                            .unit = "-",
                            .printed = line.at("restitution"),
                            .ours = hits[i].restitution,
                            .note = setup});
        forces.push_back({.place = place(2),
                          .what = law + ": largest force",
                          .unit = "N",
                          .printed = line.at("max_force_N"),
                          .ours = hits[i].max_force,
                          .tolerance = integration,
                          .note = setup + " (g)"});
        if (law == "ma-liu") continue;

        const double reference = number(lines[0], "dissipated_J"),
                     value = number(line, "dissipated_J");
        PaperRow error{.place = place(0),
                       .what = law + ": error of the energy",
                       .unit = "%",
                       .printed = line.at("dissipated_error"),
                       .ours = percent_off(value, reference),
                       .note = "of the energies as printed",
                       .by_program = false};
        if (speed == 8.0 && (law == "hunt-crossley" || law == "lankarani-nikravesh")) {
            const double flores = number(lines[3], "dissipated_J");
            error =
                differs(error, "misprint: the difference has flores' energy in place of ma-liu's",
                        100.0 * std::abs(flores - value) / reference);
        }
        errors.push_back(error);
        force_errors.push_back({.place = place(2),
                                .what = law + ": error of the largest force",
                                .unit = "%",
                                .printed = line.at("max_force_error"),
                                .ours = percent_off(hits[i].max_force, hits[0].max_force),
                                .tolerance = force_error_digits / number(line, "max_force_error"),
                                .note = setup + " (i)"});
    }
    std::vector<PaperRow> rows;
    for (const auto& part : {energies, errors, rebounds, forces, force_errors}) {
        rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
}

/// Tables 1 and Eq. (17).
std::vector<PaperRow> set_up(PrintedNumbers& numbers) {
    const std::string swapped = "misprint: the densities of the two bodies are swapped";
    return {
        arithmetic(differs(numbers.take("mass_1", ball_mass(2.05e-2, 7800.0)), swapped,
                           ball_mass(2.05e-2, 2700.0))),
        arithmetic(differs(numbers.take("mass_2", ball_mass(2.00e-2, 2700.0)), swapped,
                           ball_mass(2.00e-2, 7800.0))),
        arithmetic(numbers.take("factor", damping_coefficient(1.0, 2.0, 2.0))),
    };
}

/// Sections 4.1 and 4.2.
std::vector<PaperRow> two_body_text(PrintedNumbers& numbers) {
    const laws::Contact contact = ball_in_socket();
    const auto energy = [&](double speed) { return 0.5 * contact.mass * speed * speed; };
    const auto restitution = [&](double speed) { return ma_liu_restitution(contact, speed); };
    const auto lost = [&](double speed) {
        return energy(speed) * (1.0 - std::pow(restitution(speed), 2));
    };
    const std::string setup = "(a) (b) (c) (d)";
    return {
        arithmetic(numbers.take("kinetic_energy", energy(4.0), "(b) (c)")),
        numbers.take("largest_overlap", hit(contact, "ma-liu", 4.0).max_overlap, setup),
        numbers.take("yield_overlap", laws::MaLiuConstants(contact, psi, xi).overlap_yield, "(a)"),
        numbers.take("restitution_4", restitution(4.0), setup),
        numbers.take("dissipated_4", lost(4.0), setup),
        numbers.take("yield_speed", laws::yield_speed(contact, 1.61 * contact.yield_stress),
                     "(a) (b) (c); the text says that 0.03 m/s is enough to yield"),
        numbers.take("restitution_8", restitution(8.0), setup),
        numbers.take("dissipated_8", lost(8.0), setup),
    };
}

/// Section 5.1: the joint of the slider-crank.
std::vector<PaperRow> joint_text(PrintedNumbers& numbers) {
    const laws::Elasticity steel{
        .youngs_modulus = 207e9, .poisson_ratio = 0.3, .yield_stress = 20e6};
    laws::Contact contact = laws::socket_contact(9.5e-3, 1.0, steel, 10e-3, infinite, steel);
    const laws::MaLiuConstants constants(contact, psi, xi);
    constexpr double speed = 0.5, printed_largest_overlap = 1.2923e-5;
    contact.mass =
        2.0 * laws::ma_liu_loading_work(constants, printed_largest_overlap) / (speed * speed);
    return {
        numbers.take("joint_stiffness", linear_stiffness(constants), "(h)"),
        numbers.take("joint_yield_overlap", constants.overlap_yield, "(h)"),
        numbers.take("joint_plastic_overlap", constants.overlap_plastic, "(h)"),
        numbers.take("joint_restitution", hit(contact, "ma-liu", speed).restitution,
                     fmt::format("(h); moving mass {:.4g} kg, from the printed largest overlap",
                                 contact.mass)),
    };
}

/// Section 5.2 and Table 8: the chain's first contact.
std::vector<PaperRow> chain_text(PrintedNumbers& numbers) {
    const laws::Elasticity steel{
        .youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
    constexpr double radius = 2.38e-3, mass = 0.45e-3, speed = 1.77, chain_psi = 2.84;
    const auto beads = laws::sphere_contact(radius, mass, steel, radius, mass, steel);
    const auto one_fixed = laws::sphere_contact(radius, mass, steel, radius, infinite, steel);
    const laws::MaLiuConstants constants(beads, chain_psi, xi);
    const auto restitution = [&](const laws::Contact& contact) {
        return hit(contact, "ma-liu", speed, 0.65, chain_psi).restitution;
    };
    return {
        numbers.take("chain_yield_overlap", constants.overlap_yield),
        numbers.take("chain_plastic_overlap", constants.overlap_plastic),
        numbers.take("chain_restitution", restitution(one_fixed),
                     fmt::format("one bead's mass, 0.45 g, as if the other were fixed; the reduced "
                                 "mass of two beads, 0.225 "
                                 "g, gives {:.4f}",
                                 restitution(beads))),
    };
}

}  // namespace

Paper wang_liu_2022() {
    PrintedNumbers numbers("wangliu2022/numbers.csv");
    Paper paper{.key = "WangLiu2022"};
    paper.assumptions = {
        "(a) A ball in a socket, R = R1 R2/(R1 - R2) = 0.82 m; only this gives the printed "
        "delta_y.",
        "(b) The socket is fixed: the moving mass is the ball's, not m1 m2/(m1 + m2).",
        "(c) The densities of Table 1 are swapped: the ball's mass is 0.26138 kg, of 7800 kg/m^3.",
        "(d) F^e of Eq. (4) is the Hertz force at delta_max; a dashpot's contact ends at zero "
        "overlap.",
        "(e) The dashpots are given ma-liu's restitution unrounded, 0.690914 and 0.630915, not the "
        "printed "
        "0.6909 and 0.6309.",
        "(f) In Tables 2-7 the new dashpot, wang-liu, is Eq. (18) from zero overlap on; the chain "
        "of "
        "section 5.2 has flores below delta_y, and so has the law wang-liu. On that chain it does "
        "not coincide with ma-liu, as the text says (docs/DASHPOT_OR_ELASTOPLASTIC.md).",
        "(g) Rebound speeds and largest forces may be off by 5e-6 beyond half of the last digit, "
        "because the paper integrates in time.",
        "(h) Journal and bearing of 9.5 and 10 mm, E = 207 GPa, nu = 0.3, of which the softer one, "
        "20 MPa, "
        "yields.",
        "(i) Errors of the largest force may be off by 0.002 percent points beyond half of the "
        "last "
        "digit: half of the last digit of the two forces, 1e-5 of each, moves them by that much.",
    };
    const auto add = [&](const std::vector<PaperRow>& rows) {
        paper.rows.insert(paper.rows.end(), rows.begin(), rows.end());
    };
    add(set_up(numbers));
    add(two_body_text(numbers));
    add(two_body_tables(4.0, 2));
    add(two_body_tables(8.0, 5));
    add(joint_text(numbers));
    add(chain_text(numbers));
    numbers.all_taken();
    paper.not_recomputable = {
        {"Fig. 3", "restitution against xi and psi",
         "the text gives no numbers, only that both are monotone"},
        {"Figs 4-7", "loops, forces and speeds over time",
         "the text gives no numbers beyond Tables 2-7"},
        {"Section 5.1", "largest overlap 1.2923e-5 m at 0.5 m/s",
         "the moving mass is not printed; this overlap serves to find it"},
        {"Fig. 9", "acceleration of the slider", "the mechanism's dimensions are in another paper"},
        {"Section 5.2", "restitution 0.65 in the chain", "the authors' choice"},
        {"Figs 11 and 12", "measured and computed waves of the 70-bead chain",
         "the text gives no numbers"},
    };
    return paper;
}

}  // namespace beadwave::validation
