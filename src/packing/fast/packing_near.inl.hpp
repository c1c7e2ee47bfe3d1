// Which pairs may touch soon: a look at distances alone. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

/// A bit for each lane.
inline constexpr unsigned all_lanes = (1U << register_lanes) - 1;

/// Which pairs have a body with a reach.
HWY_INLINE unsigned reaching(const double* reach, const std::uint32_t* first,
                             const std::uint32_t* second) {
    unsigned pairs = 0;
    for (std::size_t lane = 0; lane < register_lanes; ++lane) {
        // Without branches: there is no order in what they would find.
        const bool either =
            static_cast<bool>((reach[first[lane]] > 0.0) | (reach[second[lane]] > 0.0));
        pairs |= unsigned{either} << lane;
    }
    return pairs;
}

inline HWY_FLATTEN std::size_t find_near(const Lines& lines, const Entries& e, std::size_t count,
                                         double margin, const double* reach, std::uint32_t* near) {
    alignas(64) static constexpr double places[8] = {-1, -1, -1, 1, -1, -1, -1, 1};
    // More than what lists and rounding have added to gaps.
    constexpr double for_rounding = 1.0 + 1e-9;
    std::size_t found = 0;
    for (std::size_t k = 0; k < count; k += register_lanes) {
        const std::uint32_t *first = e.first + k, *second = e.second + k;
        const Columns pair = load_pairs(lines.place, first, second, places);
        const Triple branch = pair.triple(0) + pair.triple(4);
        const Register within = pair.at(3) * Register(for_rounding) + Register(margin);
        const auto far = dot(branch, branch) > within * within;  // NaN is near
        std::uint8_t is_far = 0;
        hn::StoreMaskBits(Lanes(), far.raw, &is_far);
        unsigned is_near = ~unsigned{is_far} & all_lanes;
        if (reach != nullptr && is_near != all_lanes) is_near |= reaching(reach, first, second);
        found += put_lanes(static_cast<std::uint32_t>(k), is_near, near + found);
    }
    return found;
}

}  // namespace beadwave::packing::BEADWAVE_TARGET
