#include "beadwave/laws/impact_limit.hpp"

#include "beadwave/laws/catalogue.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace beadwave::laws {
namespace {

constexpr double elastic_part = 1e-5;                  ///< of sqrt(E/density)
const double rounding_of_the_limit = std::sqrt(10.0);  ///< of a power of ten
constexpr double plastic_over_elastic = 100.0;
constexpr double softest_metal = 10e9;  ///< [Pa]

}  // namespace

double elastic_impact_speed(double youngs_modulus, double density) {
    if (youngs_modulus < softest_metal) return std::numeric_limits<double>::infinity();
    return elastic_part * std::sqrt(youngs_modulus / density);
}

std::optional<std::string> beyond_impact_limit(const std::string& law, bool line,
                                               std::string_view what, double speed, double limit) {
    const Entry* const entry = line ? nullptr : find(law);
    const bool yields = entry != nullptr && entry->family.starts_with("elastoplastic");
    if (yields) {
        const double plastic = plastic_over_elastic * limit;
        if (!(speed > plastic)) return std::nullopt;
        return fmt::format(
            "{} {:.3g} m/s is faster than {:.2g} m/s, 1e-3 sqrt(E/density): the law {} yields as "
            "in slow tests, but fast strain makes metals harder and stress waves take up energy; "
            "expected lower speeds, or a yield stress measured in fast impacts",
            what, speed, plastic, law);
    }
    if (!(speed > rounding_of_the_limit * limit)) return std::nullopt;
    return fmt::format(
        "{} {:.3g} m/s is faster than {:.2g} m/s, 1e-5 sqrt(E/density), up to which impacts are "
        "elastic and quasi-static: bodies of metal yield there, which the law {} does not have; "
        "expected lower speeds, or an elastoplastic law",
        what, speed, limit, law);
}

std::optional<std::string> beyond_spin_limit(std::string_view what, double spin, double reach,
                                             double youngs_modulus, double density) {
    constexpr double bursting_part = 0.1;
    const double limit = bursting_part * std::sqrt(youngs_modulus / density);
    if (!(spin * reach > limit)) return std::nullopt;
    return fmt::format(
        "{} {:.3g} rad/s moves the surface at {:.3g} m/s, faster than {:.3g} m/s, "
        "0.1 sqrt(E/density), where the stresses of the spin tear bodies apart; expected slower "
        "spins, in rad/s",
        what, spin, spin * reach, limit);
}

}  // namespace beadwave::laws
