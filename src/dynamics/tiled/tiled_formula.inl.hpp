// The sweep of laws that are formulas (laws/expression/batch.hpp). Included by vector_code.cpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// Range of places in a sweep over a row.
struct Stretch {
    std::size_t begin, end;
};

/// The sweep over the blocks [begin, end) in batches: drift, forces, kick.
template <class Law, class Drift, class Kick>
HWY_INLINE void sweep_in_batches(const Parameters& p, const State& s, std::size_t begin,
                                 std::size_t end, std::span<const Stretch> stored,
                                 const Drift& drift, const Kick& kick) {
    constexpr std::size_t most = 128 / lane_count;
    laws::ExpressionBatch<Law, Vector, most> batch(law_at<Law>(p, begin), p.uniform,
                                                   std::min(most, (end - begin) / lane_count));
    const Stretch* next_stored = stored.data();
    const Stretch* const last_stored = next_stored + stored.size();
    Vector before;
    for (std::size_t from = begin; from < end; from += most * lane_count) {
        const std::size_t count = std::min(most, (end - from) / lane_count);
        for (std::size_t b = 0; b < count; ++b) {
            const std::size_t i = from + b * lane_count;
            const auto motion = drift(i);
            const auto memory = load_record<typename Law::Memory>(s.memory, i);
            const auto read = [&]() HWY_ATTR { return law_at<Law>(p, i); };
            store_record(batch.put(b, read, motion.overlap, motion.approach_speed, memory),
                         s.memory, i);
        }
        batch.run(count);
        for (std::size_t b = 0; b < count; ++b) {
            const std::size_t i = from + b * lane_count;
            const Vector force = batch.force(b, [&]() HWY_ATTR { return law_at<Law>(p, i); });
            if (i > begin) {
                // A block is stored when the sweep is two blocks ahead.
                const std::size_t ahead = i + lane_count;
                while (next_stored != last_stored && ahead >= next_stored->end)
                    ++next_stored;
                const bool stores =
                    ahead >= end || (next_stored != last_stored && ahead >= next_stored->begin);
                kick(stores, i - lane_count, before, force);
            }
            before = force;
        }
    }
    kick(std::true_type(), end - lane_count, before, Vector());
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
