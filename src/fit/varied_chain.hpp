// A chain's scenario with some numbers varied, and how the chain's own numbers change with them.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/running/settings.hpp"
#include "chain/scenario.hpp"
#include "dynamics/tangent/chain_numbers.hpp"
#include "fit/motion.hpp"
#include "io/toml/toml_document.hpp"

#include <span>
#include <string>
#include <vector>

namespace beadwave::fit {

class VariedChain {
  public:
    /// What a run needs.
    struct Ready {
        chain::Chain chain;
        running::Settings settings;
        dynamics::TimeStep time_step;
    };

    /// Throws InputError, also if the scenario is not one of a chain.
    explicit VariedChain(const Subject& subject);

    bool is_chain() const;

    /// With these values, one a key. Throws InputError.
    Ready at(std::span<const double> values) const;
    chain::Chain chain(std::span<const double> values) const;  ///< without the rest

    /// With the derivatives of the chain's numbers along each key, by differences of fourth order
    /// of the chains that displaced values make, within the bounds.
    struct Changing {
        Ready ready;
        std::vector<dynamics::ChainNumbers> changes;
    };
    /// Throws InputError, running::RunError.
    Changing changing_at(std::span<const double> values) const;

  private:
    struct Change {
        dynamics::ChainNumbers numbers;
        std::string obstacle;  ///< empty: there is none
    };

    chain::Scenario scenario(std::span<const double> values) const;
    Change change(const chain::Chain& own, std::vector<double> values, std::size_t k) const;

    Subject subject_;
    io::TomlDocument document_;
};

/// Why numbers of the second chain cannot be compared with those of the first; empty if they can.
std::string difference_in_kind(const chain::Chain& a, const chain::Chain& b);

}  // namespace beadwave::fit
