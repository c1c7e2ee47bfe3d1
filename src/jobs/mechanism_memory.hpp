// A mechanism's history in memory.
#pragma once

#include "io/scenario/mechanism_reader.hpp"
#include "jobs/recording.hpp"
#include "mechanism/result.hpp"

#include <vector>

namespace beadwave::jobs {

class MechanismMemory : public Recording {
  public:
    /// `read` must outlive it. Throws InputError if memory cannot hold its samples.
    explicit MechanismMemory(const io::ReadMechanism& read);

    void add(std::int64_t sample, const mechanism::Moment& moment);
    /// All impacts of all spots, at the end.
    void finish(const std::vector<mechanism::SpotRecord>& spots) { spots_ = spots; }

    std::vector<ArrayView> arrays() const override;
    void save(const io::Output& output) const override;

  private:
    const io::ReadMechanism& read_;
    SampleTimes times_;
    std::vector<mechanism::BodyMotion> bodies_;        // samples x bodies
    std::vector<mechanism::SpotMoment> spot_moments_;  // samples x spots
    std::vector<mechanism::Ledger> ledger_;
    std::vector<mechanism::SpotRecord> spots_;
    std::vector<double> mass_, inertia_;
};

}  // namespace beadwave::jobs
