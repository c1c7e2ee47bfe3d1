#include "far_reach.hpp"

#include "packing/vector_length.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>

namespace beadwave::packing {
namespace {

/// Classes of particles by the steps in which they go one skin: in class k from 2^(k/2) on.
constexpr std::size_t classes = 18;
/// What one more pair costs in a step, for each radius that a particle reaches further, over what a
/// new list costs for each particle; measured in chutes and impacts, within a factor of two.
constexpr double pair_over_list = 0.14;
/// It must gain this part of the time of lists.
constexpr double least_gain = 0.3;
constexpr double longest_reach = 2.0;  // radii
/// Where one goes a skin in fewer steps, the time step is about to be refused.
constexpr double fewest_steps = 4.0;
/// Two that each go one skin in so many steps may meet in half of them; a tenth more is spare.
constexpr double part_of_steps = 0.5, part_of_way = 0.6;

const std::array<double, classes>& steps_of_classes() {
    static const auto steps = [] {
        std::array<double, classes> all;
        for (std::size_t k = 0; k < classes; ++k)
            all[k] = std::ldexp(k % 2 == 0 ? 1.0 : std::sqrt(2.0), static_cast<int>(k / 2));
        return all;
    }();
    return steps;
}

}  // namespace

/// Takes the threshold that costs least in this model: a list serves half the steps in which the
/// slowest of the fast ones goes one skin.
void FarReach::choose(const double* half, const Bodies& bodies, const BlockShare& share,
                      std::span<const char> absent, int threads) {
    saved_.clear();
    slowest_ = 0.0;
    if (!acts_) return;
    const std::array<double, classes>& steps_of = steps_of_classes();
    std::int64_t counts[classes] = {};
    double range[6];  // of the velocities: the largest of v and of -v [m/s]
    std::ranges::fill(range, -std::numeric_limits<double>::infinity());
#pragma omp parallel for num_threads(threads) if (threads > 1) reduction(+ : counts) \
    reduction(max : range)
    for (std::size_t i = share.begin(); i < share.end(); ++i) {
        if (!absent.empty() && absent[bodies.id(i)] != 0) continue;
        const double steps = skin_ / (length_of(triple(half + line * i)) * time_step_);
        const auto next = std::upper_bound(steps_of.begin() + 1, steps_of.end(), steps);
        ++counts[next - steps_of.begin() - 1];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            range[axis] = std::max(range[axis], half[line * i + axis]);
            range[3 + axis] = std::max(range[3 + axis], -half[line * i + axis]);
        }
    }
    if (share.shared()) {
        share.ranks().sum(counts);
        share.ranks().largest(range);
    }
    // Without any fast one a list serves until two have moved apart by one skin.
    const double apart =
        std::hypot(range[0] + range[3], range[1] + range[4], range[2] + range[5]) * time_step_;
    std::size_t fastest = 0;
    while (fastest + 1 < classes && counts[fastest] == 0)
        ++fastest;
    const auto all =
        static_cast<double>(std::accumulate(std::begin(counts), std::end(counts), 0LL));
    if (steps_of[fastest] < fewest_steps) return;
    double least = (1.0 - least_gain) * apart / skin_;
    for (std::size_t k = fastest + 1; k < classes; ++k) {
        const double steps = steps_of[k], way = part_of_way * skin_ * steps;
        if (way / steps_of[fastest] > longest_reach * radius_) break;
        double further = 0.0;  // sum over the fast ones [m]
        for (std::size_t j = fastest; j < k; ++j)
            further += static_cast<double>(counts[j]) * way / steps_of[j];
        const double cost =
            1.0 / (part_of_steps * steps) + pair_over_list * further / (radius_ * all);
        if (!(cost < least)) continue;
        least = cost;
        steps_ = part_of_way * steps;
        slowest_ = skin_ / (time_step_ * steps);
    }
}

double FarReach::chosen(const Bodies& bodies, std::size_t body) const {
    if (!saved_.empty()) return saved_[bodies.slot_of(body)];
    if (slowest_ == 0.0) return 0.0;
    const double speed = length_of(bodies.velocity(body));
    if (!(speed >= slowest_)) return 0.0;
    return std::min(speed * time_step_ * steps_, longest_reach * radius_);
}

void FarReach::adopt(const Bodies& bodies, const BlockShare& share) {
    reach_.clear();
    of_block_.clear();
    if (!any()) return;
    for (std::uint32_t body = 0; body < bodies.dummy(); ++body)
        reach_.push_back(chosen(bodies, bodies.particle_of(body)));
    reach_.push_back(0.0);  // the dummy
    first_block_ = share.first_block();
    of_block_.resize(share.own_blocks());
    for (std::size_t i = share.begin(); i < share.end(); ++i) {
        if (reach_[i] > 0.0)
            of_block_[share.block_of(i) - first_block_].push_back(static_cast<std::uint32_t>(i));
    }
}

double FarReach::farthest(std::size_t block, const double* places) const {
    double most = nowhere;
    for (const std::uint32_t i : of_block_[block - first_block_])
        most = std::max(most, length_of(triple(places + line * i)) - reach_[i]);
    return most;
}

}  // namespace beadwave::packing
