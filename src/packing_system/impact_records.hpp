// What is recorded of the impacts of a packing: a row for each, and how many there were of which
// energy.
#pragma once

#include "packing/packing_engine.hpp"
#include "recording/stream.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave {
class Archive;
}

namespace beadwave::running {

/// Numbers of impacts by the energy that they dissipated, by decades.
struct ImpactSpectrum {
    static constexpr int lowest = -18, highest = 4;  ///< powers of ten [J]
    /// From 0 to 10^lowest, then decade by decade. The first interval also has what is below it,
    /// the last what is above it.
    static constexpr std::size_t intervals = highest - lowest + 1;

    std::array<std::uint64_t, intervals> counts{};

    static std::vector<double> edges();  ///< one more than intervals [J]
    void add(double energy);             ///< [J]
};

/// Sums over all impacts that ended.
struct ImpactSums {
    std::uint64_t count = 0;
    packing::DissipationParts dissipated;  ///< [J]
    /// Sums over the impacts whose speeds are known on both sides [m/s].
    double impact_speeds = 0.0, separation_speeds = 0.0;
    ImpactSpectrum spectrum;

    void add(const packing::Impact& impact);
    /// Mean with the impact speeds as weights; NaN: none is known.
    double restitution() const;
    void serialize(Archive& archive);
};

/// The impacts of a run at its end.
struct ImpactResults {
    ImpactSums ended;
    packing::OpenImpacts open;
};

class ImpactRecords {
  public:
    /// To be called at each sample of the energy: takes the impacts that ended since the last one.
    void update(packing::PackingEngine& engine);
    const ImpactSums& sums() const { return sums_; }
    /// Its table and stream. It must outlive the description. `particles`: of the packing.
    void describe(recording::Description& all, std::size_t particles) const;
    void serialize(Archive& archive) { sums_.serialize(archive); }

  private:
    std::vector<packing::Impact> fresh_;  // since the last sample
    ImpactSums sums_;
};

}  // namespace beadwave::running
