// Viscous laws on the Hertz spring whose damping is measured: a coefficient that must be given.
// Their sources do not say where contact ends. Without a rule it ends at zero force, so that there
// is no tension.

#include "beadwave/laws/power_dashpot.hpp"
#include "beadwave/laws/speed_power_dashpot.hpp"
#include "beadwave/laws/spring_dashpot.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/viscous_groups.hpp"

#include <limits>
#include <numbers>
#include <string>

namespace beadwave::laws {
namespace {

template <Exponent q>
AnyLaw hertz_dashpot(const Contact& c, const Settings& s, double damping) {
    return SpringDashpot<double, Exponent::three_halves, q>{
        .stiffness = c.stiffness, .damping = damping, .lowest_force = lowest_force(s)};
}

AnyLaw linear_or_overlap(const Contact& c, const Settings& s, double damping) {
    if (s.is("damper", "overlap")) return hertz_dashpot<Exponent::one>(c, s, damping);
    return hertz_dashpot<Exponent::zero>(c, s, damping);
}

AnyLaw make_per_mass(const Contact& c, const Settings& s) {
    return linear_or_overlap(c, s, s.number("damping_rate") * c.mass);
}

AnyLaw make_schafer(const Contact& c, const Settings& s) {
    return linear_or_overlap(c, s, s.number("damping"));
}

AnyLaw power_of_overlap(const Contact& c, const Settings& s, double exponent) {
    if (exponent == 0.0) return hertz_dashpot<Exponent::zero>(c, s, s.number("damping"));
    if (exponent == 0.25) return hertz_dashpot<Exponent::quarter>(c, s, s.number("damping"));
    return PowerDashpot<double>{.stiffness = c.stiffness,
                                .exponent = 1.5,
                                .damping = s.number("damping"),
                                .overlap_exponent = exponent,
                                .lowest_force = lowest_force(s)};
}

AnyLaw make_schwager_poschel(const Contact& c, const Settings& s) {
    return power_of_overlap(c, s, 0.65);
}
AnyLaw make_falcon(const Contact& c, const Settings& s) {
    return power_of_overlap(c, s, s.number("overlap_exponent"));
}

AnyLaw make_alizadeh(const Contact& c, const Settings& s) {
    const double damping = 4.0 * std::numbers::pi * s.number("viscosity");
    const double exponent = s.number("speed_exponent");
    if (exponent == 1.0) return hertz_dashpot<Exponent::one>(c, s, damping);
    return SpeedPowerDashpot<double>{
        .stiffness = c.stiffness,
        .exponent = 1.5,
        .damping = damping,
        .overlap_exponent = 1.0,
        .speed_exponent = exponent,
        .least_part = s.is("separation", "gap") ? std::numeric_limits<double>::lowest() : 0.0};
}

Parameter coefficient(std::string_view name, std::string_view unit, std::string_view meaning,
                      double example) {
    return {.name = name, .unit = unit, .meaning = meaning, .lowest = 0.0, .example = example};
}

Parameter damper() {
    return {
        .name = "damper",
        .unit = "-",
        .meaning =
            "gamma delta_dot (\"linear\", CorralReview), or gamma delta delta_dot (\"overlap\", "
            "Skrinjar2018 and WangReview2022), which divides the unit of gamma by m",
        .words = {"linear", "overlap"},
        .standard_word = "linear",
        .number_allowed = false};
}

}  // namespace

std::vector<Entry> empirical_entries() {
    const std::string texts_differ =
        "empirical. The texts disagree on the damper, hence the parameter damper. With \"linear\" "
        "the force jumps when contact begins, and the restitution rises with the speed";
    const Parameter rate = coefficient("damping_rate", "1/s", "gamma, measured", 5e4);
    std::vector<Entry> entries{
        ruleless_entry(
            "ristow", "F = K delta^(3/2) + gamma m delta_dot", {rate, damper()}, texts_differ,
            "CorralReview Eqs (5.13), (5.14); Skrinjar2018 Table 1; WangReview2022 Table 2",
            make_per_mass),
        ruleless_entry(
            "lee-herrmann", "F = K delta^(3/2) + gamma m delta_dot", {rate, damper()}, texts_differ,
            "CorralReview Table 1; Skrinjar2018 Table 1; WangReview2022 Table 2", make_per_mass),
        ruleless_entry("schafer", "F = K delta^(3/2) + gamma delta_dot",
                       {coefficient("damping", "N s/m", "gamma, measured", 10.0), damper()},
                       texts_differ, "CorralReview Table 1; Skrinjar2018 Table 1", make_schafer),
        ruleless_entry("schwager-poschel", "F = K delta^(3/2) + gamma delta^0.65 delta_dot",
                       {coefficient("damping", "N s/m^1.65", "gamma, measured", 3e4)},
                       "empirical; the exponent is that of ice particles",
                       "Skrinjar2018 Table 1; WangReview2022 Table 2; CorralReview Eq. (5.16)",
                       make_schwager_poschel),
        ruleless_entry("falcon", "F = K delta^(3/2) + gamma delta^q delta_dot",
                       {coefficient("damping", "N s/m^(1+q)", "gamma, measured", 300.0),
                        {.name = "overlap_exponent",
                         .unit = "-",
                         .meaning = "q",
                         .lowest = 0.0,
                         .standard = 0.25}},
                       "empirical; q = 1/4 makes the restitution independent of the speed",
                       "CorralReview Eq. (5.15)", make_falcon),
        ruleless_entry("alizadeh", "F = K delta^(3/2) + 4 pi mu delta sgn(delta_dot) |delta_dot|^s",
                       {coefficient("viscosity", "N s^s/m^(1+s)", "mu, measured", 1e5),
                        {.name = "speed_exponent",
                         .unit = "-",
                         .meaning = "s, measured",
                         .lowest = 0.0,
                         .lowest_allowed = false,
                         .standard = 1.0}},
                       "empirical for each pair of materials. The program extends the text's "
                       "delta_dot^s to opening, with the sign of delta_dot",
                       "CorralReview Eq. (5.17)", make_alizadeh)};
    entries[3].aliases = {"bordbar-hyppanen"};
    for (std::size_t linear : {0, 1, 2}) {
        entries[linear].step_order = {
            .order = 1.0,
            .remark = "the force jumps where contact begins; with damper = \"overlap\" 2"};
    }
    entries[3].step_order = {.order = 1.65,
                             .remark = "the dashpot grows as delta^0.65 where contact begins"};
    entries[4].step_order = {
        .order = 1.25,
        .remark = "the dashpot grows as delta^q where contact begins: 1 + q, at most 2"};
    return entries;
}

}  // namespace beadwave::laws
