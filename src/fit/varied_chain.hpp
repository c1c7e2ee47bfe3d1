// A scenario of a chain with some numbers varied, and the derivatives of the chain's own numbers by
// them.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/stepping/time_step.hpp"
#include "chain/scenario.hpp"
#include "fit/forward_model.hpp"
#include "io/toml/toml_document.hpp"
#include "tangent/chain_numbers.hpp"

#include <span>
#include <string>
#include <vector>

namespace beadwave::fit {

class VariedChain {
  public:
    /// A chain with all that a run of it needs.
    struct Ready {
        chain::Chain chain;
        running::Settings settings;
        stepping::TimeStep time_step;
    };

    /// Throws InputError, also if the scenario is not a chain.
    explicit VariedChain(const FitProblem& problem);

    bool is_chain() const;

    /// The chain at these values, one per key. Throws InputError.
    Ready at(std::span<const double> values) const;
    chain::Chain chain(std::span<const double> values) const;  ///< the chain alone

    /// A chain with the derivatives of its numbers by each key: differences of fourth order between
    /// chains at displaced values, within the bounds.
    struct Changing {
        Ready ready;
        std::vector<dynamics::ChainNumbers> changes;
    };
    /// Throws InputError, running::RunError.
    Changing changing_at(std::span<const double> values) const;

  private:
    struct Change {
        dynamics::ChainNumbers numbers;
        std::string obstacle;  ///< why there is no derivative; empty: there is one
    };

    /// The document with these values from key `first` on.
    io::TomlDocument variant(const io::TomlDocument& document, std::size_t first,
                             std::span<const double> values) const;
    chain::Scenario scenario(io::TomlDocument document) const;
    /// By key k of a chain, from its document: only this number is replaced in it, again and again.
    Change change(const chain::Chain& own, const io::TomlDocument& document, double value,
                  std::size_t k) const;

    FitProblem problem_;
    io::TomlDocument document_;
};

/// Why the numbers of the two chains cannot be subtracted; empty if they can.
std::string difference_in_kind(const chain::Chain& a, const chain::Chain& b);

}  // namespace beadwave::fit
