// WangReview2022: a review whose only computed numbers, Table 6, are error percentages.

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/elastoplastic/kogut_etsion.hpp"
#include "beadwave/laws/restitution.hpp"
#include "papers/paper_row.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::validation {
namespace {

double ball_mass(double radius, double density) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * density;
}

constexpr laws::Contact steel{.radius = 1.19e-3,
                              .modulus = 1.06e11,
                              .mass = 2.25e-4,
                              .stiffness = 4.0 / 3.0 * 1.06e11 * 0.034496376621320676,
                              .yield_stress = 9e8};

/// The factor before (delta/delta_y)^power in kogut-etsion's continuous force above `start`
/// delta_y.
double kogut_etsion_factor(double start, double power) {
    const auto law =
        laws::make(steel, law_settings("kogut-etsion", {{"transition", std::string("continuous")},
                                                        {"poisson_ratio", 0.3}}))
            .as<laws::KogutEtsion<double>>();
    const double force_yield = law.stiffness * std::pow(law.overlap_yield, 1.5);
    const double ratio = start * (1.0 + 1e-9);
    return law.loading_force(ratio * law.overlap_yield) / force_yield / std::pow(ratio, power);
}

/// The coefficient with which Table 4's formula gives the restitution of ma-liu's own energies far
/// above yield, where its loading is a straight line.
double ma_liu_coefficient() {
    const laws::Impact fast{.contact = steel, .speed = 1e9, .psi = 2.84, .xi = 13.0};
    constexpr double printed = 0.81;  // in restitution::ma_liu
    return printed * laws::restitution::ma_liu_energy(fast) / laws::restitution::ma_liu(fast);
}

}  // namespace

Paper wang_review_2022() {
    PrintedNumbers numbers("wangreview2022/numbers.csv");
    Paper paper{.key = "WangReview2022"};
    const std::string swapped = "misprint: the densities of the two bodies are swapped";
    const std::string fit = "a fit to finite elements; as printed, the force jumps there";
    paper.rows = {
        differs(numbers.take("first_part", kogut_etsion_factor(1.0, 1.425),
                             "ours continues the Hertz force"),
                fit),
        differs(numbers.take("second_part", kogut_etsion_factor(6.0, 1.263),
                             "ours continues the part before it"),
                fit),
        numbers.take("ma_liu_coefficient", ma_liu_coefficient(),
                     "from ma-liu's energies at an unrealistic 1e9 m/s; the limit is sqrt(4/5) "
                     "(3/4)^(1/3) = 0.81265, Hertz unloading of a straight loading line"),
        arithmetic(differs(numbers.take("mass_1", ball_mass(2.05e-2, 7800.0)), swapped,
                           ball_mass(2.05e-2, 2700.0))),
        arithmetic(differs(numbers.take("mass_2", ball_mass(2.00e-2, 2700.0)), swapped,
                           ball_mass(2.00e-2, 7800.0))),
    };
    numbers.all_taken();
    paper.not_recomputable = {
        {"Table 6",
         "errors of the new viscous chain model at beads 9 to 63: 4.23, 6.68, 19.44, 1.44, 9.12, "
         "0.50, "
         "12.33, 25.39 %",
         "neither the model's equation nor the measured peaks are printed"},
        {"Table 6",
         "errors of EDEM at beads 9 to 63: 5.36, 7.39, 22.44, 10.03, 10.19, 16.38, 26.54, 36.79 %",
         "the measured peaks and the restitution are not printed; `beadwave compare --measured` "
         "gives such a table for measured traces"},
    };
    return paper;
}

}  // namespace beadwave::validation
