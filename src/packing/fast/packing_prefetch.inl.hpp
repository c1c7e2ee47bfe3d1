// What a step loads into the caches before it needs it. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

// Levels of the caches, for __builtin_prefetch.
inline constexpr int first_level = 3, second_level = 2;

/// Loads the lines of bodies into a cache before they are needed. Processors predict accesses to
/// consecutive lines, not to scattered ones. It gains a third in speed if the caches cannot hold
/// all particles.
///
/// `Fetch`: loads the lines of one body; inlined, because in a separate function GCC would drop a
/// prefetch as having no effect.
template <std::size_t lanes, class Fetch>
class Prefetcher {
  public:
    HWY_INLINE Prefetcher(const Fetch& fetch, const Entries& e, std::size_t from, std::size_t count)
        : fetch_(fetch) {
        const std::uint32_t* const begin = e.prefetch_begin + from / batch;
        if (from == 0) fetch_range(e.prefetch + begin[0], e.prefetch + begin[1]);
        next_ = e.prefetch + begin[1];
        end_ = e.prefetch + begin[2];
        const std::size_t calls = count / lanes;
        per_call_ = (static_cast<std::size_t>(end_ - next_) + calls - 1) / calls;
    }
    /// Prefetches a part of the next batch's bodies. Called once per register of this batch, it
    /// gets all of them.
    HWY_INLINE void fetch_some() {
        const std::size_t left = static_cast<std::size_t>(end_ - next_);
        const std::uint32_t* const to = next_ + std::min(per_call_, left);
        fetch_range(next_, to);
        next_ = to;
    }

  private:
    HWY_INLINE void fetch_range(const std::uint32_t* body, const std::uint32_t* end) const {
        for (; body != end; ++body)
            fetch_(*body);
    }

    const Fetch fetch_;
    const std::uint32_t *next_ = nullptr, *end_ = nullptr;
    std::size_t per_call_ = 0;
};

}  // namespace beadwave::packing::BEADWAVE_TARGET
