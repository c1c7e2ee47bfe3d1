// Which pairs may touch soon: a look at distances alone. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

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
        for (std::size_t lane = 0; lane < register_lanes; ++lane) {
            near[found] = static_cast<std::uint32_t>(k + lane);
            bool is_near = ((is_far >> lane) & 1) == 0;
            if (reach != nullptr)
                is_near = is_near || reach[first[lane]] > 0.0 || reach[second[lane]] > 0.0;
            found += is_near ? 1 : 0;
        }
    }
    return found;
}

}  // namespace beadwave::packing::BEADWAVE_TARGET
