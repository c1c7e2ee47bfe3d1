// Whether all numbers of an engine of chains are finite.

#include "dynamics/energy_accounting.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::dynamics {

std::optional<std::size_t> EngineBase::first_without_number(const chain::Chain& chain) {
    const auto law_has_numbers = [&](std::size_t contact) {
        const laws::AnyLaw law = chain.contacts.at(contact);
        return std::ranges::none_of(law.numbers(), [](double x) { return std::isnan(x); });
    };
    const std::size_t n = chain.own_end();
    const std::size_t last = n == chain.beads() ? n : n - 1;  // contact
    for (std::size_t i = chain.own_begin(); i <= last; ++i) {
        const bool contact =
            std::isinf(chain.gap[i]) ||
            (!std::isnan(chain.gap[i]) &&
             ((i > chain.own_begin() && chain.contacts.kind(i) == chain.contacts.kind(i - 1)) ||
              law_has_numbers(i)));
        const bool bead = i == n || std::isfinite(chain.mass[i]);
        if (!contact || !bead) return chain.first() + std::min(i, n - 1);
    }
    return std::nullopt;
}

std::optional<std::size_t> EngineBase::first_non_finite() const {
    std::optional<std::size_t> now;
    if (may_be_non_finite()) now = find_non_finite();
    if (ranks_ == nullptr)
        return non_finite_at_start_        ? non_finite_at_start_
               : non_finite_when_restored_ ? non_finite_when_restored_
                                           : now;
    const double nowhere = static_cast<double>(total_);
    std::array<double, 3> first{};  // of each kind, negated, because the ranks take the largest
    const std::optional<std::size_t> own[] = {non_finite_at_start_, non_finite_when_restored_, now};
    for (std::size_t k = 0; k < first.size(); ++k)
        first[k] = own[k] ? -static_cast<double>(*own[k]) : -nowhere;
    ranks_->largest(first);
    for (const double number : first) {
        if (-number < nowhere) return static_cast<std::size_t>(-number);
    }
    return std::nullopt;
}

std::size_t EngineBase::contact_beside(std::size_t bead) const {
    double beside = 0.0;
    if (owns(bead)) {
        const double* const force = state_.force + (bead - first_);
        beside = static_cast<double>(std::isfinite(force[0]) && !std::isfinite(force[1]) ? bead + 1
                                                                                         : bead);
    }
    if (ranks_ != nullptr) ranks_->largest({&beside, 1});
    return static_cast<std::size_t>(beside);
}

std::optional<std::size_t> EngineBase::find_non_finite() const {
    const auto bead_is_finite = [&](std::size_t i) {
        return std::isfinite(state_.displacement[i]) && std::isfinite(state_.velocity[i]) &&
               std::isfinite(state_.velocity_change[i]) &&
               (state_.power == nullptr || std::isfinite(state_.power[i])) &&
               (!elements_ || elements_->finite(i));
    };
    const std::size_t end = own_begin_ + own_contacts(state_.force).size();
    for (std::size_t i = own_begin_; i < end; ++i) {
        const bool contact = std::isfinite(state_.force[i]) &&
                             std::ranges::all_of(state_.memory, [&](const double* column) {
                                 return std::isfinite(column[i]);
                             });
        if (!contact || (i < own_end_ && !bead_is_finite(i)))
            return first_ + std::min(i, own_end_ - 1);
    }
    return std::nullopt;
}

}  // namespace beadwave::dynamics
