// The tangent engine: the motion of a chain and its derivatives along directions in which the
// numbers of the chain change. It carries dual numbers through laws, memory and steps.
//
// The motion equals that of the tiled engine to the bit. For short chains on one thread.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "simd/instruction_sets.hpp"
#include "tangent/chain_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::dynamics {

class TangentEngine {
  public:
    /// time_step [s]; `changes`: derivatives of the numbers of the chain, one per direction.
    TangentEngine(const chain::Chain& chain, double time_step,
                  std::span<const ChainNumbers> changes);
    TangentEngine(const chain::Chain& chain, double time_step,
                  std::span<const ChainNumbers> changes, const simd::InstructionSet& instructions);
    ~TangentEngine();

    void advance(std::int64_t steps);
    std::int64_t step() const { return step_; }

    /// The mean of the contact forces on a bead's two sides [N], and its derivatives.
    void read(std::size_t bead, double& force, std::span<double> derivatives) const;

    /// Whether motion and derivatives are finite.
    bool finite() const;

  private:
    class Pass;
    std::size_t directions_;
    std::vector<Pass> passes_;  ///< each with a few directions
    std::int64_t step_ = 0;
};

}  // namespace beadwave::dynamics
