// What the phases of a batch share, in double and in mixed precision. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

HWY_INLINE Triple load_triple(const double (*columns)[batch], std::size_t at) {
    return {Register::load(columns[0] + at), Register::load(columns[1] + at),
            Register::load(columns[2] + at)};
}
HWY_INLINE void store_triple(const Triple& v, double (*columns)[batch], std::size_t at) {
    v.x.store(columns[0] + at);
    v.y.store(columns[1] + at);
    v.z.store(columns[2] + at);
}
HWY_INLINE void store_triple(const Triple& v, double* const* columns, std::size_t at) {
    v.x.store(columns[0] + at);
    v.y.store(columns[1] + at);
    v.z.store(columns[2] + at);
}
HWY_INLINE Triple load_triple(double* const* columns, std::size_t at) {
    return {Register::load(columns[0] + at), Register::load(columns[1] + at),
            Register::load(columns[2] + at)};
}
HWY_INLINE void store_memory(const laws::SliderMemory<Register>& m, double* const* columns,
                             std::size_t at) {
    store_triple(m.vector, columns, at);
    m.number.store(columns[3] + at);
}

/// The geometry that later phases need, from what the first phase has stored of it.
template <class Number>
HWY_INLINE PairGeometry<Number> geometry_along(const laws::Triple<Number>& branch,
                                               const Number& inverse_distance) {
    PairGeometry<Number> geometry{};
    geometry.branch = branch;
    geometry.inverse_distance = inverse_distance;
    geometry.normal = branch * inverse_distance;
    return geometry;
}
HWY_INLINE PairGeometry<Register> stored_geometry(const Scratch& s, std::size_t k) {
    return geometry_along(load_triple(s.branch, k), Register::load(s.inverse_distance + k));
}

/// 1/(R_1 + R_2), `turning`, then the numbers of the tangential law, then those of rolling
/// resistance.
inline std::array<const double*, slide_fields> slide_numbers(const KindTable& table) {
    std::array<const double*, slide_fields> numbers;
    numbers.fill(table.turning);
    numbers[0] = table.inverse_radii;
    std::copy_n(table.slider, table.slider_fields, numbers.begin() + 2);
    std::copy_n(table.rolling, 4, numbers.begin() + rolling_fields);
    return numbers;
}

/// The data that the phases of a batch after its normal forces share.
struct SlideBatch {
    const Entries& e;
    std::size_t from, count;
    double time_step;
    const Parameters& p;  ///< those of slide_numbers()
    const double *grip_overlap, *grip_force;

    /// Half of the work to each particle, all of it to a particle at a wall.
    HWY_INLINE Register share(const Register& work, std::size_t k) const {
        return work * (Register(1.0) - p.at(1, k) * 0.5);
    }
};

}  // namespace beadwave::packing::BEADWAVE_TARGET
