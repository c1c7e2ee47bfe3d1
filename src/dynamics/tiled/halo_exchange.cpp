#include "halo_exchange.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace beadwave::dynamics {

HaloExchange::~HaloExchange() {
    try {
        receive();
    } catch (const std::exception&) {  // another rank has failed; the next wait throws again
    }
}

void HaloExchange::forget() {
    receive();
    width_ = 0;
}

void HaloExchange::pack(const Rows& state, const TileActivity& activity, std::size_t tile,
                        std::size_t from, std::vector<double>& out) const {
    const auto [begin, end] = activity.moving(tile);
    out.resize(header + width_ * state.motion_columns());
    out[0] = static_cast<double>(first_ + begin);
    out[1] = static_cast<double>(first_ + end);
    state.pack_motion(from, width_, out.data() + header);
}

void HaloExchange::send(const Rows& state, const TileActivity& activity, std::size_t halo) {
    width_ = halo;
    const std::vector<std::size_t>& borders = layout_.borders;
    std::vector<ranks::PeerBuffers> peers;
    const auto add = [&](ranks::PeerBuffers& side, int rank, std::size_t tile, std::size_t from) {
        side.rank = rank;
        pack(state, activity, tile, from, side.out);
        side.in.resize(side.out.size());
        peers.push_back(std::move(side));
    };
    const int own = ranks_->rank();
    if (layout_.left_is_others()) add(left_, own - 1, 0, borders.front());
    if (layout_.right_is_others()) add(right_, own + 1, layout_.tiles() - 1, borders.back() - halo);
    ranks_->start_exchange(std::move(peers));
    travels_ = true;
}

void HaloExchange::receive() {
    if (!travels_) return;
    travels_ = false;
    for (ranks::PeerBuffers& peer : ranks_->finish_exchange())
        (peer.rank < ranks_->rank() ? left_ : right_) = std::move(peer);
}

void HaloExchange::receive(TileActivity& activity) {
    receive();
    // Only their beads that are copied here count: information from beads farther away cannot
    // arrive in one time block.
    const auto place = [&](double number) {
        return static_cast<std::size_t>(std::max(number - static_cast<double>(first_), 0.0));
    };
    if (layout_.left_is_others())
        activity.mark_active_before(place(left_.in[0]), place(left_.in[1]));
    if (layout_.right_is_others())
        activity.mark_active_behind(place(right_.in[0]), place(right_.in[1]));
}

}  // namespace beadwave::dynamics
