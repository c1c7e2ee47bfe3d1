#include "law_table.hpp"

#include <bit>
#include <span>
#include <variant>

namespace beadwave::packing {

using simd::Column;

void LawTable::build(const PairLaws& laws, bool rolls, const PairEntries& entries) {
    // Parameters of many kinds, which are far apart, cost more than a column for every entry.
    constexpr std::size_t most_kinds_in_cache = 64;
    table_.by_entry = laws.kinds() > most_kinds_in_cache;
    const std::size_t rows = table_.by_entry ? entries.count() : laws.kinds();
    const auto columns = [&](std::size_t count, const double** to) {
        std::vector<Column> made;
        for (std::size_t k = 0; k < count; ++k)
            to[k] = made.emplace_back(rows).data();
        return made;
    };
    table_.law_fields = laws.normal().numbers().size();
    table_.slider_fields = std::visit(
        []<class Slider>(const Slider&) { return laws::field_count<Slider>; }, laws.slider());
    law_ = columns(table_.law_fields, table_.law);
    slider_ = columns(table_.slider_fields, table_.slider);
    rolling_ = columns(rolls ? 4 : 0, table_.rolling);
    inverse_radii_ = Column(rows, 1.0);
    turning_ = Column(rows, 1.0);
    for (std::size_t row = 0; row < rows; ++row) {
        const PairLaw& law =
            laws.law(table_.by_entry ? entries.kind[row] : static_cast<std::uint32_t>(row));
        inverse_radii_[row] = 1.0 / law.radii;
        turning_[row] = law.wall ? 0.0 : 1.0;
        for (std::size_t k = 0; k < law_.size(); ++k)
            law_[k][row] = law.normal.numbers()[k];
        std::visit(
            [&](const auto& slider) {
                laws::to_fields(slider, [&](std::size_t k, double x) { slider_[k][row] = x; });
            },
            law.slider);
        if (!rolls) continue;
        laws::to_fields(law.rolling, [&](std::size_t k, double x) { rolling_[k][row] = x; });
    }
    table_.inverse_radii = inverse_radii_.data();
    table_.turning = turning_.data();
    find_same();
}

void LawTable::find_same() {
    table_.same_law = table_.same_slide = 0;
    if (!table_.by_entry) return;
    const auto bit_of = [&](const Column& column, std::size_t bit) {
        const std::span<const double> numbers(column.data(), rows());
        const bool same = std::ranges::all_of(numbers, [&](double x) {
            return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(numbers.front());
        });
        return std::uint32_t{same} << bit;
    };
    for (std::size_t k = 0; k < law_.size(); ++k)
        table_.same_law |= bit_of(law_[k], k);
    table_.same_slide |= bit_of(inverse_radii_, 0) | bit_of(turning_, 1);
    for (std::size_t k = 0; k < slider_.size(); ++k)
        table_.same_slide |= bit_of(slider_[k], 2 + k);
    for (std::size_t k = 0; k < rolling_.size(); ++k)
        table_.same_slide |= bit_of(rolling_[k], rolling_fields + k);
}

}  // namespace beadwave::packing
