#include "chain/build_elements.hpp"

#include "chain/numbers_here.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::chain {
namespace {

class ElementBuilder {
  public:
    ElementBuilder(const Scenario& scenario, Chain& chain)
        : groups_(scenario.elements),
          origin_(scenario.origin),
          beads_(static_cast<std::int64_t>(chain.total())),
          chain_(chain) {}

    void build() {
        Elements& elements = chain_.elements;
        for (std::size_t k = 0; k < groups_.foundations.size(); ++k) {
            const FoundationGroup& group = groups_.foundations[k];
            here(group.beads, fmt::format("foundation.{}.beads", k)).each([&](std::size_t number) {
                elements.foundations.push_back({number - chain_.first(), group.spring});
            });
        }
        for (std::size_t k = 0; k < groups_.resonators.size(); ++k) {
            const ResonatorGroup& group = groups_.resonators[k];
            const NumbersHere beads = here(group.beads, fmt::format("resonator.{}.beads", k));
            if (chain_.partition)
                beads.count_in(elements.resonator_numbers, elements.resonators.size());
            beads.each([&](std::size_t number) {
                elements.resonators.push_back({number - chain_.first(), group.mass, group.spring});
            });
        }
        for (std::size_t k = 0; k < groups_.loads.size(); ++k) {
            const PointLoad& load = groups_.loads[k];
            const std::size_t bead = one_bead(load.bead, fmt::format("load.{}.bead", k));
            if (load.force.is_constant()) {
                if (bead < chain_.beads()) chain_.loads.push_back({bead, load.force.at(0.0)});
            } else {
                chain_.elements.loads.push_back({bead, load.force});
            }
        }
        for (std::size_t k = 0; k < groups_.drives.size(); ++k)
            drive(groups_.drives[k], fmt::format("drive.{}.bead", k));
        for (std::size_t k = 0; k < groups_.pair_forces.size(); ++k)
            pair_force(groups_.pair_forces[k], fmt::format("pair_force.{}", k));
    }

  private:
    void pair_force(const PairForceGroup& group, const std::string& key) {
        // Coaxial dipoles m1, m2 with the same direction attract: F = -3 mu0 m1 m2 / (2 pi r^4).
        // Side by side they repel with half of that [Jackson, section 5.7].
        constexpr double mu0 = 1.25663706127e-6;  // [N/A^2], CODATA 2022
        constexpr double dipoles = 3.0 * mu0 / (2.0 * std::numbers::pi);
        const bool coaxial = group.orientation == Orientation::coaxial;
        const laws::PairLaw law(group.force ? group.distance : 1.0,
                                group.force ? group.exponent : 4.0,
                                group.range.value_or(laws::PairLaw::no_range));
        const auto [first, last] = ends_of(group.beads, key + ".beads");
        // Cut to the beads here; `moments` begin at the first of these.
        const auto begin = static_cast<std::int64_t>(chain_.first());
        const auto end = begin + static_cast<std::int64_t>(chain_.beads());
        const std::int64_t from = std::max(first, begin), to = std::min(last, end - 1);
        std::vector<double> moments = group.moments;
        if (!moments.empty()) {
            const auto turned = (from - first) % static_cast<std::int64_t>(moments.size());
            std::rotate(moments.begin(), moments.begin() + turned, moments.end());
        }
        const bool any = from <= to;
        chain_.elements.pair_forces.push_back(
            {.first = any ? static_cast<std::size_t>(from - begin) : 1,
             .last = any ? static_cast<std::size_t>(to - begin) : 0,
             .law = law,
             .force = group.force.value_or(coaxial ? -dipoles : 0.5 * dipoles),
             .moments = std::move(moments),
             .neighbours = static_cast<std::size_t>(group.neighbours)});
    }

    void drive(const PointDrive& drive, const std::string& key) {
        const std::size_t bead = one_bead(drive.bead, key);
        const bool here = bead < chain_.beads();
        const double velocity = here ? chain_.velocity[bead] : 0.0;
        const std::string fault = fault_of_drive(chain_.elements, bead, velocity);
        if (!fault.empty()) origin_.fail(key, fault);
        chain_.elements.driven.push_back({bead, *drive.motion});
        if (here) chain_.velocity[bead] = drive.motion->velocity(0.0);
    }

    /// The index on this process; not below its number of beads if it does not hold the bead. Also
    /// then differences of indices are those of the numbers.
    std::size_t one_bead(std::int64_t bead, const std::string& key) const {
        if (bead >= beads_)
            origin_.fail(key, fmt::format("there is no such bead; expected 0 to {}", beads_ - 1));
        return static_cast<std::size_t>(bead) - chain_.first();
    }

    std::array<std::int64_t, 2> ends_of(const BeadRange& range, const std::string& key) const {
        const auto [first, last] = range.ends.value_or(std::array<std::int64_t, 2>{0, beads_ - 1});
        if (first > last) {
            origin_.fail(key, fmt::format("ends before it begins; expected [first, last], such as "
                                          "[0, {}]",
                                          beads_ - 1));
        }
        if (last >= beads_) {
            origin_.fail(key, fmt::format("there is no bead {}; expected beads from 0 to {}", last,
                                          beads_ - 1));
        }
        return {first, last};
    }

    /// The beads of a range on this process, by number.
    NumbersHere here(const BeadRange& range, const std::string& key) const {
        const auto [first, last] = ends_of(range, key);
        const std::size_t begin = chain_.first();
        return {first, last, range.every, begin, begin + chain_.beads()};
    }

    const ElementGroups& groups_;
    const scenario::Origin& origin_;
    std::int64_t beads_;
    Chain& chain_;
};

}  // namespace

void refuse_sleep(const Scenario& scenario, std::string_view what) {
    if (scenario.time.sleep_speed > 0.0) {
        scenario.origin.fail("time.sleep_speed",
                             fmt::format("a chain with {} cannot put beads to sleep", what));
    }
}

/// At the start masses inside beads hang on their springs, stretched by M g / k. Displacements
/// count from there, where the weight and the pull of a linear spring cancel, so that all which is
/// left of gravity is the load M g on the bead, in forces and in energy.
void hang_masses(const Scenario& scenario, Chain& chain) {
    if (!scenario.gravity || !(scenario.gravity->acceleration > 0.0)) return;
    const std::vector<ResonatorGroup>& groups = scenario.elements.resonators;
    for (std::size_t k = 0; k < groups.size(); ++k) {
        const Spring& spring = groups[k].spring;
        if (spring.stiffness > 0.0 && spring.cubic == 0.0 && scenario.gravity->equilibrium)
            continue;
        scenario.origin.fail(
            fmt::format("resonator.{}", k),
            "its masses have a weight and hang on their springs at the start: expected a stiffness "
            "above 0, no cubic term and gravity.equilibrium = true");
    }
    for (const Resonator& each : chain.elements.resonators)
        chain.loads.push_back({each.bead, each.mass * scenario.gravity->acceleration});
}

void add_elements(const Scenario& scenario, Chain& chain) {
    if (scenario.elements.empty()) return;
    const ElementGroups& groups = scenario.elements;
    const std::string first = !groups.foundations.empty()  ? "foundation"
                              : !groups.resonators.empty() ? "resonator"
                              : !groups.loads.empty()      ? "load"
                              : !groups.drives.empty()     ? "drive"
                              : !groups.bonds.empty()      ? "bond"
                                                           : "pair_force";
    ElementBuilder(scenario, chain).build();
    if (chain.elements.empty()) return;
    refuse_sleep(scenario, "a " + first);
    hang_masses(scenario, chain);
}

}  // namespace beadwave::chain
