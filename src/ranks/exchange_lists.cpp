#include "ranks/exchange_lists.hpp"

#include <cstddef>
#include <utility>

namespace beadwave::ranks {

NumberLists exchange_lists(Communicator& ranks, NumberLists out) {
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
    for (std::size_t r = 0; r < count; ++r)
        in[r].resize(static_cast<std::size_t>(sizes[count * r + own]));
    exchange_known_lists(ranks, std::move(out), in);
    return in;
}

void exchange_known_lists(Communicator& ranks, NumberLists out, NumberLists& in) {
    std::vector<PeerBuffers> peers;
    for (std::size_t r = 0; r < in.size(); ++r) {
        if (static_cast<int>(r) == ranks.rank() || (in[r].empty() && out[r].empty())) continue;
        peers.push_back({static_cast<int>(r), std::move(out[r]), std::move(in[r])});
    }
    ranks.start_exchange(std::move(peers));
    for (PeerBuffers& peer : ranks.finish_exchange())
        in[static_cast<std::size_t>(peer.rank)] = std::move(peer.in);
}

}  // namespace beadwave::ranks
