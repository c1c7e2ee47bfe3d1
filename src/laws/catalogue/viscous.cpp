// The viscous family, and the two ways to set the damping of its laws.

#include "beadwave/argument_error.hpp"
#include "laws/catalogue/families.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/viscous_groups.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace beadwave::laws {

double damping_ratio(double restitution) {
    const double decay = -std::log(restitution);
    return decay / std::hypot(std::numbers::pi, decay);
}

double damping_from(const Settings& s, std::string_view damping, double unit) {
    const bool by_damping = s.is("restitution", "from-damping");
    const bool given = !s.is(damping, "from-restitution");
    if (by_damping != given) {
        throw ArgumentError(fmt::format(
            "law \"{}\" needs either a restitution, or restitution = \"from-damping\" and "
            "a number for {}",
            s.name, damping));
    }
    return given ? s.number(damping) : unit * damping_ratio(s.number("restitution"));
}

std::vector<Parameter> restitution_or(Parameter damping) {
    Parameter restitution = restitution_parameter();
    restitution.words = {"from-damping"};
    damping.words = {"from-restitution"};
    damping.standard_word = "from-restitution";
    return {restitution, damping};
}

Entry ruleless_entry(std::string name, std::string equation, std::vector<Parameter> parameters,
                     std::string validity, std::string source,
                     AnyLaw (*make)(const Contact&, const Settings&)) {
    parameters.push_back(separation_parameter("force"));
    return {
        .name = std::move(name),
        .aliases = {},
        .family = "viscous",
        .equation = std::move(equation),
        .parameters = std::move(parameters),
        .separation = "zero force, or zero overlap after tension (\"gap\"): the source has no rule",
        .stored_energy = "(2/5) K delta^(5/2)",
        .validity = std::move(validity),
        .source = std::move(source),
        .make = make};
}

std::vector<Entry> viscous_entries() {
    std::vector<Entry> entries;
    for (const auto group :
         {linear_spring_entries, hertz_dashpot_entries, empirical_entries, viscosity_entries,
          free_exponent_entries, alternative_entries, refused_viscous_entries}) {
        for (Entry& entry : group())
            entries.push_back(std::move(entry));
    }
    return entries;
}

}  // namespace beadwave::laws
