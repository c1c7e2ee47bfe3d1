// The table of bonds that broke, for chains and packings.
#pragma once

#include "recording/stream.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace beadwave {
class Archive;
}

namespace beadwave::running {

class BrokenBonds {
  public:
    struct Row {
        std::array<double, 2> bodies;  ///< that it joined; of a chain the contact
        double step;                   ///< in which it broke
        double energy;                 ///< stored then [J]
    };

    /// Takes the rows of bonds that broke, of all or only of late, and keeps those after the last
    /// sample; `step`: steps done.
    void update(std::vector<Row> all, double step);
    double seen() const { return seen_; }  ///< steps done at the last sample
    /// `bodies`: the name of that column, of `width` numbers; `time_step` [s].
    recording::Table table(const char* bodies, std::size_t width, double time_step) const;
    void serialize(Archive& archive);

  private:
    std::vector<Row> fresh_;  // since the last sample, in the order of time
    double seen_ = 0.0;       // steps done then
};

}  // namespace beadwave::running
