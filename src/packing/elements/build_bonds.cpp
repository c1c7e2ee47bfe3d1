// Bonds of a packing, from a scenario.

#include "packing/elements/build_elements.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/shaped/cement_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::packing {
namespace {

/// Particles of a lattice touch up to rounding: this part of a radius.
constexpr double bonded_gap = 1e-9;

class BondBuilder {
  public:
    BondBuilder(const Scenario& scenario, const std::vector<std::size_t>& group_begin,
                Packing& packing)
        : scenario_(scenario), group_begin_(group_begin), packing_(packing) {}

    void add(const BondPlan& plan, std::size_t number) {
        const std::string key = fmt::format("bond.{}", number);
        const auto groups = static_cast<std::int64_t>(group_begin_.size()) - 1;
        if (plan.groups && std::max((*plan.groups)[0], (*plan.groups)[1]) >= groups) {
            scenario_.origin.fail(
                key + ".groups",
                fmt::format("there is no [[particles]] with this number; expected 0 to {}",
                            groups - 1));
        }
        const double smallest = packing_.radius.smallest(), largest = packing_.radius.largest();
        if (plan.distance > 2.0 * largest) {
            scenario_.origin.fail(
                key + ".distance",
                fmt::format("expected at most the largest diameter, {:g} m", 2.0 * largest));
        }
        const double reach = plan.distance + bonded_gap * smallest;
        Box open = packing_.box;
        const NeighbourList near = find_neighbours({.position = packing_.position.all(),
                                                    .radius = packing_.radius.all(),
                                                    .walls = {},
                                                    .moved = {},
                                                    .box = open,
                                                    .skin = reach});
        std::size_t found = 0, held = 0;
        for (std::size_t p = 0; p < near.pairs(); ++p) {
            const std::size_t a = near.first[p], b = near.second[p];
            if (b >= packing_.particles() || !joins(plan, a, b)) continue;
            // Poured particles wait at one place. Cement that names their group is refused.
            if (!plan.groups && (packing_.waits(a) || packing_.waits(b))) continue;
            const std::vector<Ends> ends = ends_between(key, a, b, reach);
            if (ends.empty()) continue;
            if (packing_.is_held(a) && packing_.is_held(b)) {
                ++held;
                continue;
            }
            ++found;
            if (!bonded_.emplace(std::min(a, b), std::max(a, b)).second) {
                scenario_.origin.fail(
                    key, fmt::format("particles {} and {} have a bond of an earlier [[bond]] "
                                     "already; expected groups or a distance without these",
                                     std::min(a, b), std::max(a, b)));
            }
            constexpr double no_limit = std::numeric_limits<double>::infinity();
            for (const Ends& each : ends) {
                packing_.elements.bonds.push_back(
                    {.first = a,
                     .second = b,
                     .radius_factor = plan.radius_factor,
                     .youngs_modulus = plan.youngs_modulus,
                     .stiffness_ratio = plan.stiffness_ratio,
                     .tensile_strength = plan.tensile_strength.value_or(no_limit),
                     .shear_strength = plan.shear_strength.value_or(no_limit),
                     .ends = each});
            }
        }
        if (found == 0 && held > 0) {
            scenario_.origin.fail(
                key, fmt::format("of the {} pairs of its particles within {:g} m of each other "
                                 "neither is free to move: they are fixed, or driven along all "
                                 "axes without rotation; expected one that can move, such as by "
                                 "drive.N.axes = [true, true, false] or drive.N.rotates = true",
                                 held, plan.distance));
        }
        if (found == 0) {
            scenario_.origin.fail(
                key + ".distance",
                fmt::format("no two of its particles are within {:g} m of each other; expected a "
                            "larger distance",
                            plan.distance));
        }
    }

  private:
    using Ends = std::optional<std::array<CementEnd, 2>>;

    /// Of each cement between two particles.
    std::vector<Ends> ends_between(const std::string& key, std::size_t a, std::size_t b,
                                   double reach) const {
        if (!packing_.has_shapes()) return {std::nullopt};
        try {
            const auto found = cement_between(packing_, a, b, reach);
            return {found.begin(), found.end()};
        } catch (const std::runtime_error& error) {
            scenario_.origin.fail(key, fmt::format("particles {} and {}: {}", a, b, error.what()));
        }
    }

    bool joins(const BondPlan& plan, std::size_t a, std::size_t b) const {
        if (!plan.groups) return true;
        const auto in = [&](std::size_t particle, std::int64_t group) {
            const auto g = static_cast<std::size_t>(group);
            return particle >= group_begin_[g] && particle < group_begin_[g + 1];
        };
        const auto [first, second] = *plan.groups;
        return (in(a, first) && in(b, second)) || (in(a, second) && in(b, first));
    }

    const Scenario& scenario_;
    const std::vector<std::size_t>& group_begin_;
    Packing& packing_;
    std::set<std::pair<std::size_t, std::size_t>> bonded_{};
};

}  // namespace

void add_bonds(const Scenario& scenario, const std::vector<std::size_t>& group_begin,
               Packing& packing) {
    const std::vector<BondPlan>& plans = scenario.elements.bonds;
    if (plans.empty()) return;
    if (scenario.press) {
        scenario.origin.fail("bond.0",
                             "a packing that is pressed before the run cannot have bonds "
                             "yet; expected no [press]");
    }
    BondBuilder builder(scenario, group_begin, packing);
    for (std::size_t k = 0; k < plans.size(); ++k)
        builder.add(plans[k], k);
}

}  // namespace beadwave::packing
