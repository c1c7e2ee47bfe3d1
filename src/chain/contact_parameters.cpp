#include "beadwave/chain/chain.hpp"

#include <algorithm>
#include <stdexcept>

namespace beadwave::chain {

void ContactParameters::add(const laws::AnyLaw& law) {
    if (count_ == 0) first_ = law;
    if (law.index() != first_.index())
        throw std::logic_error("contacts of one chain must share one law type");
    std::visit(
        [&]<class Law>(const Law& l) {
            columns_.resize(laws::field_count<Law>);
            laws::to_fields(l, [&](std::size_t k, double value) { columns_[k].push_back(value); });
        },
        law);
    ++count_;
}

laws::AnyLaw ContactParameters::at(std::size_t contact) const {
    return std::visit(
        [&]<class Law>(const Law&) -> laws::AnyLaw {
            return laws::from_fields<Law>([&](std::size_t k) { return columns_[k][contact]; });
        },
        first_);
}

bool ContactParameters::same(std::size_t a, std::size_t b) const {
    return std::ranges::all_of(columns_,
                               [&](const auto& column) { return column[a] == column[b]; });
}

}  // namespace beadwave::chain
