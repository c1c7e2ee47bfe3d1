#include "laws/tangential/make_dashpot.hpp"

#include "beadwave/laws/spring_dashpot.hpp"
#include "laws/tangential/sliding_coefficient.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <variant>

namespace beadwave::laws {
namespace {

/// The laws whose dashpot grows with the fourth root of the overlap.
using FourthRootDashpot = SpringDashpot<double, Exponent::three_halves, Exponent::quarter>;

/// The restitution [-]; below 0: the law has none.
double restitution_of(const Settings& settings) {
    const auto given = settings.values.find("restitution");
    if (given == settings.values.end()) return -1.0;
    const double* const number = std::get_if<double>(&given->second);
    return number != nullptr ? *number : -1.0;
}

/// The damping ratio whose half cycle returns e: -ln e / sqrt(pi^2 + ln^2 e); at 0 the limit.
double damping_of_restitution(double e) {
    if (e <= 0.0) return 1.0;
    const double decay = -std::log(e);
    return decay / std::hypot(std::numbers::pi, decay);
}

}  // namespace

TangentialDashpot make_dashpot(const Friction& friction, const Contact& contact,
                               double shear_modulus, const AnyLaw& normal,
                               const Settings& settings) {
    if (!friction.is_mindlin()) return {};
    TangentialDashpot dashpot{.constant = friction.damping};
    const double critical = 2.0 * std::sqrt(contact.mass);
    if (friction.damping_ratio > 0.0) dashpot.scaled = friction.damping_ratio * critical;
    if (friction.damping_factor > 0.0) {
        dashpot.scaled = friction.damping_factor * std::sqrt(5.0 / 6.0) *
                         damping_of_restitution(restitution_of(settings)) * critical;
    }
    if (friction.normal_damping_factor > 0.0) {
        const double stiffness = 8.0 * shear_modulus * std::sqrt(contact.radius);
        dashpot.scaled = friction.normal_damping_factor * normal.as<FourthRootDashpot>().damping /
                         std::sqrt(stiffness);
    }
    return dashpot;
}

std::string fault_of_damping(const Friction& friction, const Settings& settings) {
    const std::pair<const char*, double> all[] = {
        {"damping", friction.damping},
        {"damping_ratio", friction.damping_ratio},
        {"damping_factor", friction.damping_factor},
        {"normal_damping_factor", friction.normal_damping_factor}};
    const char* first = nullptr;
    for (const auto& [name, number] : all) {
        if (!(number >= 0.0 && std::isfinite(number)))
            return fmt::format("{} is {:g}; expected a number, 0 or larger", name, number);
        if (number == 0.0) continue;
        if (first != nullptr)
            return fmt::format("has both {} and {}; expected one of them", first, name);
        first = name;
    }
    if (friction.has_relative_damping() && !friction.is_mindlin()) {
        return fmt::format(
            "{} is for \"mindlin\" and \"mindlin-displacement\"; expected \"damping\" for "
            "\"linear\"",
            first);
    }
    if (friction.damping_factor > 0.0 && restitution_of(settings) < 0.0) {
        return fmt::format(
            "damping_factor takes the restitution of the normal law, and \"{}\" is given none; "
            "expected damping_ratio or damping",
            settings.name);
    }
    if (friction.normal_damping_factor > 0.0 && settings.name != "tsuji") {
        return fmt::format(
            "normal_damping_factor takes a normal dashpot that grows with the fourth root of the "
            "overlap, the one of \"tsuji\"; the law is \"{}\", for which expected damping_ratio "
            "or damping",
            settings.name);
    }
    return {};
}

std::string fault_of_friction(const Friction& f, const Settings& law) {
    if (!(f.coefficient >= 0.0)) return "the friction coefficient is not a number, 0 or larger";
    if (f.law == FrictionLaw::linear && !(std::isfinite(f.stiffness) && f.stiffness > 0.0 &&
                                          f.damping >= 0.0 && std::isfinite(f.damping)))
        return "linear friction needs a stiffness above 0 and a damping of 0 or more";
    if (const std::string wrong = fault_of_sliding(f); !wrong.empty()) return "friction: " + wrong;
    if (f.law == FrictionLaw::none || f.law == FrictionLaw::coulomb) return {};
    const std::string wrong = fault_of_damping(f, law);
    return wrong.empty() ? wrong : "friction: " + wrong;
}

}  // namespace beadwave::laws
