// Ends that swallow waves: drag that grows along a tail of beads, so slowly that it reflects
// little, and in a compressed chain a dashpot at the end bead with the impedance of the chain.
//
// Small waves in a compressed chain: with drag c_N s^2, s from 0 to 1 along N beads, c_N = 0.24 Z
// and a last dashpot Z = sqrt(k m), 100 beads reflect less than 1e-5 of the energy from 0.05 to
// 0.98 of the cut-off frequency; longer waves see the whole tail at once.

#include "beadwave/laws/contact.hpp"
#include "chain/build_elements.hpp"
#include "chain/own_elements.hpp"
#include "chain/pair_table.hpp"
#include "ranks/collective.hpp"
#include "ranks/from_owners.hpp"
#include "stepping/shortest_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::chain {
namespace {

/// Drag of the end bead over the impedance: of small waves, and of pulses in a loose chain.
constexpr double drag_in_compressed = 0.24, drag_in_loose = 0.06;

/// The largest approach speed that the start or a drive prescribes [m/s]. Collective.
double largest_speed(const Chain& chain) {
    double fastest = 0.0;
    for (const double velocity : chain.velocity)
        fastest = std::max(fastest, std::abs(velocity));
    for (const auto* drive : {&chain.left_drive, &chain.right_drive}) {
        if (*drive) fastest = std::max(fastest, (*drive)->largest_speed());
    }
    for (const DrivenBead& each : chain.elements.driven)
        fastest = std::max(fastest, each.motion.largest_speed());
    if (chain.partition) chain.partition->ranks->largest({&fastest, 1});
    return fastest;
}

class AbsorbingEnd {
  public:
    AbsorbingEnd(const Scenario& scenario, Chain& chain, const End& end, bool right)
        : scenario_(scenario),
          chain_(chain),
          end_(end),
          right_(right),
          key_(right ? "boundary.right" : "boundary.left"),
          tail_(static_cast<std::size_t>(end.tail)) {}

    void add() {
        if (end_.kind != EndKind::absorbing) return;
        const double speed = largest_speed(chain_);
        // The contact before the tail, and the bead to its left.
        const std::size_t contact = right_ ? chain_.total() - tail_ : tail_;
        const std::size_t bead = contact - 1 - chain_.first();
        Drag drag{};
        ranks::collective(chain_.ranks(), [&] {
            check();
            if (owns(chain_, bead)) drag = drag_at(bead + 1, speed);
        });
        const auto both = ranks::from_owners(
            chain_.ranks(), std::array{drag.largest, drag.matched},
            [&](double) { return owns(chain_, bead); }, [](double number) { return number; });
        drag = {both[0], both[1]};
        for (std::size_t k = 1; k <= tail_; ++k) {
            const double s = static_cast<double>(k) / static_cast<double>(tail_);
            const std::size_t number = right_ ? chain_.total() - 1 - tail_ + k : tail_ - k;
            const double matched = k == tail_ ? drag.matched : 0.0;
            const std::size_t here = number - chain_.first();
            if (here >= chain_.beads()) continue;
            chain_.elements.foundations.push_back(
                {here, {.damping = drag.largest * s * s + matched}});
        }
    }

  private:
    /// The drags at the end bead: of the tail, and of its dashpot [N s/m].
    struct Drag {
        double largest, matched;
    };

    void check() const {
        refuse_sleep(scenario_, "an absorbing end");
        const std::size_t n = chain_.total();
        if (tail_ >= n) {
            scenario_.origin.fail(
                key_, fmt::format("its tail has {} beads, and the chain {}; expected a longer "
                                  "chain, or a shorter boundary.{}.tail",
                                  tail_, n, right_ ? "right" : "left"));
        }
        for (const Bond& bond : chain_.elements.bonds) {
            const std::size_t contact = chain_.first() + bond.contact;
            if (right_ ? contact < n - tail_ : contact > tail_) continue;
            scenario_.origin.fail(
                key_, fmt::format("its tail has a bond, at contact {}, and a tail with bonds does "
                                  "not know its drag yet; expected bonds outside of the tail",
                                  contact));
        }
    }

    /// The drags that follow from the contact before the tail, given by its index here.
    Drag drag_at(std::size_t contact, double speed) const {
        const bool compressed =
            chain_.gap[contact] < 0.0 || long_wave_stiffness(chain_, contact - 1) > 0.0;
        const double impedance = !end_.damping || compressed ? impedance_at(contact, speed) : 0.0;
        return {.largest = end_.damping.value_or(impedance *
                                                 (compressed ? drag_in_compressed : drag_in_loose)),
                .matched = compressed ? impedance : 0.0};
    }

    /// sqrt(k m), with the stiffness k of the contact at its static overlap or, in a loose chain,
    /// at that of a collision with the largest speed [N s/m].
    double impedance_at(std::size_t contact, double speed) const {
        const laws::AnyLaw law = chain_.contacts.at(contact);
        const double mass = chain_.mass[right_ ? contact : contact - 1];
        double overlap = -chain_.gap[contact];
        const double pairs = long_wave_stiffness(chain_, contact - 1);
        if (!(overlap > 0.0) && pairs > 0.0) return std::sqrt(mass * pairs);
        if (!(overlap > 0.0)) {
            if (!(speed > 0.0)) {
                scenario_.origin.fail(key_,
                                      fmt::format("nothing moves at the start and the chain is not "
                                                  "compressed, so that its drag is unknown; "
                                                  "expected boundary.{}.damping, in N s/m",
                                                  right_ ? "right" : "left"));
            }
            stepping::Shortest unused;
            const double both = chain_.effective_mass(contact);
            overlap = stepping::include_collision(unused, law, both, speed).overlap;
        }
        const double stiffness = stepping::stiffness_at(law, overlap) + pairs;
        if (!(stiffness > 0.0)) {
            scenario_.origin.fail(
                key_, fmt::format("forces without contact pull harder than contacts push back, so "
                                  "no wave travels; expected boundary.{}.damping, in N s/m",
                                  right_ ? "right" : "left"));
        }
        return std::sqrt(mass * stiffness);
    }

    const Scenario& scenario_;
    Chain& chain_;
    const End& end_;
    bool right_;
    const char* key_;
    std::size_t tail_;
};

}  // namespace

void add_absorbing_ends(const Scenario& scenario, Chain& chain) {
    AbsorbingEnd(scenario, chain, scenario.left, false).add();
    AbsorbingEnd(scenario, chain, scenario.right, true).add();
}

}  // namespace beadwave::chain
