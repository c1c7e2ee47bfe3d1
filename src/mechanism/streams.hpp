// What is recorded of a mechanism. Bodies are in /particles/all, contacts and the energy ledger in
// /observables, impacts in /impacts.
#pragma once

#include "beadwave/recording/dissipation.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/result.hpp"
#include "recording/stream.hpp"

#include <string>
#include <vector>

namespace beadwave::mechanism {

/// The name of the contact: "pin". A prismatic contact has four points: "guide, corner 3". Shapes
/// may have several: "guide, corner 3 of block".
std::string contact_point_name(const Mechanism& mechanism, std::size_t contact, std::size_t corner);

/// The state that the fills of a mechanism's description read.
class Streams {
  public:
    /// `mechanism` must outlive it. `dissipation`: what samples hold of it beside the ledger.
    explicit Streams(const Mechanism& mechanism,
                     const recording::DissipationRecords& dissipation = {})
        : mechanism_(mechanism), dissipation_(dissipation) {}
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    void take(const Sample& sample) { now_ = &sample, ledger_ = sample.ledger; }
    void take(const Impact& impact) { impact_ = &impact; }

    /// All streams have the pace of snapshots. Table i is that of contact point i.
    recording::Description description() const;

  private:
    void add_springs(recording::Description&) const;
    void add_joint_friction(recording::Description&) const;
    void add_joints(recording::Description&) const;

    const Mechanism& mechanism_;
    const recording::DissipationRecords dissipation_;
    const Sample* now_ = nullptr;
    const Impact* impact_ = nullptr;
    recording::Ledger ledger_;
};

}  // namespace beadwave::mechanism
