#include "dynamics/load_speed.hpp"

#include "chain/pair_table.hpp"
#include "dynamics/whole_chain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace beadwave::dynamics {
namespace {

double static_force(const chain::Chain& chain, std::size_t c) {
    return touches(chain, c) && chain.start_gap(c) < 0.0
               ? laws::first_loading_force(chain.contacts.at(c), -chain.start_gap(c))
               : 0.0;
}

/// The sum of the loads on each bead, where the forces at the start do not balance it [N]: at most
/// what is left over.
std::vector<double> unbalanced(const chain::Chain& chain) {
    const std::size_t n = chain.beads();
    std::vector<double> load(n, 0.0), bonds(n + 1, 0.0);
    for (const chain::Load& each : chain.loads)
        load[each.bead] += each.force;
    for (const chain::Bond& each : chain.elements.bonds)
        bonds[each.contact] -= each.pull(0.0);
    const chain::PairTable pairs(chain, n);
    const std::vector<double> rest(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        if (load[i] == 0.0) continue;
        const double left = static_force(chain, i) + bonds[i],
                     right = static_force(chain, i + 1) + bonds[i + 1],
                     weight = chain.mass[i] * chain.gravity,
                     apart = pairs.empty() ? 0.0 : pairs.force(rest.data(), i);
        const double net = left - right + weight + apart + load[i];
        const double scale =
            std::abs(left) + std::abs(right) + weight + std::abs(apart) + std::abs(load[i]);
        // Equilibria of magnets are found to 1e-6.
        if (chain.is_held(i) || std::abs(net) <= 1e-6 * scale) load[i] = 0.0;
        if (std::abs(net) < std::abs(load[i])) load[i] = net;
    }
    return load;
}

}  // namespace

double speed_by_timed_loads(const chain::Chain& chain, double end) {
    if (chain.elements.loads.empty()) return 0.0;
    double fastest = 0.0;
    const std::int64_t last[] = {static_cast<std::int64_t>(chain.total()) - 1};
    const double way = chain.positions(last).front() +
                       2.0 * largest_of_all(chain, *std::ranges::max_element(chain.radius));
    for (const chain::TimedLoad& each : chain.elements.loads) {
        if (each.bead >= chain.beads()) continue;  // another process has it
        const double pushes = std::min(0.25 * each.force.period(), end);
        const double acceleration = each.force.largest() / chain.mass[each.bead];
        // It pushes at most along the chain, and no faster than the dampers of the bead allow.
        double speed = std::min(acceleration * pushes, std::sqrt(2.0 * acceleration * way));
        for (const chain::Foundation& held : chain.elements.foundations) {
            if (held.bead == each.bead && held.spring.damping > 0.0)
                speed = std::min(speed, each.force.largest() / held.spring.damping);
        }
        fastest = std::max(fastest, speed);
    }
    return largest_of_all(chain, fastest);
}

double speed_by_constant_loads(const chain::Chain& chain, double end) {
    if (largest_of_all(chain, chain.loads.empty() ? 0.0 : 1.0) == 0.0) return 0.0;
    const double open = open_gaps(chain);
    double fastest = 0.0;
    const std::vector<double> load = unbalanced(chain);
    for (std::size_t i = chain.own_begin(); i < chain.own_end(); ++i) {
        const double force = std::abs(load[i]);
        if (force == 0.0) continue;
        // A spring that is loaded at once is compressed with at most n + 1 times the load, where n
        // is the exponent of its law.
        constexpr double at_most = 3.0;
        double squeezed = 0.0;
        const std::size_t c = load[i] > 0.0 ? i + 1 : i;
        if (touches(chain, c)) {
            const double overlap = laws::overlap_at_force(chain.contacts.at(c),
                                                          static_force(chain, c) + at_most * force);
            const double way = overlap - std::max(0.0, -chain.start_gap(c));
            if (way > 0.0) squeezed = std::sqrt(2.0 * force * way / chain.effective_mass(c));
            // No overlap of this law carries the force.
            if (std::isnan(way)) squeezed = force * end / chain.mass[i];
        }
        const double falling = std::sqrt(2.0 * force * open / chain.mass[i]);
        fastest = std::max(fastest, std::min(squeezed + falling, force * end / chain.mass[i]));
    }
    return largest_of_all(chain, fastest);
}

}  // namespace beadwave::dynamics
