#include "beadwave/chain/contacts.hpp"

#include <stdexcept>

namespace beadwave::chain {

void Contacts::add_kind(const laws::AnyLaw& law, double effective_mass) {
    if (kind_count() == 0) first_ = law;
    if (law.index() != first_.index())
        throw std::logic_error("contacts of one chain must share one law type");
    const auto numbers = law.numbers();
    fields_.resize(numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k)
        fields_[k].push_back(numbers[k]);
    effective_mass_.push_back(effective_mass);
}

laws::AnyLaw Contacts::law(std::size_t kind) const {
    laws::AnyLaw law = first_;
    for (std::size_t k = 0; k < fields_.size(); ++k)
        law.numbers()[k] = fields_[k][kind];
    return law;
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
