// Skrinjar2018: input against output restitution (Table 2), and the numbers of its text and
// Table 5.

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/hysteresis_restitution.hpp"
#include "laws/root_between.hpp"
#include "papers/paper_row.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::validation {
namespace {

using std::numbers::pi;

constexpr laws::Contact spheres{.radius = 0.01, .modulus = 3.9e10, .mass = 4.6, .stiffness = 5.2e9};
constexpr double speed = 0.3;
constexpr double almost_zero = 1e-9;  // where a law divides by c_r

laws::AnyLaw law_at(const std::string& law, double restitution) {
    return laws::make(spheres,
                      law_settings(law, {{"restitution", restitution}, {"impact_speed", speed}}));
}

double factor(const std::string& law, double restitution) {
    return std::get<laws::Hysteresis<double, laws::ImpactSpeed::uniform>>(law_at(law, restitution))
               .damping *
           speed;
}

double collided(const laws::AnyLaw& law) {
    return laws::collide(law, spheres.mass, speed).restitution;
}

/// What the law returns; at c_r = 0 the limit.
double output(const std::string& law, double input) {
    if (input > 0.0 || law == "hertz") return collided(law_at(law, input));
    // These two damp without bound as c_r falls to 0, up to the last rebound.
    if (law == "anagnostopoulos" || law == "jankowski") return 0.0;
    return laws::hysteresis_restitution(factor(law, almost_zero));
}

/// The law of Table 1, K delta + chi delta delta_dot, misprinted from Anagnostopoulos'.
double misprinted_anagnostopoulos(double input) {
    const double decay = -std::log(std::max(input, almost_zero));
    const double chi =
        2.0 * decay / (pi * pi + decay * decay) * std::sqrt(spheres.stiffness * spheres.mass);
    return collided(laws::PowerDashpot<double>{.stiffness = spheres.stiffness,
                                               .exponent = 1.0,
                                               .damping = chi,
                                               .overlap_exponent = 1.0,
                                               .lowest_force = 0.0});
}

/// What the kind of a printed row, as the table's head explains it, says of one of its numbers.
PaperRow explain(PaperRow row, const std::string& kind, const std::string& law, double input) {
    if (kind == "right") return row;
    if (kind == "high") {
        if (law == "flores" && input == 0.0) return row;
        return differs(row,
                       "the row stands 0.010 to 0.031 above its law throughout, even where the law "
                       "is elastic; the "
                       "cause is not in the text");
    }
    if (input == 1.0) return row;
    if (kind == "half") {
        if (input == 0.0) return differs(row, "the factor has no value at c_r = 0; the limit is 0");
        return differs(row, "printed for half the factor, 0.75 (1 - c_r)/c_r",
                       laws::hysteresis_restitution(0.75 * (1.0 - input) / input));
    }
    if (kind == "misprint") {
        return differs(
            row,
            "printed for the law as Table 1 misprints it, K delta + chi delta delta_dot, which "
            "hardly damps",
            misprinted_anagnostopoulos(input));
    }
    return differs(row,
                   "follows from none of the forms of the law that were tried, this paper's and "
                   "CorralReview's");
}

std::vector<PaperRow> restitutions() {
    std::vector<PaperRow> rows;
    for (const Row& line : table("papers/skrinjar2018_table2.csv")) {
        const std::string law = line.at("law");
        for (int tenths = 0; tenths <= 10; ++tenths) {
            const std::string head = tenths == 0    ? "0"
                                     : tenths == 10 ? "1"
                                                    : "0." + std::to_string(tenths);
            const double input = std::stod(head);
            const PaperRow row{.place = "Table 2",
                               .what = law + ": e_N for c_r = " + head,
                               .unit = "-",
                               .printed = line.at(head),
                               .ours = output(law, input)};
            rows.push_back(explain(row, line.at("print"), law, input));
        }
    }
    return rows;
}

double largest_factor_difference() {
    double largest = 0.0;
    for (int percent = 1; percent < 100; ++percent) {
        const double e = percent / 100.0;
        largest = std::max(
            largest, std::abs(factor("herbert-mcwhannell", e) / factor("hunt-crossley", e) - 1.0));
    }
    return 100.0 * largest;
}

/// Where 1.51 (ln(1000 Delta R))^-0.151 and 0.0151 Delta R + 1.151 meet [mm].
double branches_meet() {
    return laws::root_between(
        [](double gap) {
            return 1.51 * std::pow(std::log(1000.0 * gap), -0.151) - (0.0151 * gap + 1.151);
        },
        0.2, 0.5);
}

}  // namespace

Paper skrinjar_2018() {
    PrintedNumbers numbers("skrinjar2018/numbers.csv");
    Paper paper{.key = "Skrinjar2018"};
    paper.assumptions = {
        "(a) Table 2: the effective mass of two equal spheres, 4.6 kg. Their 9.2 kg and 20 mm do "
        "not "
        "belong together, but the restitution depends on neither.",
        "(b) Table 2 at c_r = 0: ours is the limit, where a law divides by c_r or takes its "
        "logarithm.",
        "(c) Table 5: steel of 7800 kg/m^3; the pin a full cylinder, body i a square block of 20 "
        "mm with "
        "the hole through it. Neither density nor shape is printed.",
    };
    // Equal materials: 1/E* = 2 (1 - nu^2)/E.
    const double b0 = std::sqrt(8.0 / pi), equal_materials = 2.0 * (1.0 - 0.3 * 0.3);
    constexpr double density = 7800.0, length = 15e-3, hole = 5e-3, pin = 4.75e-3, side = 20e-3;
    const double pin_mass = density * length * pi * pin * pin;
    const double block = density * length;
    paper.rows = {
        differs(numbers.take("factor_difference", largest_factor_difference()),
                "the two factors as printed differ by 1.5 % only next to c_r = 0 and 1; at c_r = "
                "0.5 by a "
                "third"),
        numbers.take("b0_any", b0, "ours is sqrt(8/pi), with the contact's E*"),
        numbers.take("b0_equal", b0 * std::sqrt(equal_materials),
                     "ours is sqrt(8/pi) sqrt(2 (1 - nu^2)): the coefficient belongs to Young's "
                     "modulus, not to E*"),
    };
    const std::vector<PaperRow> table_2 = restitutions();
    paper.rows.insert(paper.rows.end(), table_2.begin(), table_2.end());
    paper.rows.push_back(numbers.take("branches_meet", branches_meet(),
                                      "(ln(1000 Delta R))^-0.151, not ln of the power"));
    paper.rows.push_back(
        numbers.take("mass_hole", block * (side * side - pi * hole * hole), "(c)"));
    paper.rows.push_back(numbers.take(
        "inertia_hole", block * (std::pow(side, 4) / 6.0 - pi * std::pow(hole, 4) / 2.0), "(c)"));
    paper.rows.push_back(numbers.take("mass_pin", pin_mass, "(c)"));
    paper.rows.push_back(numbers.take("inertia_pin", 0.5 * pin_mass * pin * pin, "(c)"));
    numbers.all_taken();
    paper.not_recomputable = {
        {"Figs 2-9", "factors, loops, speeds, energies and durations of the point contacts",
         "the text gives no numbers beyond Table 2"},
        {"Figs 12-15", "force over overlap and over time of the line contacts",
         "the text gives no numbers, and does not say whether the hole is fixed"},
        {"Fig. 16", "relative error of the restitution",
         "curves of Table 2; the text gives no numbers"},
    };
    return paper;
}

}  // namespace beadwave::validation
