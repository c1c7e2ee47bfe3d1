// What is recorded of a packing whose particles come and leave.
#pragma once

#include "packing/packing_engine.hpp"
#include "recording/stream.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave {
class Archive;
}

namespace beadwave::running {

/// Numbers of particles at the end of a run.
struct FlowCounts {
    std::size_t waiting = 0, inside = 0, left = 0;
};

FlowCounts flow_counts(const packing::PackingEngine& engine);

/// One sentence for each pour that did not end, and each exit that took particles at the start.
std::vector<std::string> flow_warnings(const packing::Packing& packing,
                                       const packing::PackingEngine& engine);

/// Which particles came and left since the last sample.
class Passages {
  public:
    /// To be called at each sample of the energy.
    void update(const packing::Packing& packing, const packing::PackingEngine& engine);
    /// Its streams and tables. All must outlive the description.
    void describe(recording::Description& all, const packing::Packing& packing,
                  const packing::PackingEngine& engine, bool snapshots) const;
    void serialize(Archive& archive);

  private:
    struct Row {
        double particle, exit, time;
    };
    recording::Table table(const char* name, const char* time, bool exits,
                           const std::vector<Row>& rows) const;

    std::vector<Row> came_, left_;
    double seen_ = 0.0;  // steps done at the last sample: what comes and goes after it counts
};

}  // namespace beadwave::running
