// WangReview2022: a review whose only computed numbers, Table 6, are error percentages.

#include "papers/paper_row.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::validation {
namespace {

double ball_mass(double radius, double density) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * density;
}

}  // namespace

Paper wang_review_2022() {
    PrintedNumbers numbers("wangreview2022/numbers.csv");
    Paper paper{.key = "WangReview2022"};
    const std::string swapped = "misprint: the densities of the two bodies are swapped";
    const std::string fit = "a fit to finite elements; as printed, the force jumps there";
    paper.rows = {
        differs(numbers.take("first_part", 1.0, "ours continues the Hertz force"), fit),
        differs(numbers.take("second_part", 1.03 * std::pow(6.0, 1.425 - 1.263),
                             "ours continues the part before it"),
                fit),
        // Far above yield F = k1 delta: delta_max = v sqrt(m/k1); unloading as Hertz with R_p from
        // there.
        numbers.take(
            "ma_liu_coefficient", std::sqrt(4.0 / 5.0) * std::cbrt(3.0 / 4.0),
            "ours is sqrt(4/5) (3/4)^(1/3), from Hertz unloading of a straight loading line"),
        differs(numbers.take("mass_1", ball_mass(2.05e-2, 7800.0)), swapped,
                ball_mass(2.05e-2, 2700.0)),
        differs(numbers.take("mass_2", ball_mass(2.00e-2, 2700.0)), swapped,
                ball_mass(2.00e-2, 7800.0)),
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
         "gives such "
         "a table for traces that a person has"},
    };
    return paper;
}

}  // namespace beadwave::validation
