#include "dynamics/tangent/chain_numbers.hpp"

#include <cmath>

namespace beadwave::dynamics {
namespace {

template <class Function>
void for_columns(ChainNumbers& a, const ChainNumbers& b, Function function) {
    const auto each = [&](std::vector<double>& x, const std::vector<double>& y) {
        for (std::size_t i = 0; i < x.size(); ++i)
            function(x[i], y[i]);
    };
    for (std::size_t k = 0; k < a.law.size(); ++k)
        each(a.law[k], b.law[k]);
    each(a.gap, b.gap);
    each(a.mass, b.mass);
    each(a.body_force, b.body_force);
    each(a.velocity, b.velocity);
}

void append(WeightedDrives& to, const WeightedDrives& drives, double weight) {
    for (const auto& [own, drive] : drives)
        to.emplace_back(weight * own, drive);
}

}  // namespace

ChainNumbers::ChainNumbers(const chain::Chain& chain)
    : law(chain.contacts.columns()),
      gap(chain.gap),
      mass(chain.mass),
      body_force(chain.mass),
      velocity(chain.velocity) {
    for (double& p : body_force)
        p *= chain.gravity;
    for (const chain::Load& load : chain.loads)
        body_force[load.bead] += load.force;
    if (chain.left_drive) left.emplace_back(1.0, *chain.left_drive);
    if (chain.right_drive) right.emplace_back(1.0, *chain.right_drive);
}

void ChainNumbers::add(const ChainNumbers& other, double weight) {
    // Infinite numbers do not change: the gap of a contact that cannot close, the least force of a
    // law.
    for_columns(*this, other,
                [&](double& x, double y) { x += std::isfinite(y) ? weight * y : 0.0; });
    append(left, other.left, weight);
    append(right, other.right, weight);
}

void ChainNumbers::clear() {
    for_columns(*this, *this, [](double& x, double) { x = 0.0; });
    left.clear();
    right.clear();
}

}  // namespace beadwave::dynamics
