#include "subjects/chain/chain_units.hpp"

#include "scenario/usual_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace beadwave::io {
namespace {

using scenario::Dimension;
using scenario::MaterialNumbers;
using scenario::Plausibility;
using Values = Plausibility::Values;

constexpr double silent = std::numeric_limits<double>::quiet_NaN();
/// The most segments and kinds of beads that are looked at.
constexpr std::size_t most_kinds = 64;

/// Places of the numbers of beads that are alike.
struct BeadNumbers {
    std::size_t radius;
    double volume;  ///< over the cube of the radius [-]
    std::optional<std::size_t> mass{}, length{};
    MaterialNumbers material;

    /// [kg/m^3]; NaN: not known.
    double density(Values v) const {
        if (mass && length)
            return v[*mass] / (std::numbers::pi * v[radius] * v[radius] * v[*length]);
        if (mass) return v[*mass] / (volume * std::pow(v[radius], 3));
        return material.density ? v[*material.density] : silent;
    }
};

class ChainUnits {
  public:
    explicit ChainUnits(const chain::Scenario& scenario)
        : scenario_(scenario),
          materials_(scenario),
          stiff_(scenario::uses_modulus(scenario.law)),
          end_(scenario::add_end(plausible_, scenario.time.end)) {
        scenario::add_times(plausible_, scenario, end_);
        for (std::size_t s = 0; s < scenario.segments.size() && beads_.size() < most_kinds; ++s)
            add_segment(s);
        if (scenario.gravity)
            gravity_ = scenario::add_gravity(plausible_, scenario.gravity->acceleration);
        for (const BeadNumbers& beads : beads_)
            add_ranges(beads);
        add_others();
        add_motion();
    }

    std::optional<std::string> doubt() const { return plausible_.doubt(); }

  private:
    void add_beads(const std::string& radius_key, double radius, double volume,
                   const std::string& mass_key, std::optional<double> mass, const std::string& of) {
        BeadNumbers beads{.radius = plausible_.number(radius_key, radius, Dimension::length),
                          .volume = volume,
                          .material = materials_.add(plausible_, of)};
        if (mass) beads.mass = plausible_.number(mass_key + ".mass", *mass, Dimension::mass);
        beads_.push_back(beads);
    }

    void add_segment(std::size_t s) {
        const chain::Segment& segment = scenario_.segments[s];
        const std::string key = fmt::format("segment.{}", s);
        const std::size_t first = beads_.size();
        const bool ellipsoids = segment.form == chain::BeadForm::ellipsoid;
        const std::string size = ellipsoids ? ".semi_axes" : ".radius";
        if (!segment.listed.empty()) return;  // the units are in the head of the file
        if (segment.pattern.empty()) {
            add_beads(key + size, segment.radius, segment.shape.volume, key, segment.mass,
                      segment.material);
        }
        for (std::size_t k = 0; k < segment.pattern.size() && beads_.size() < most_kinds; ++k) {
            const chain::BeadKind& kind = segment.pattern[k];
            const std::string own = fmt::format("{}.pattern.{}", key, k);
            const bool sized = ellipsoids ? kind.semi_axes.has_value() : kind.radius.has_value();
            add_beads((sized ? own : key) + size, kind.radius.value_or(segment.radius),
                      kind.shape.value_or(segment.shape).volume, own, kind.mass,
                      kind.material.value_or(segment.material));
        }
        if (segment.length) {
            const std::size_t length =
                plausible_.number(key + ".length", *segment.length, Dimension::length);
            for (std::size_t b = first; b < beads_.size(); ++b) {
                beads_[b].length = length;
                plausible_.measure("the length over the radius", "", 1e-2, 500.0,
                                   [length, radius = beads_[b].radius](Values v) {
                                       return v[length] / v[radius];
                                   });
            }
        }
        if (segment.velocity != 0.0) {
            speeds_.push_back(
                plausible_.number(key + ".velocity", segment.velocity, Dimension::speed));
        }
        if (segment.gap) add_gap(key + ".gap", *segment.gap);
    }

    void add_gap(const std::string& key, double value) {
        if (!(value > 0.0) || beads_.empty()) return;
        const std::size_t gap = plausible_.number(key, value, Dimension::length);
        plausible_.measure(
            "the gap over the radius", "", 0.0, 30.0,
            [gap, radius = beads_.back().radius](Values v) { return v[gap] / v[radius]; });
    }

    /// Adds the numbers of ends and elements.
    void add_others() {
        if (beads_.empty()) return;
        add_gap("boundary.left.gap", scenario_.left.gap);
        add_gap("boundary.right.gap", scenario_.right.gap);
        const BeadNumbers& beads = beads_.back();
        if (!beads.mass) return;
        const auto& resonators = scenario_.elements.resonators;
        for (std::size_t r = 0; r < std::min(most_kinds, resonators.size()); ++r) {
            const std::size_t mass = plausible_.number(fmt::format("resonator.{}.mass", r),
                                                       resonators[r].mass, Dimension::mass);
            plausible_.measure("the mass inside a bead over that of the bead", "", 0.0, 100.0,
                               [mass, bead = *beads.mass](Values v) { return v[mass] / v[bead]; });
        }
    }

    void add_ranges(const BeadNumbers& beads) {
        scenario::add_body_ranges(plausible_, "bead", beads.radius, beads_.front().radius,
                                  beads.mass.has_value(),
                                  [beads](Values v) { return beads.density(v); });
        if (!stiff_) return;
        const auto sound = [beads](Values v) {
            return std::sqrt(v[beads.material.modulus] / beads.density(v));
        };
        plausible_.measure("sound in the beads, sqrt(E/density)", " m/s", 1.0,
                           scenario::fastest_sound, sound);
        // No solid this heavy is as soft as rubber.
        plausible_.measure(
            "sound in beads this heavy, sqrt(E/density)", " m/s", 250.0, scenario::fastest_sound,
            [beads, sound](Values v) { return beads.density(v) > 2000.0 ? sound(v) : silent; });
        for (const std::size_t speed : speeds_) {
            plausible_.measure("the speed over that of sound in the beads", "", 0.0, 0.1,
                               [speed, sound](Values v) { return std::abs(v[speed]) / sound(v); });
            plausible_.measure(
                "the overlap of an impact over the radius", "", 0.0, 0.3, [beads, speed](Values v) {
                    return scenario::collision_overlap(beads.density(v), v[beads.material.modulus],
                                                       std::abs(v[speed]));
                });
        }
        if (scenario_.precompression) {
            plausible_.measure(
                "the overlap under the precompression over the radius", "", 1e-7, 0.3,
                [beads, force = *scenario_.precompression](Values v) {
                    const double r = v[beads.radius];
                    return std::pow(2.0 * force / (v[beads.material.modulus] * r * r), 2.0 / 3.0);
                });
        }
        if (gravity_) {
            const auto count = static_cast<double>(scenario_.bead_count());
            plausible_.measure(
                "the overlap under the weight over the radius", "", 0.0, 0.3,
                [beads, count, gravity = *gravity_](Values v) {
                    const double stress =
                        beads.density(v) * std::abs(v[gravity]) * v[beads.radius] * count;
                    return std::pow(4.0 * stress / v[beads.material.modulus], 2.0 / 3.0);
                });
        }
    }

    void add_motion() {
        if (!stiff_ || beads_.empty()) return;
        const auto count = static_cast<double>(scenario_.bead_count());
        const BeadNumbers beads = beads_.back();
        // The time that a wave needs from bead to bead: the duration of an impact, or at least the
        // time of sound.
        const auto bead_time = [beads, speeds = speeds_](Values v) {
            double fastest = 0.0;
            for (const std::size_t speed : speeds)
                fastest = std::max(fastest, std::abs(v[speed]));
            const double density = beads.density(v), modulus = v[beads.material.modulus];
            const double sound = v[beads.radius] * std::sqrt(density / modulus);
            return fastest > 0.0
                       ? v[beads.radius] * scenario::collision_time(density, modulus, fastest)
                       : 30.0 * sound;
        };
        if (!scenario_.gravity && scenario_.elements.pair_forces.empty()) {
            plausible_.measure("the end over the duration of an impact", "", 0.2, 1e12,
                               [bead_time, beads, end = end_](Values v) {
                                   return scenario::may_be_slow(v[beads.radius],
                                                                v[beads.material.modulus])
                                              ? v[end] / bead_time(v)
                                              : silent;
                               });
        }
        // The periods of other motions.
        std::vector<double> periods;
        for (const chain::End* end : {&scenario_.left, &scenario_.right})
            if (end->drive) periods.push_back(end->drive->period());
        for (const chain::PointDrive& drive : scenario_.elements.drives)
            if (drive.motion) periods.push_back(drive.motion->period());
        for (const chain::PointLoad& load : scenario_.elements.loads)
            periods.push_back(load.force.period());
        const double mass = beads.mass ? plausible_.value(*beads.mass) : 0.0;
        for (const chain::FoundationGroup& foundation : scenario_.elements.foundations) {
            if (!beads.mass) return;
            const chain::Spring& spring = foundation.spring;
            if (spring.stiffness > 0.0) periods.push_back(6.3 * std::sqrt(mass / spring.stiffness));
            if (spring.damping > 0.0) periods.push_back(mass / spring.damping);
        }
        for (const chain::BondGroup& bond : scenario_.elements.bonds) {
            if (!beads.mass) return;
            periods.push_back(count * std::sqrt(mass / bond.stiffness));
        }
        double slowest = 0.0;
        for (const double period : periods)
            if (std::isfinite(period)) slowest = std::max(slowest, period);
        if (!scenario_.elements.pair_forces.empty()) return;
        plausible_.measure("the end over the time of a wave through the chain", "", 0.0, 300.0,
                           [=, end = end_, gravity = gravity_](Values v) {
                               double time = std::max(slowest, 0.2 * count * bead_time(v));
                               if (gravity) {
                                   time = std::max(time, std::sqrt(2.0 * count * v[beads.radius] /
                                                                   std::abs(v[*gravity])));
                               }
                               return v[end] / time;
                           });
    }

    const chain::Scenario& scenario_;
    scenario::Materials materials_;
    Plausibility plausible_;
    bool stiff_;
    std::size_t end_;
    std::vector<BeadNumbers> beads_;
    std::vector<std::size_t> speeds_;
    std::optional<std::size_t> gravity_;
};

}  // namespace

std::optional<std::string> chain_units(const chain::Scenario& scenario) {
    return ChainUnits(scenario).doubt();
}

}  // namespace beadwave::io
