// The parameters of a batch's pairs. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

/// Whether all entries of a batch are of one kind. Where each has its own parameters nobody asks.
inline bool of_single_kind(const KindTable& table, const Entries& e, std::size_t from,
                           std::size_t count) {
    if (e.single_kind || table.by_entry) return e.single_kind;
    std::uint32_t differ = 0;
    for (std::size_t k = 0; k < count; ++k)
        differ |= e.kind[from + k] ^ e.kind[from];
    return differ == 0;
}

/// Parameters of a batch: those of its single kind, or columns with one value per entry.
struct Parameters {
    bool same;
    std::size_t row;  ///< of the first entry, in the columns of all parameters
    const double* const* numbers;
    std::array<const double*, simd::most_fields> columns;
    template <class Number = Register>
    HWY_INLINE Number at(std::size_t field, std::size_t k) const {
        return same ? Number(numbers[field][row]) : Number::load(columns[field] + k);
    }
};

/// After Scratch::single_kind is set. `same`: KindTable::same_law or same_slide.
inline Parameters parameters(const KindTable& table, const Entries& e, std::size_t from,
                             std::size_t count, const double* const* numbers, std::size_t fields,
                             std::uint32_t same, Scratch& s) {
    Parameters p{.same = s.single_kind,
                 // Not e.kind[from] where one will do: the block's first one stays in the cache.
                 .row = table.by_entry  ? e.number + from
                        : e.single_kind ? e.kind[0]
                                        : e.kind[from],
                 .numbers = numbers,
                 .columns = {}};
    for (std::size_t field = 0; !p.same && field < fields; ++field) {
        const std::size_t row = ((same >> field) & 1) != 0 ? 0 : p.row;
        p.columns[field] = table.by_entry ? numbers[field] + row : s.parameter[field];
        for (std::size_t k = 0; !table.by_entry && k < count; ++k)
            s.parameter[field][k] = numbers[field][e.kind[from + k]];
    }
    return p;
}

}  // namespace beadwave::packing::BEADWAVE_TARGET
