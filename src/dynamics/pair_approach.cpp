#include "dynamics/pair_approach.hpp"

#include "beadwave/laws/contact.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::dynamics {

PairApproach::PairApproach(const chain::Chain& chain, double speed)
    : chain_(chain), table_(chain, chain.beads()), nearest_(any() ? chain.beads() : 0, 1.0) {
    for (std::size_t i = 0; i + 1 < nearest_.size(); ++i) {
        if (i > 0 && alike(i, i - 1)) {
            nearest_[i] = nearest_[i - 1];
        } else {
            find(i, speed);
        }
    }
}

bool PairApproach::may_touch(std::size_t c) const {
    if (!any() || c == 0 || c == chain_.beads()) return true;
    // Where they come together, the nearest distance is theirs but for its rounding.
    constexpr double rounding = 1e-12;
    return !(nearest_[c - 1] * table_.spacing(1)[c - 1] > touching(c - 1) * (1.0 + rounding));
}

double PairApproach::stiffness(std::size_t bead) const {
    double sum = 0.0;
    const auto add = [&](const chain::PairTable::Term& term, std::size_t left) {
        if (term.strength[left] == 0.0) return;
        const double r = table_.spacing(term.neighbour)[left];
        sum += std::abs(term.strength[left]) *
               std::max(std::abs(term.law.slope(r * nearest_[left])), std::abs(term.law.slope(r)));
    };
    for (const chain::PairTable::Term& term : table_.terms()) {
        if (bead >= term.neighbour) add(term, bead - term.neighbour);
        add(term, bead);
    }
    return sum;
}

bool PairApproach::alike(std::size_t i, std::size_t j) const {
    const auto same = [&](const auto& column) { return column[i] == column[j]; };
    return same(table_.spacing(1)) && same(chain_.mass) &&
           chain_.mass[i + 1] == chain_.mass[j + 1] && touching(i) == touching(j) &&
           chain_.is_held(i) == chain_.is_held(j) &&
           chain_.is_held(i + 1) == chain_.is_held(j + 1) &&
           std::ranges::all_of(table_.terms(), [&](const chain::PairTable::Term& term) {
               return term.neighbour > 1 || same(term.strength);
           });
}

double PairApproach::energy(std::size_t left, double r) const {
    double sum = 0.0;
    for (const chain::PairTable::Term& term : table_.terms()) {
        if (term.neighbour == 1 && term.strength[left] != 0.0)
            sum += term.strength[left] * term.law.energy(r);
    }
    return sum;
}

/// Where the pair has stored the energy of its approach.
void PairApproach::find(std::size_t left, double speed) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const auto mass_of = [&](std::size_t bead) {
        return chain_.is_held(bead) ? infinite : chain_.mass[bead];
    };
    const double start = table_.spacing(1)[left], nearest = touching(left);
    const double mass = laws::effective_mass(mass_of(left), mass_of(left + 1));
    if (!(start > nearest) || !(mass > 0.0) || !std::isfinite(mass)) return;
    const double before = energy(left, start), gained = before - energy(left, nearest);
    if (gained > 0.0) pulled_ = std::max(pulled_, std::sqrt(2.0 * gained / mass));
    const double kinetic = 0.5 * mass * speed * speed;
    double low = nearest, high = kinetic + gained >= 0.0 ? nearest : start;
    for (int k = 0; k < 60 && low < high; ++k) {
        const double middle = 0.5 * (low + high);
        (energy(left, middle) - before > kinetic ? low : high) = middle;
    }
    nearest_[left] = low / start;
}

/// The speed [m/s] that pairs give their beads if the chain does not start in equilibrium: that of
/// the lightest bead with the energy of its pairs.
double speed_by_pairs(const chain::Chain& chain) {
    if (chain.elements.pair_forces.empty()) return 0.0;
    const chain::PairTable table(chain, chain.beads());
    const std::vector<double> rest(chain.beads(), 0.0);
    std::vector<double> net(chain.beads(), 0.0);
    for (const chain::Load& load : chain.loads)
        net[load.bead] += load.force;
    double scale = 0.0, fastest = 0.0, largest = 0.0;
    const auto contact = [&](std::size_t c) {
        const bool closed = chain.effective_mass(c) > 0.0 && chain.start_gap(c) < 0.0;
        return closed ? chain.contacts.at(c).respond(-chain.start_gap(c), 0.0, {}).force : 0.0;
    };
    for (std::size_t i = chain.own_begin(); i < chain.own_end(); ++i) {
        if (chain.is_held(i)) continue;
        const double pairs = table.force(rest.data(), i);
        const double stored =
            std::abs(table.energy(rest.data(), i - std::min<std::size_t>(i, 1), i + 1));
        net[i] += pairs + contact(i) - contact(i + 1) + chain.mass[i] * chain.gravity;
        scale = std::max(
            {scale, std::abs(pairs), std::abs(contact(i)), stored / (2.0 * chain.radius[i])});
        largest = std::max(largest, std::abs(net[i]));
        fastest = std::max(fastest, std::sqrt(2.0 * stored / chain.mass[i]));
    }
    if (chain.partition) {
        std::array of_all{scale, largest, fastest};
        chain.partition->ranks->largest(of_all);
        scale = of_all[0], largest = of_all[1], fastest = of_all[2];
    }
    constexpr double balanced = 1e-6;
    return largest > balanced * scale ? fastest : 0.0;
}

}  // namespace beadwave::dynamics
