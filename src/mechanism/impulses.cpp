// The part of Events that follows the law "impulse".
#include "mechanism/events.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {

bool Events::follows_impulses(std::size_t spot) const {
    return std::holds_alternative<Impulse>(
        dynamics_.mechanism.contacts[dynamics_.touches[spot].spot.contact].law);
}

/// A height that rounding hides [m].
double Events::hop(std::size_t spot) const {
    return 10.0 * dynamics_.touches[spot].spot.slack;
}

double Events::holding(std::size_t spot, double step) {
    stepper_.step(step, aside_);
    slopes_.resize(aside_.size());
    dynamics_.rates(stepper_.time() + step, aside_, slopes_);
    return dynamics_.touches[spot].holding;
}

/// The spot that closes, all that close with it, and all that rest.
std::vector<std::size_t> Events::struck_with(std::size_t spot,
                                             const std::vector<Nearness>& seen) const {
    const auto closes = [&](std::size_t i) {
        return i == spot || (dynamics_.touches[i].state == Touch::State::open &&
                             follows_impulses(i) && seen[i].overlap >= -hop(i));
    };
    // Balls in a row touch without closing: the one impulse after the other passes through them.
    double fastest = 0.0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (closes(i)) fastest = std::max(fastest, seen[i].approach);
    }
    constexpr double none = 1e-6;
    std::vector<std::size_t> spots;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const bool rests = dynamics_.touches[i].state == Touch::State::resting;
        const bool only = i == spot && fastest <= 0.0;
        if (rests || only || (closes(i) && seen[i].approach > none * fastest)) spots.push_back(i);
    }
    return spots;
}

void Events::strike(std::size_t spot, double time, const std::vector<Nearness>& seen,
                    std::vector<double>& y) {
    slopes_.resize(y.size());
    dynamics_.rates(time, y, slopes_);  // for the approach rates, what rests being held
    const std::vector<std::size_t> spots = struck_with(spot, seen);
    std::vector<double> wanted, rates;
    std::vector<bool> stays;
    const auto hops = [&](std::size_t i, double leaving, double rate) {
        return !(rate > 0.0 && leaving * leaving <= 2.0 * rate * hop(i));
    };
    for (const std::size_t i : spots) {
        const Touch& touch = dynamics_.touches[i];
        const bool rests = touch.state == Touch::State::resting;
        const auto& law = dynamics_.mechanism.contacts[touch.spot.contact].law;
        const double restitution = rests ? 0.0 : std::get<Impulse>(law).restitution;
        const double leaving = restitution * std::max(seen[i].approach, 0.0);
        rates.push_back(dynamics_.approach_rate(i));
        stays.push_back(rests || !hops(i, leaving, rates.back()));
        wanted.push_back(seen[i].approach + (stays.back() ? 0.0 : leaving));
    }
    const Matrix yield = dynamics_.yields(spots, seen);
    const std::vector<double> impulses = complementary(yield, wanted);
    const double before = dynamics_.ledger(time, y).kinetic;
    for (std::size_t k = 0; k < spots.size(); ++k) {
        if (impulses[k] > 0.0) dynamics_.strike(spots[k], seen[spots[k]], impulses[k], y);
    }
    double lost_by_all = 0.0;
    for (std::size_t k = 0; k < spots.size(); ++k) {
        const std::size_t i = spots[k];
        Touch& touch = dynamics_.touches[i];
        double leaving = -seen[i].approach;
        for (std::size_t other = 0; other < spots.size(); ++other)
            leaving += yield(k, other) * impulses[other];
        const double lost = 0.5 * impulses[k] * (seen[i].approach - leaving);
        lost_by_all += lost;
        dynamics_.normal_work(y, i) += lost;
        if (touch.state == Touch::State::resting) {
            records_[i].impacts.back().dissipated += lost;
            // Another's impulse parts it.
            if (impulses[k] == 0.0 && leaving > 0.0) end(i, time, seen[i], y);
            continue;
        }
        const bool rests = stays[k] && !hops(i, std::max(leaving, 0.0), rates[k]);
        if (!rests && !(impulses[k] > 0.0)) continue;
        records_[i].impacts.push_back({.start = time,
                                       .end = rests ? Impact::none : time,
                                       .closing_speed = std::max(seen[i].approach, 0.0),
                                       .leaving_speed = rests ? Impact::none : leaving,
                                       .peak_force = Impact::none,
                                       .peak_time = time,
                                       .largest_overlap = 0.0,
                                       .dissipated = lost,
                                       .mass = 1.0 / yield(k, k)});
        if (rests) touch.state = Touch::State::resting;
    }
    // Motors hold their speeds against the impulses, and pay for it. Without one the ledger shows
    // whether the impulses kept what they should.
    const bool motors = std::ranges::any_of(
        dynamics_.mechanism.joints, [](const Joint& joint) { return joint.motor.has_value(); });
    if (motors) y.back() += dynamics_.ledger(time, y).kinetic - before + lost_by_all;
}

}  // namespace beadwave::mechanism
