#include "chain/pair_equilibrium.hpp"

#include "beadwave/laws/force_jump.hpp"
#include "chain/bead_places.hpp"
#include "chain/pair_table.hpp"
#include "chain/symmetric_band.hpp"
#include "stepping/shortest_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::chain {
namespace {

class Equilibrium {
  public:
    Equilibrium(const Scenario& scenario, Chain& chain)
        : scenario_(scenario),
          chain_(chain),
          n_(chain.beads()),
          squeeze_(scenario.precompression.value_or(0.0)),
          asked_(std::ranges::any_of(scenario.elements.pair_forces, &PairForceGroup::equilibrium)),
          hangs_(chain.gravity > 0.0 &&
                 (asked_ || (scenario.gravity && scenario.gravity->equilibrium))),
          key_(squeeze_ > 0.0 ? "precompression.force"
               : asked_       ? "pair_force.0.equilibrium"
                              : "gravity.acceleration"),
          load_(n_, 0.0),
          held_(n_, false) {}

    void solve() {
        set_loads();
        if (squeeze_ > 0.0) squeeze_nearest();
        double error = residual();
        double damping = 0.0;
        for (int trial = 0; trial < most_trials && !(error <= exact); ++trial) {
            const std::vector<double> gap = chain_.gap;
            // Without a step there is no better place: more damping.
            if (const std::vector<double> moved = step(damping); !moved.empty()) move(moved, 1.0);
            const double next = residual();
            if (next < error) {
                error = next;
                damping = damping < 1e-6 ? 0.0 : 0.1 * damping;
                continue;
            }
            chain_.gap = gap;
            if (damping > 1e12 || error <= enough) break;
            damping = std::max(1e-4, 10.0 * damping);
        }
        if (!(residual() <= enough)) cross_contacts();
        if (!(residual() <= enough)) {
            scenario_.origin.fail(
                key_,
                "the beads find no place at rest: their forces push or pull them apart, or into "
                "each other; expected ends or a [precompression] that hold them, or no "
                "equilibrium");
        }
        const BeadPlaces places(scenario_);
        for (std::size_t c = 1; c < n_; ++c) {
            if (-chain_.gap[c] > places.most_overlap(chain_, c)) {
                scenario_.origin.fail(
                    key_, fmt::format("compresses contact {} by {:.3g} m, more than a bead's "
                                      "{}; expected far smaller forces",
                                      c, -chain_.gap[c], places.most_overlap_name()));
            }
        }
        if (squeeze_ > 0.0) squeeze_ends();
    }

  private:
    /// Parts of the largest force on a bead: the rounding of a few additions, and what is accepted.
    static constexpr double exact = 4e-16, enough = 1e-11;
    static constexpr int most_trials = 400;

    bool counts(std::size_t c) const {
        return std::isfinite(chain_.gap[c]) && chain_.effective_mass(c) > 0.0 &&
               (squeeze_ == 0.0 || (c > 0 && c < n_));
    }

    void set_loads() {
        for (std::size_t i = 0; i < n_; ++i) {
            if (hangs_ && !chain_.is_fixed(i)) load_[i] = chain_.mass[i] * chain_.gravity;
        }
        for (const Load& each : chain_.loads)
            load_[each.bead] += each.force;
        if (squeeze_ > 0.0) {
            held_[0] = true;
            double sum = squeeze_;
            for (std::size_t i = 0; i + 1 < n_; ++i)
                sum += load_[i];
            carried_ = sum + load_[n_ - 1];
            load_[n_ - 1] = -sum;
            return;
        }
        held_[0] = chain_.left_fixed;
        held_[n_ - 1] = held_[n_ - 1] || chain_.right_fixed;
        const bool held = held_[0] || held_[n_ - 1] || std::isfinite(chain_.gap[0]) ||
                          std::isfinite(chain_.gap[n_]);
        if (!held && hangs_) {
            scenario_.origin.fail(key_,
                                  "the weight pulls the chain off its free ends; expected "
                                  "boundary.right = \"wall\" or \"fixed\", or no equilibrium");
        }
        if (!held) held_[0] = true;  // anywhere
    }

    /// A start near the solution: every contact and its nearest pair carry the force alone.
    void squeeze_nearest() {
        const PairTable pairs(chain_, n_);
        double carried = 0.0, last = 0.0;
        for (std::size_t c = 1; c < n_; ++c) {
            carried += c == 1 ? squeeze_ + load_[0] : load_[c - 1];
            const auto same = [&](const PairTable::Term& term) {
                return term.neighbour > 1 || term.strength[c - 1] == term.strength[c - 2];
            };
            if (c > 1 && carried == last && chain_.radius[c] == chain_.radius[c - 1] &&
                chain_.radius[c - 1] == chain_.radius[c - 2] &&
                chain_.contacts.kind(c) == chain_.contacts.kind(c - 1) &&
                std::ranges::all_of(pairs.terms(), same)) {
                chain_.gap[c] = chain_.gap[c - 1];
                continue;
            }
            last = carried;
            const double radii = chain_.radius[c - 1] + chain_.radius[c];
            const auto pushes_more = [&](double gap) {
                double force = gap < 0.0 && chain_.effective_mass(c) > 0.0
                                   ? chain_.contacts.at(c).respond(-gap, 0.0, {}).force
                                   : 0.0;
                for (const PairTable::Term& term : pairs.terms()) {
                    if (term.neighbour == 1 && term.strength[c - 1] != 0.0)
                        force += term.strength[c - 1] * term.law.force(radii + gap);
                }
                return force > carried;
            };
            double low = -0.5 * std::min(chain_.radius[c - 1], chain_.radius[c]);
            double high = pushes_more(0.0) ? radii : 0.0;
            while (high > 0.0 && high < 1e6 * radii && pushes_more(high))
                high *= 2.0;
            if (!pushes_more(low) || pushes_more(high)) continue;
            for (int k = 0; k < 200 && low < high; ++k) {
                const double middle = 0.5 * (low + high);
                if (middle == low || middle == high) break;
                (pushes_more(middle) ? low : high) = middle;
            }
            chain_.gap[c] = high;
        }
    }

    /// The largest force on a bead that may move, over the largest of all forces; not finite where
    /// a bead has passed through another.
    double residual() {
        const PairTable pairs(chain_, n_);
        const std::vector<double> rest(n_, 0.0);
        net_ = load_;
        double scale = 0.0;
        for (std::size_t i = 0; i < n_; ++i)
            scale = std::max(scale, std::abs(load_[i]));
        const auto act = [&](double force, std::size_t left, std::size_t right) {
            if (left < n_) net_[left] -= force;
            if (right < n_) net_[right] += force;
            scale = std::max(scale, std::abs(force));
        };
        for (std::size_t c = 0; c <= n_; ++c) {
            if (counts(c)) act(contact_force(c), c == 0 ? n_ : c - 1, c);
        }
        bool passed = false;
        for (const PairTable::Term& term : pairs.terms()) {
            for (std::size_t i = 0; i + term.neighbour < n_; ++i) {
                if (term.strength[i] == 0.0) continue;
                const double r = pairs.distance(term, rest.data(), i);
                passed = passed || !(r > 0.0);
                act(term.strength[i] * term.law.force(r), i, i + term.neighbour);
            }
        }
        if (passed) return std::numeric_limits<double>::infinity();
        double largest = 0.0;
        for (std::size_t i = 0; i < n_; ++i) {
            if (!held_[i]) largest = std::max(largest, std::abs(net_[i]));
        }
        return scale > 0.0 ? largest / scale : 0.0;
    }

    double contact_force(std::size_t c) const {
        return chain_.contacts.at(c).respond(-chain_.gap[c], 0.0, {}).force;
    }

    /// Where many contacts open and close, the largest force may have to grow first, so that
    /// solve() stops. Newton's method that looks along each step for where its force turns lowers
    /// the energy, whose minimum is the place at rest.
    void cross_contacts() {
        double error = residual();
        for (int trial = 0; trial < most_trials && error > exact && std::isfinite(error); ++trial) {
            const std::vector<double> gap = chain_.gap;
            const std::vector<double> moved = step(0.0);
            if (moved.empty()) return;
            const auto push = [&] {  // along the step [N m]
                double sum = 0.0;
                for (std::size_t i = 0; i < n_; ++i)
                    sum += net_[i] * (held_[i] ? 0.0 : moved[i]);
                return sum;
            };
            const double start = push();
            double low = 0.0, high = 1.0, part = 1.0, next = 0.0;
            for (int k = 0; k < 60; ++k) {
                chain_.gap = gap;
                move(moved, part);
                next = residual();
                const double here = push();
                const bool turned = !std::isfinite(next) || here < -0.5 * start;
                if (!turned && (part == 1.0 || here <= 0.5 * start)) break;
                (turned ? high : low) = part;
                part = 0.5 * (low + high);
            }
            if (error <= enough && !(next < error)) {
                chain_.gap = gap;
                return;
            }
            error = next;
        }
    }

    /// One step of Newton's method from the forces of the last residual(), damped by Levenberg's
    /// number [m]. Empty: there is none.
    std::vector<double> step(double damping) const {
        const PairTable pairs(chain_, n_);
        const std::vector<double> rest(n_, 0.0);
        SymmetricBand band(n_, std::max<std::size_t>(reach_of(chain_.elements), 1));
        const auto spring = [&](double k, std::size_t left, std::size_t right) {
            if (left < n_ && !held_[left]) band.at(left, left) += k;
            if (right < n_ && !held_[right]) band.at(right, right) += k;
            if (left < n_ && right < n_ && !held_[left] && !held_[right]) band.at(right, left) -= k;
        };
        for (std::size_t c = 0; c <= n_; ++c) {
            if (counts(c) && chain_.gap[c] < 0.0)
                spring(stepping::stiffness_at(chain_.contacts.at(c), -chain_.gap[c]),
                       c == 0 ? n_ : c - 1, c);
        }
        double typical = 0.0;
        for (const PairTable::Term& term : pairs.terms()) {
            for (std::size_t i = 0; i + term.neighbour < n_; ++i) {
                if (term.strength[i] == 0.0) continue;
                const double k =
                    -term.strength[i] * term.law.slope(pairs.distance(term, rest.data(), i));
                typical = std::max(typical, std::abs(k));
                spring(k, i, i + term.neighbour);
            }
        }
        std::vector<double> moved(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            moved[i] = held_[i] ? 0.0 : net_[i];
            if (held_[i]) band.at(i, i) = 1.0;
            band.at(i, i) += damping * typical;
        }
        if (!band.solve(moved)) return {};
        return moved;
    }

    void move(const std::vector<double>& moved, double part) {
        for (std::size_t c = 0; c <= n_; ++c)
            chain_.gap[c] += part * ((c < n_ ? moved[c] : 0.0) - (c > 0 ? moved[c - 1] : 0.0));
    }

    /// Walls and loads that hold the ends.
    void squeeze_ends() {
        const auto close = [&](std::size_t contact, double force) {
            const double overlap = laws::overlap_at_force(chain_.contacts.at(contact), force);
            if (!std::isfinite(overlap)) {
                scenario_.origin.fail(key_, fmt::format("contact {} cannot carry {:.6g} N under "
                                                        "this law",
                                                        contact, force));
            }
            chain_.gap[contact] = -overlap;
        };
        if (scenario_.left.is_wall()) {
            close(0, squeeze_);
        } else if (!chain_.left_fixed) {
            chain_.loads.push_back({0, squeeze_});
        }
        if (scenario_.right.is_wall()) {
            close(n_, carried_);
        } else if (!chain_.right_fixed) {
            chain_.loads.push_back({n_ - 1, -carried_});
        }
    }

    const Scenario& scenario_;
    Chain& chain_;
    std::size_t n_;
    double squeeze_;
    bool asked_, hangs_;
    const char* key_;
    std::vector<double> load_;
    std::vector<char> held_;
    std::vector<double> net_{};
    double carried_ = 0.0;  ///< by the right end under precompression [N]
};

}  // namespace

bool pair_equilibrium_wanted(const Scenario& scenario) {
    const std::optional<Gravity>& gravity = scenario.gravity;
    return scenario.precompression.value_or(0.0) > 0.0 ||
           std::ranges::any_of(scenario.elements.pair_forces, &PairForceGroup::equilibrium) ||
           (gravity && gravity->acceleration > 0.0 && gravity->equilibrium);
}

void solve_pair_equilibrium(const Scenario& scenario, Chain& chain) {
    if (pair_equilibrium_wanted(scenario)) Equilibrium(scenario, chain).solve();
}

}  // namespace beadwave::chain
