#include "chain/initial_state.hpp"

#include "beadwave/input_error.hpp"
#include "chain/bead_places.hpp"
#include "ranks/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace beadwave::chain {
namespace {

class Placer {
  public:
    Placer(const Scenario& scenario, Chain& chain)
        : given_(*scenario.initial), origin_(scenario.origin), places_(scenario), chain_(chain) {}

    void give_velocities() {
        check_length(given_.displacement, "displacements");
        check_length(given_.velocity, "velocities");
        check_drives();
        if (!given_.velocity.empty()) speed_up();
    }

    void place() {
        if (!given_.displacement.empty()) displace();
        place_masses();
    }

  private:
    [[noreturn]] void fail(const std::string& why) const { origin_.fail(given_.key, why); }

    std::size_t masses() const {
        return chain_.partition ? chain_.elements.resonator_numbers.total
                                : chain_.elements.resonators.size();
    }

    void check_length(const std::vector<double>& numbers, const char* what) const {
        const std::size_t beads = chain_.total(), inside = masses();
        if (numbers.empty() || numbers.size() == beads || numbers.size() == beads + inside) return;
        fail(inside == 0
                 ? fmt::format("has {} {}; expected {}, one per bead", numbers.size(), what, beads)
                 : fmt::format("has {} {}; expected {}, one per bead, or {}, also of the "
                               "masses inside beads",
                               numbers.size(), what, beads, beads + inside));
    }

    /// The lowest frequency of sines that drive the chain [Hz]; 0: none.
    double drive_frequency() const {
        double lowest = 0.0;
        const auto add = [&](double frequency) {
            if (lowest == 0.0 || frequency < lowest) lowest = frequency;
        };
        for (const auto* drive : {&chain_.left_drive, &chain_.right_drive})
            if (*drive) add(1.0 / (*drive)->period());
        for (const DrivenBead& each : chain_.elements.driven)
            add(1.0 / each.motion.period());
        for (const TimedLoad& each : chain_.elements.loads)
            add(1.0 / each.force.period());
        return lowest;
    }

    void check_drives() const {
        if (!given_.drive) return;
        const double here = drive_frequency();
        constexpr double rounding = 1e-12;
        if (std::fabs(here - *given_.drive) <= rounding * here) return;
        fail(here == 0.0
                 ? fmt::format("is an orbit under a drive of {} Hz, and nothing drives this chain",
                               *given_.drive)
                 : fmt::format("is an orbit under a drive of {} Hz, and that of this chain has {} "
                               "Hz; expected the same frequency",
                               *given_.drive, here));
    }

    void displace() {
        const auto from = given_.displacement.begin() + static_cast<std::ptrdiff_t>(chain_.first());
        const std::size_t n = chain_.beads();
        chain_.displacement.assign(from, from + static_cast<std::ptrdiff_t>(n));
        for (std::size_t i = 0; i < n; ++i) {
            if (chain_.displacement[i] == 0.0 || !chain_.is_held(i)) continue;
            fail(fmt::format("displaces bead {} by {:g} m, which is {}; expected 0 there",
                             chain_.first() + i, chain_.displacement[i],
                             chain_.is_fixed(i) ? "fixed" : "driven and starts at 0"));
        }
        for (std::size_t c = 0; c <= n; ++c) {
            if (!(-chain_.start_gap(c) > places_.most_overlap(chain_, c))) continue;
            fail(fmt::format("compresses contact {} by {:.3g} m, more than a bead's {}",
                             chain_.first() + c, -chain_.start_gap(c),
                             places_.most_overlap_name()));
        }
    }

    void speed_up() {
        for (std::size_t i = 0; i < chain_.beads(); ++i) {
            const double velocity = given_.velocity[chain_.first() + i];
            double& own = chain_.velocity[i];
            if (!chain_.is_held(i)) {
                own = velocity;
                continue;
            }
            constexpr double rounding = 1e-9;
            if (velocity == 0.0 || std::fabs(velocity - own) <= rounding * std::fabs(own)) continue;
            fail(fmt::format("gives bead {} {:g} m/s, which is {}; expected {:g} m/s there",
                             chain_.first() + i, velocity, chain_.is_fixed(i) ? "fixed" : "driven",
                             own));
        }
    }

    void place_masses() {
        const std::size_t beads = chain_.total();
        const auto put = [&](std::size_t index, std::size_t number) {
            Resonator& mass = chain_.elements.resonators[index];
            if (given_.displacement.size() > beads)
                mass.displacement = given_.displacement[beads + number];
            if (given_.velocity.size() > beads) mass.velocity = given_.velocity[beads + number];
        };
        if (!chain_.partition) {
            for (std::size_t k = 0; k < chain_.elements.resonators.size(); ++k)
                put(k, k);
            return;
        }
        for (const ElementRun& run : chain_.elements.resonator_numbers.runs)
            for (std::size_t k = 0; k < run.count; ++k)
                put(run.index + k, run.number + k);
    }

    const InitialState& given_;
    const scenario::Origin& origin_;
    BeadPlaces places_;
    Chain& chain_;
};

}  // namespace

void give_velocities(const Scenario& scenario, Chain& chain) {
    if (!scenario.initial) return;
    ranks::collective(chain.ranks(), [&] { Placer(scenario, chain).give_velocities(); });
}

void place_beads(const Scenario& scenario, Chain& chain) {
    if (!scenario.initial) return;
    ranks::collective(chain.ranks(), [&] { Placer(scenario, chain).place(); });
}

void refuse_displaced(const Chain& chain, const char* name) {
    if (!chain.displacement.empty()) {
        throw InputError(
            fmt::format("initial: beads start displaced, which {} does not know; expected no "
                        "[initial] with displacements",
                        name));
    }
    for (const Resonator& each : chain.elements.resonators) {
        if (!each.displacement && !each.velocity) continue;
        throw InputError(
            fmt::format("initial: masses inside beads start with numbers of their own, which {} "
                        "does not know; expected no more numbers than beads",
                        name));
    }
}

}  // namespace beadwave::chain
