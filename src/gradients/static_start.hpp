// The static equilibrium from which a run starts, as a function of the numbers of the chain: each
// contact carries a force F that the loads determine, and its gap is minus the overlap d at which
// its law has this force. So, by the implicit function theorem,
//
//     d(gap) = -(dF - sum over numbers k of the law of (dF/dk) dk) / (dF/dd).
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "chain/equilibrium.hpp"
#include "gradients/motion_numbers.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace beadwave::gradients {

class StaticStart {
  public:
    /// `loads` none: the numbers of the chain are free. `numbers`: those of the chain, in this
    /// equilibrium; `law`: any law of it.
    StaticStart(const std::optional<chain::StaticLoads>& loads, const MotionNumbers& numbers,
                const laws::AnyLaw& law);

    /// Whether the gap of each contact follows from its force, which is then above 0.
    std::vector<char> follows(const MotionNumbers& numbers) const;
    bool squeezes() const { return loads_ && loads_->squeeze > 0.0; }

    /// Gaps and loads of numbers whose masses, laws or precompression have changed. The loads are
    /// those of the chain's own precompression before. Throws running::RunError where a contact
    /// cannot carry its force.
    void apply(MotionNumbers& numbers) const;

    /// From derivatives in which gaps and loads are numbers of their own to those where they
    /// follow. `numbers` are in equilibrium.
    void reverse(const MotionNumbers& numbers, MotionNumbers& bars) const;

  private:
    /// Whether a contact is one of those that may carry a load.
    bool carries(std::size_t contact) const {
        return loads_ && contact >= loads_->first_contact && contact <= loads_->last_contact;
    }
    /// [N] per bead: 0 without gravity, and for a bead that is held.
    std::vector<double> weights(const MotionNumbers& numbers) const;
    /// [N] per contact; 0 where none is carried.
    std::vector<double> forces(const MotionNumbers& numbers) const;
    double last_force(const std::vector<double>& forces, const MotionNumbers& numbers) const;

    std::optional<chain::StaticLoads> loads_;
    laws::AnyLaw law_;
    double last_load_ = 0.0;  ///< of the chain [N]
};

}  // namespace beadwave::gradients
