#include "mechanism/rubbing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::mechanism {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

/// The number of the bin of an angle.
std::size_t bin_of(double angle, std::size_t bins) {
    const double part = angle / turn - std::floor(angle / turn);
    return std::min(static_cast<std::size_t>(part * static_cast<double>(bins)), bins - 1);
}

/// The part of a step's rubbing up to this part of its time, for a power that is linear in time.
double part_rubbed(double power_before, double power_after, double part) {
    const double both = power_before + power_after;
    if (!(both > 0.0)) return part;
    return part * (2.0 * power_before + (power_after - power_before) * part) / both;
}

}  // namespace

double rubbed_between(const RubbingMoment& begin, const RubbingMoment& end) {
    const double net = std::abs(end.sum - begin.sum);
    if (begin.slip * end.slip >= 0.0) return net;
    const double turns = begin.slip / (begin.slip - end.slip), rest = 1.0 - turns;
    const double rise = end.force - begin.force;
    const double before = std::abs(begin.slip) * turns * (0.5 * begin.force + rise * turns / 6.0);
    const double after = std::abs(end.slip) * rest * (0.5 * end.force - rise * rest / 6.0);
    return net + 2.0 * (end.time - begin.time) * std::min(before, after);
}

void Rubbing::commit() {
    const double rubbed = rubbed_between(begin_, end_);
    for (const Worn surface : {worn_bearing, worn_pin})
        spread(rubbed, end_, surface, bins_[surface]);
    total_ += rubbed;
    begin_ = end_;
}

void Rubbing::add(double rubbed, const std::array<double, 2>& angle) {
    total_ += rubbed;
    for (const Worn surface : {worn_bearing, worn_pin}) {
        std::vector<double>& bins = bins_[surface];
        if (!bins.empty()) bins[bin_of(angle[surface], bins.size())] += rubbed;
    }
}

std::vector<double> Rubbing::bins_at(Worn surface, const RubbingMoment& now) const {
    std::vector<double> bins = bins_[surface];
    spread(rubbed_between(begin_, now), now, surface, bins);
    return bins;
}

void Rubbing::spread(double rubbed, const RubbingMoment& to, Worn surface,
                     std::vector<double>& bins) const {
    if (bins.empty() || rubbed == 0.0) return;
    const double count = static_cast<double>(bins.size());
    const double from = begin_.angle[surface], way = std::remainder(to.angle[surface] - from, turn);
    const double power_before = begin_.force * std::abs(begin_.slip);
    const double power_after = to.force * std::abs(to.slip);
    // Edges between bins that the contact passes, in the order in which it passes them.
    const double first = from * count / turn, last = (from + way) * count / turn;
    const double sign = way < 0.0 ? -1.0 : 1.0;
    double edge = sign > 0.0 ? std::floor(first) + 1.0 : std::ceil(first) - 1.0;
    double part = 0.0, done = 0.0;
    for (; sign * (last - edge) > 0.0; edge += sign) {
        const double next = (edge - first) / (last - first);
        const double next_done = part_rubbed(power_before, power_after, next);
        bins[bin_of(from + 0.5 * (part + next) * way, bins.size())] += (next_done - done) * rubbed;
        part = next, done = next_done;
    }
    bins[bin_of(from + 0.5 * (part + 1.0) * way, bins.size())] += (1.0 - done) * rubbed;
}

void Rubbing::serialize(Archive& archive) {
    archive(total_);
    for (std::vector<double>& bins : bins_) {
        for (double& bin : bins)
            archive(bin);
    }
}

}  // namespace beadwave::mechanism
