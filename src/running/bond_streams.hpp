// What is recorded of the bonds of a chain: their forces at the snapshots, and which broke and
// when.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "recording/stream.hpp"
#include "running/broken_bonds.hpp"

#include <span>

namespace beadwave {
class Archive;
}

namespace beadwave::running {

class BondRecords {
  public:
    /// Both must outlive it. `time_step` [s].
    BondRecords(const chain::Chain& chain, dynamics::Engine& engine, double time_step)
        : chain_(chain), engine_(engine), time_step_(time_step) {}

    /// To be called at each sample of the ledger: looks for the bonds that broke since the one
    /// before.
    void update();
    /// To be called before each snapshot. All ranks that share the chain call this and update()
    /// together.
    void take_snapshot();
    void add_to(recording::Description& all, bool snapshots) const;
    void serialize(Archive& archive);

  private:
    /// A column of the engine's state, of the own beads.
    std::span<const double> column(const char* name) const;

    const chain::Chain& chain_;
    dynamics::Engine& engine_;
    double time_step_;
    BrokenBonds broken_;
    double left_displacement_ = 0.0;  ///< of the bead before the first own one [m]
};

}  // namespace beadwave::running
