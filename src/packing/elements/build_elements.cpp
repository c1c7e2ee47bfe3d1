#include "packing/elements/build_elements.hpp"

#include "packing/elements/check_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace beadwave::packing {
namespace {

class ElementBuilder {
  public:
    ElementBuilder(const Scenario& scenario, const std::vector<std::size_t>& group_begin,
                   Packing& packing)
        : scenario_(scenario),
          group_begin_(group_begin),
          packing_(packing),
          driven_(scenario.elements.drives.empty() ? 0 : packing.particles()) {}

    void build() {
        Elements& all = packing_.elements;
        each(scenario_.elements.foundations, "foundation",
             [&](const FoundationPlan& plan, std::size_t particle) {
                 all.foundations.push_back({particle, plan.spring, plan.rotational_damping});
             });
        each(scenario_.elements.resonators, "resonator",
             [&](const ResonatorPlan& plan, std::size_t particle) {
                 all.resonators.push_back({particle, plan.mass, plan.spring});
             });
        for (const LoadedPlan& plan : scenario_.elements.loads)
            all.forces.push_back(plan.force);
        for (const DrivePlan& plan : scenario_.elements.drives) {
            PrescribedMotion& motion = all.motions.emplace_back();
            motion.rotates = plan.rotates;
            if (plan.rotation) motion.turning = plan.rotation->angles;
            const auto axes = static_cast<std::size_t>(packing_.dimension);
            for (std::size_t k = 0; k < axes; ++k) {
                if (plan.axes[k]) motion.along[k] = plan.along[k];
            }
        }
        each(scenario_.elements.loads, "load", [&](const LoadedPlan&, std::size_t particle) {
            all.loads.push_back({particle, number_});
        });
        each(scenario_.elements.drives, "drive", [&](const DrivePlan&, std::size_t particle) {
            if (std::exchange(driven_[particle], 1) != 0)
                scenario_.origin.fail(key_, driven_twice(particle));
            const std::string fault =
                fault_of_drive(packing_, particle, packing_.elements.motions[number_]);
            if (!fault.empty()) scenario_.origin.fail(key_, fault);
            packing_.drive(particle, number_);
        });
    }

  private:
    /// Calls add(plan, particle) for every particle of every plan.
    template <class Plan, class Add>
    void each(const std::vector<Plan>& plans, const char* table, const Add& add) {
        for (number_ = 0; number_ < plans.size(); ++number_) {
            const Selection& of = plans[number_].particles;
            key_ = fmt::format("{}.{}.{}", table, number_, of.group ? "group" : "particles");
            const auto [first, last] = ends_of(of);
            // All: all that are not fixed.
            const bool named = of.group || of.range.ends;
            for (std::int64_t i = first; i <= last; i += std::min(of.range.every, last - i + 1)) {
                const auto particle = static_cast<std::size_t>(i);
                if (packing_.is_fixed(particle)) {
                    if (named) scenario_.origin.fail(key_, fixed_carrier(particle));
                    continue;
                }
                add(plans[number_], particle);
            }
        }
    }

    std::array<std::int64_t, 2> ends_of(const Selection& of) const {
        const auto count = static_cast<std::int64_t>(packing_.particles());
        if (of.group) {
            const auto groups = static_cast<std::int64_t>(group_begin_.size()) - 1;
            if (*of.group >= groups) {
                scenario_.origin.fail(
                    key_,
                    fmt::format("there is no [[particles]] with this number; expected 0 to {}",
                                groups - 1));
            }
            const auto g = static_cast<std::size_t>(*of.group);
            return {static_cast<std::int64_t>(group_begin_[g]),
                    static_cast<std::int64_t>(group_begin_[g + 1]) - 1};
        }
        const auto [first, last] =
            of.range.ends.value_or(std::array<std::int64_t, 2>{0, count - 1});
        if (first > last) {
            scenario_.origin.fail(
                key_, fmt::format("ends before it begins; expected [first, last], such as [0, {}]",
                                  count - 1));
        }
        if (last >= count) {
            scenario_.origin.fail(
                key_, fmt::format("there is no particle {}; expected particles from 0 to {}", last,
                                  count - 1));
        }
        return {first, last};
    }

    const Scenario& scenario_;
    const std::vector<std::size_t>& group_begin_;
    Packing& packing_;
    std::vector<char> driven_;  // of each particle
    std::size_t number_ = 0;
    std::string key_;
};

}  // namespace

void add_elements(const Scenario& scenario, const std::vector<std::size_t>& group_begin,
                  Packing& packing) {
    if (scenario.elements.empty()) return;
    ElementBuilder(scenario, group_begin, packing).build();
    add_bonds(scenario, group_begin, packing);
}

}  // namespace beadwave::packing
