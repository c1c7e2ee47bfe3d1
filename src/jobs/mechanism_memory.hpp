// The history of a mechanism in memory.
#pragma once

#include "io/scenario/mechanism_reader.hpp"
#include "jobs/recording.hpp"
#include "mechanism/result.hpp"

#include <vector>

namespace beadwave::jobs {

class MechanismMemory : public Recording {
  public:
    /// `read` must outlive it. Throws InputError if the memory cannot hold its samples.
    explicit MechanismMemory(const io::ReadMechanism& read);

    void add(std::int64_t number, const mechanism::Sample& sample);
    /// Takes all impacts of all contact points, at the end.
    void finish(const std::vector<mechanism::ContactImpacts>& points) { impacts_ = points; }

    std::vector<ArrayView> arrays() const override;
    void save(const io::Output& output) const override;

  private:
    const io::ReadMechanism& read_;
    SampleTimes times_;
    std::vector<mechanism::BodyState> bodies_;               // samples x bodies
    std::vector<mechanism::ContactSample> contact_samples_;  // samples x contact points
    std::vector<mechanism::Ledger> ledger_;
    std::vector<mechanism::ContactImpacts> impacts_;
    std::vector<double> mass_, inertia_;
};

}  // namespace beadwave::jobs
