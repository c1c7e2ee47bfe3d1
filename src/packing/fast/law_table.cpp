#include "law_table.hpp"

#include "simd/clones.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <variant>

namespace beadwave::packing {

using simd::Column;

namespace {

BEADWAVE_CLONES void gather(std::size_t count, const std::uint32_t* from,
                            const double* __restrict column, double* __restrict to) {
    for (std::size_t k = 0; k < count; ++k)
        to[k] = column[from[k]];
}

}  // namespace

void LawTable::build(const PairLaws& laws, bool rolls, const PairEntries& entries,
                     const ListedPairs& listed, int threads) {
    // Parameters of many kinds, which are far apart, cost more than a column for every entry.
    constexpr std::size_t most_kinds_in_cache = 64;
    const bool had_entries = table_.by_entry;
    table_.by_entry = laws.kinds() > most_kinds_in_cache;
    const std::size_t rows = table_.by_entry ? entries.count() : laws.kinds();
    std::vector<Column> before = std::move(columns_);
    columns_.clear();
    const bool goes_on =
        table_.by_entry && had_entries && !before.empty() && before.front().size() > 0;
    const auto add_columns = [&](std::size_t count, const double** to) {
        for (std::size_t k = 0; k < count; ++k)
            to[k] = columns_.emplace_back(Column::unset(rows)).data();
    };
    table_.law_fields = laws.normal().numbers().size();
    table_.slider_fields = std::visit(
        []<class Slider>(const Slider&) { return laws::field_count<Slider>; }, laws.slider());
    table_.rolling[0] = nullptr;
    add_columns(table_.law_fields, table_.law);
    add_columns(table_.slider_fields, table_.slider);
    add_columns(rolls ? 4 : 0, table_.rolling);
    add_columns(1, &table_.inverse_radii);
    add_columns(1, &table_.turning);
    const auto law_of = [&](std::size_t row) -> const PairLaw& {
        return laws.law(table_.by_entry ? entries.kind[row] : static_cast<std::uint32_t>(row));
    };
    const auto row_before = [&](std::size_t row) {
        return goes_on ? listed.entry_before(row) : no_pair;
    };
    constexpr std::size_t most = 256;  // rows at a time
    const std::size_t copied = goes_on ? rows : 0;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        // New rows get any numbers at first.
        std::array<std::uint32_t, most> from;
#pragma omp for
        for (std::size_t begin = 0; begin < copied; begin += most) {
            const std::size_t count = std::min(most, copied - begin);
            for (std::size_t k = 0; k < count; ++k) {
                const std::uint32_t row = row_before(begin + k);
                from[k] = row != no_pair ? row : 0;
            }
            for (std::size_t k = 0; k < columns_.size(); ++k)
                gather(count, from.data(), before[k].data(), columns_[k].data() + begin);
        }
        // The laws of pairs are far apart; copies are not.
#pragma omp for
        for (std::size_t row = 0; row < rows; ++row) {
            if (const std::size_t next = row + laws_ahead;
                next < rows && row_before(next) == no_pair)
                prefetch(law_of(next));
            if (row_before(row) != no_pair) continue;
            const PairLaw& law = law_of(row);
            std::size_t column = 0;
            const auto set = [&](std::size_t, double x) { columns_[column++][row] = x; };
            for (const double number : law.normal.numbers())
                set(0, number);
            std::visit([&](const auto& slider) { laws::to_fields(slider, set); }, law.slider);
            if (rolls) laws::to_fields(law.rolling, set);
            set(0, 1.0 / law.radii);
            set(0, law.wall ? 0.0 : 1.0);
        }
    }
    find_same();
}

void LawTable::find_same() {
    table_.same_law = table_.same_slide = 0;
    if (!table_.by_entry) return;
    const auto bit_of = [&](const double* column, std::size_t bit) {
        const bool same = std::all_of(column, column + rows(), [&](double x) {
            return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(column[0]);
        });
        return std::uint32_t{same} << bit;
    };
    for (std::size_t k = 0; k < table_.law_fields; ++k)
        table_.same_law |= bit_of(table_.law[k], k);
    table_.same_slide |= bit_of(table_.inverse_radii, 0) | bit_of(table_.turning, 1);
    for (std::size_t k = 0; k < table_.slider_fields; ++k)
        table_.same_slide |= bit_of(table_.slider[k], 2 + k);
    for (std::size_t k = 0; table_.rolling[0] != nullptr && k < 4; ++k)
        table_.same_slide |= bit_of(table_.rolling[k], rolling_fields + k);
}

}  // namespace beadwave::packing
