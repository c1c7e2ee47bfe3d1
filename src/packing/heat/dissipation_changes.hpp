// What each contact dissipated since the last look at it.
#pragma once

#include "packing/contacts/contact_dissipation.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace beadwave::packing {

struct DissipationChange {
    std::size_t first, second;  ///< as ContactDissipation
    double energy;              ///< [J]; may be below 0 within a step, as sums of steps are
};

class DissipationChanges {
  public:
    /// Starts from these sums, by first body, then second.
    void start(std::vector<ContactDissipation> now) { last_ = std::move(now); }
    /// The differences to the last sums that are not 0. `now` has all contacts of these.
    const std::vector<DissipationChange>& take(std::vector<ContactDissipation> now);

  private:
    std::vector<ContactDissipation> last_;
    std::vector<DissipationChange> change_;
};

}  // namespace beadwave::packing
