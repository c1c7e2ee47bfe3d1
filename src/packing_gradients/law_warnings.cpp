#include "packing_gradients/law_warnings.hpp"

#include "gradients/law_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing_gradients {
namespace {

constexpr double speed = 1.0;  // of closing [m/s]

/// Whether the force of the law is not zero where a contact closes at speed, or the law stores the
/// speed there.
bool jumps_at_closing(const laws::AnyLaw& law) {
    const double overlap = 1e-200, force = 1e-30;  // [m], [N]
    return law.respond(overlap, speed, {}).force > force || std::isfinite(law.min_impact_speed());
}

/// Whether the force rises from closing with a power of the overlap below 1: its slope is infinite
/// there.
bool rises_steeply(const laws::AnyLaw& law) {
    const double near = 1e-16, far = 1e-12;  // [m]
    const double below_linear = 0.9 * far / near;
    const double force = law.respond(near, speed, {}).force;
    return force > 0.0 && law.respond(far, speed, {}).force < below_linear * force;
}

bool jumps_at_yield(const laws::AnyLaw& law) {
    return gradients::law_kernel(law.index()).last_jump(law.numbers().data()) > 0.0;
}

}  // namespace

std::vector<std::string> law_warnings(const PairTable& table) {
    bool jumps = false, steep = false, yields = false;
    for (std::size_t k = 0; k < table.pairs().size(); ++k) {
        const laws::AnyLaw& law = table.law(k).normal;
        const bool at_closing = jumps_at_closing(law);
        jumps = jumps || at_closing;
        steep = steep || (!at_closing && rises_steeply(law));
        yields = yields || jumps_at_yield(law);
    }
    std::vector<std::string> warnings;
    if (jumps) {
        warnings.emplace_back(
            "the force jumps where a contact closes, or the law stores the speed there; the "
            "gradient is that of the steps, in which the instant stays in its step");
    }
    if (steep) {
        warnings.emplace_back(
            "the force rises from zero with a power of the overlap below 1; the gradient is that "
            "of the steps, which depends on where within its step each contact closes, and is "
            "not that of the motion");
    }
    if (yields) {
        warnings.emplace_back(
            "the force may jump at the yield point of the law; the gradient is that of the steps, "
            "in which the instant stays in its step");
    }
    return warnings;
}

}  // namespace beadwave::packing_gradients
