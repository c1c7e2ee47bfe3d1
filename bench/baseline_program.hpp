// The interface of baseline.hpp, which is compiled in its own file with its own compiler options.
#pragma once

#include <cstddef>
#include <memory>

namespace beadwave::bench {

class BaselineProgram {
  public:
    /// Stiffness K [N/m^1.5], mass [kg], overlap of the precompression [m], time step [s].
    BaselineProgram(std::size_t beads, double stiffness, double mass, double overlap, double dt);
    ~BaselineProgram();
    void advance(long steps);

  private:
    struct Hidden;
    std::unique_ptr<Hidden> hidden_;
};

}  // namespace beadwave::bench
