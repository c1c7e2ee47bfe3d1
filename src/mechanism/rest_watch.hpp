// What contacts at rest cannot do: pull, or hold by more friction than mu N. A run in which one
// does is wrong, as an event was missed, and says so.
#pragma once

#include "mechanism/dynamics.hpp"

#include <string>
#include <vector>

namespace beadwave::mechanism {

class RestWatch {
  public:
    /// Looks at the forces of the last derivatives(), at this time [s].
    void look(double time, const Dynamics&);
    /// One sentence for each of the two that happened.
    std::vector<std::string> warnings(const Mechanism&) const;
    /// Throws std::length_error if a contact is not one of so many.
    void serialize(Archive&, std::size_t contacts);

  private:
    struct Worst {
        double excess = 0.0;        ///< [N]
        double time = 0.0;          ///< [s]
        std::int64_t contact = 0;   ///< index in Mechanism::contacts
        double normal_force = 0.0;  ///< [N]
    };
    Worst pull_, friction_;
    double largest_force_ = 0.0;  ///< of contacts at rest so far [N]
};

}  // namespace beadwave::mechanism
