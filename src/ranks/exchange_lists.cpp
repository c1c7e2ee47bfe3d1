#include "ranks/exchange_lists.hpp"

#include <cstddef>

namespace beadwave::ranks {

NumberLists exchange_lists(Communicator& ranks, const NumberLists& out) {
    const auto count = static_cast<std::size_t>(ranks.count()),
               own = static_cast<std::size_t>(ranks.rank());
    std::vector<double> sizes(count * count);
    std::vector<std::size_t> begin;
    for (std::size_t r = 0; r <= count; ++r)
        begin.push_back(count * r);
    for (std::size_t r = 0; r < count; ++r)
        sizes[count * own + r] = r == own ? 0.0 : static_cast<double>(out[r].size());
    ranks.share(sizes, begin);
    NumberLists in(count);
    std::vector<PeerBuffers> peers;
    for (std::size_t r = 0; r < count; ++r) {
        if (r == own) continue;
        in[r].resize(static_cast<std::size_t>(sizes[count * r + own]));
        if (!in[r].empty() || !out[r].empty())
            peers.push_back({static_cast<int>(r), out[r], in[r]});
    }
    ranks.start_exchange(peers);
    ranks.finish_exchange();
    return in;
}

}  // namespace beadwave::ranks
