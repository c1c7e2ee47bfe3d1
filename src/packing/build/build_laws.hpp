// The laws of a packing from its scenario. All throw InputError, with the place in the file.
#pragma once

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/expression/settings.hpp"
#include "packing/build/scenario.hpp"

#include <string_view>

namespace beadwave::packing {

/// Returns the result of `make`. An ArgumentError gets its place in the file.
template <class Make>
auto at_key(const Scenario& scenario, std::string_view key, const Make& make) {
    try {
        return make();
    } catch (const laws::ExpressionError& error) {
        scenario.origin.fail("law." + error.key, error.fault);
    } catch (const ArgumentError& error) {
        scenario.origin.fail(key, error.what());
    }
}

/// Pairs of materials that both occur.
void add_pairs(const Scenario& scenario, Packing& packing);

/// impact_speed = "initial": the largest difference of two velocities at the start, including
/// walls.
void resolve_impact_speed(const Scenario& scenario, Packing& packing);

/// Makes the laws of all pairs of materials, so that a law that cannot be made is found before the
/// run.
void check_laws(const Scenario& scenario, const Packing& packing);

}  // namespace beadwave::packing
