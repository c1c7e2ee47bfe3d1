#include "halo_exchange.hpp"

#include <algorithm>
#include <exception>

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
    if (layout_.left_is_others()) {
        pack(state, activity, 0, borders.front(), left_out_);
        left_in_.resize(left_out_.size());
    }
    if (layout_.right_is_others()) {
        pack(state, activity, layout_.tiles() - 1, borders.back() - halo, right_out_);
        right_in_.resize(right_out_.size());
    }
    ranks_->start_exchange({.out = left_out_, .in = left_in_},
                           {.out = right_out_, .in = right_in_});
    travels_ = true;
}

void HaloExchange::receive() {
    if (!travels_) return;
    travels_ = false;
    ranks_->finish_exchange();
}

void HaloExchange::receive(TileActivity& activity) {
    receive();
    // Only their beads that are copied here count: information from beads farther away cannot
    // arrive in one time block.
    const auto place = [&](double number) {
        return static_cast<std::size_t>(std::max(number - static_cast<double>(first_), 0.0));
    };
    if (layout_.left_is_others())
        activity.mark_active_before(place(left_in_[0]), place(left_in_[1]));
    if (layout_.right_is_others())
        activity.mark_active_behind(place(right_in_[0]), place(right_in_[1]));
}

}  // namespace beadwave::dynamics
