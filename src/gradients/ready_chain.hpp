// A chain that is ready to run, with all that its derivatives need.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/stepping/time_step.hpp"
#include "chain/contact_bodies.hpp"
#include "chain/equilibrium.hpp"

#include <optional>
#include <string>

namespace beadwave::gradients {

struct ReadyChain {
    const chain::Chain& chain;
    chain::ContactBodies bodies;
    running::Settings settings;
    stepping::TimeStep time_step;
    /// Whether the gaps follow from a static equilibrium, and its loads; without these pair forces
    /// take part.
    bool in_equilibrium = false;
    std::optional<chain::StaticLoads> static_loads{};
    std::string name;  ///< of the scenario, for messages
};

/// Throws InputError for a chain that has no gradient, such as one with adhesion.
void check_chain(const ReadyChain& ready);

}  // namespace beadwave::gradients
