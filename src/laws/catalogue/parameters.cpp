#include "laws/catalogue/parameters.hpp"

#include <limits>

namespace beadwave::laws {

Parameter restitution_parameter() {
    return {.name = "restitution",
            .unit = "-",
            .meaning = "coefficient of restitution e",
            .lowest = 0.0,
            .highest = 1.0,
            .lowest_allowed = false};
}

Parameter impact_speed_parameter() {
    return {
        .name = "impact_speed",
        .unit = "m/s",
        .meaning =
            "delta_dot_0: one number for all contacts, the fastest approach at the start "
            "(\"initial\"), or the approach speed of each contact when it closes (\"per-contact\")",
        .lowest = 0.0,
        .lowest_allowed = false,
        .words = {"initial", "per-contact"},
        .standard_word = "initial"};
}

Parameter min_impact_speed_parameter() {
    return {.name = "min_impact_speed",
            .unit = "m/s",
            .meaning =
                "least impact speed with \"per-contact\": contacts of a chain at rest close at "
                "zero speed (mechanisms: default 1e-3)",
            .lowest = 0.0,
            .lowest_allowed = false,
            .standard = 0.1};
}

Parameter separation_parameter(std::string_view standard) {
    return {
        .name = "separation",
        .unit = "-",
        .meaning =
            "contact ends at zero force, without tension (\"force\"), or at zero overlap (\"gap\")",
        .words = {"gap", "force"},
        .standard_word = standard,
        .number_allowed = false};
}

Parameter psi_parameter() {
    return {.name = "psi",
            .unit = "-",
            .meaning = "Brinell hardness over yield stress, usually 2.6 to 3.0",
            .lowest = 1.0,
            .highest = 10.0,
            .standard = 2.84};
}

Parameter xi_parameter() {
    return {.name = "xi",
            .unit = "-",
            .meaning = "onset of full plasticity, usually 13 to 20",
            .lowest = 2.0,
            .highest = 1000.0,
            .standard = 13.0};
}

std::vector<Parameter> dashpot_parameters() {
    return {restitution_parameter(), impact_speed_parameter(), min_impact_speed_parameter(),
            separation_parameter("force")};
}

double lowest_force(const Settings& settings) {
    return settings.is("separation", "gap") ? -std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace beadwave::laws
