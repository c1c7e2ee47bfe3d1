#include "beadwave/chain/contacts.hpp"

#include <stdexcept>

namespace beadwave::chain {

void Contacts::add_kind(const laws::AnyLaw& law, double effective_mass) {
    if (kind_count() == 0) first_ = law;
    if (law.index() != first_.index())
        throw std::logic_error("contacts of one chain must share one law type");
    std::visit(
        [&]<class Law>(const Law& l) {
            fields_.resize(laws::field_count<Law>);
            laws::to_fields(l, [&](std::size_t k, double value) { fields_[k].push_back(value); });
        },
        law);
    effective_mass_.push_back(effective_mass);
}

laws::AnyLaw Contacts::law(std::size_t kind) const {
    return std::visit(
        [&]<class Law>(const Law&) -> laws::AnyLaw {
            return laws::from_fields<Law>([&](std::size_t k) { return fields_[k][kind]; });
        },
        first_);
}

std::vector<std::vector<double>> Contacts::columns() const {
    std::vector<std::vector<double>> columns;
    for (const std::vector<double>& field : fields_) {
        std::vector<double>& column = columns.emplace_back(count());
        for (std::size_t c = 0; c < count(); ++c)
            column[c] = field[kind_[c]];
    }
    return columns;
}

}  // namespace beadwave::chain
