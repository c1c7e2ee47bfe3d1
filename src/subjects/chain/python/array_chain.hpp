// The job of a chain that was made from arrays. It keeps them, so that its state can be saved.
#pragma once

#include "io/checkpoint/state_file.hpp"
#include "io/scenario/named_files.hpp"
#include "subjects/chain/chain_job.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace beadwave::python {

class ArrayChainJob final : public jobs::ChainJob {
  public:
    ArrayChainJob(io::ReadScenario read, chain::Chain chain, std::string toml,
                  io::NamedNumbers arrays)
        : ChainJob(std::move(read), std::move(chain)),
          toml_(std::move(toml)),
          arrays_(std::move(arrays)) {}

    /// The tables of its settings, as TOML.
    const std::string& toml() const { return toml_; }
    const io::NamedNumbers& arrays() const { return arrays_; }
    /// A wall has the material of the end bead.
    chain::ContactBodies contact_bodies() const override;

  private:
    std::string toml_;
    io::NamedNumbers arrays_;
};

/// Makes a job from the arrays of an ArrayChainJob. `files`: see read_run_of_chain. Throws
/// InputError, ArgumentError, std::out_of_range if an array is missing.
std::shared_ptr<ArrayChainJob> make_array_chain(const io::NamedNumbers& arrays,
                                                const std::string& toml,
                                                std::optional<io::NamedFiles> files = {});

}  // namespace beadwave::python
