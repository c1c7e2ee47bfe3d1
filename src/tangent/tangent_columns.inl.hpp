// Loads and stores a law and its memory as vectors with derivatives, from and to the columns of a
// row. Included by vector_code.cpp.

namespace beadwave::dynamics::tangent::BEADWAVE_TARGET {

// Not laws::from_fields, because the compiler does not inline it for numbers this wide.
template <class Record, std::size_t... k>
HWY_INLINE Record load_fields([[maybe_unused]] const double* const* columns,
                              [[maybe_unused]] std::size_t i, [[maybe_unused]] std::size_t stride,
                              std::index_sequence<k...>) {
    Record record{};
    ((record.*std::get<k>(Record::fields()) = Dual::load(columns[k] + i, stride)), ...);
    return record;
}
template <class Record>
HWY_INLINE Record load_record(const double* const* columns, std::size_t i, std::size_t stride) {
    return load_fields<Record>(columns, i, stride,
                               std::make_index_sequence<laws::field_count<Record>>{});
}

template <class Record>
HWY_INLINE void store_record(const Record& record, double* const* columns, std::size_t i,
                             std::size_t stride) {
    laws::to_fields(record, [&](std::size_t k, const Dual& value)
                                HWY_ATTR { value.store(columns[k] + i, stride); });
}

/// Input of the law at the contacts of a block.
struct ContactInput {
    std::size_t at;
    Dual overlap, approach_speed;
    HWY_INLINE ContactInput() {}
};

template <class Law>
HWY_INLINE Law law_of(const TangentRow& row, std::size_t i) {
    return load_record<Law>(row.law, i, row.stride);
}
template <class Law>
HWY_INLINE auto memory_of(const TangentRow& row, std::size_t i) {
    return load_record<typename Law::Memory>(row.memory, i, row.stride);
}

}  // namespace beadwave::dynamics::tangent::BEADWAVE_TARGET
