#include "tangent/chain_numbers.hpp"

#include "chain/initial_state.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::dynamics {
namespace {

void append(WeightedDrives& to, const WeightedDrives& drives, double weight) {
    for (const auto& [own, drive] : drives)
        to.emplace_back(weight * own, drive);
}

/// Pointers to const columns of a const chain.
template <class Column, class Numbers>
std::vector<Column*> columns_of(Numbers& numbers) {
    std::vector<Column*> all;
    for (Column& column : numbers.law)
        all.push_back(&column);
    all.insert(all.end(), {&numbers.gap, &numbers.mass, &numbers.body_force, &numbers.velocity});
    const auto carried = numbers.elements.all();
    all.insert(all.end(), carried.begin(), carried.end());
    return all;
}

}  // namespace

ChainNumbers::ChainNumbers(const chain::Chain& chain)
    : law(chain.contacts.columns()),
      gap(chain.gap),
      mass(chain.mass),
      body_force(chain.mass),
      velocity(chain.velocity),
      elements(chain) {
    chain::refuse_displaced(chain, "a derivative by the numbers of the chain");
    for (double& p : body_force)
        p *= chain.gravity;
    for (const chain::Load& load : chain.loads)
        body_force[load.bead] += load.force;
    if (chain.left_drive) left.emplace_back(1.0, *chain.left_drive);
    if (chain.right_drive) right.emplace_back(1.0, *chain.right_drive);
}

std::vector<std::vector<double>*> ChainNumbers::columns() {
    return columns_of<std::vector<double>>(*this);
}

std::vector<const std::vector<double>*> ChainNumbers::columns() const {
    return columns_of<const std::vector<double>>(*this);
}

void ChainNumbers::add(const ChainNumbers& other, double weight) {
    const auto own = columns();
    const auto others = other.columns();
    for (std::size_t k = 0; k < own.size(); ++k) {
        std::vector<double>& x = *own[k];
        const std::vector<double>& y = *others[k];
        // Infinite numbers do not change: the gap of a contact that cannot close, the least force
        // of a law, the strength of a bond that does not break.
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] += std::isfinite(y[i]) ? weight * y[i] : 0.0;
    }
    append(left, other.left, weight);
    append(right, other.right, weight);
    for (std::size_t k = 0; k < elements.driven.size(); ++k)
        append(elements.driven[k], other.elements.driven[k], weight);
}

void ChainNumbers::clear() {
    for (std::vector<double>* const column : columns())
        std::ranges::fill(*column, 0.0);
    left.clear();
    right.clear();
    for (WeightedDrives& motion : elements.driven)
        motion.clear();
}

}  // namespace beadwave::dynamics
