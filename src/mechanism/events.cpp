#include "mechanism/events.hpp"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {
namespace {

/// Closed, by an overlap too small to matter [m].
constexpr double just_closed = std::numeric_limits<double>::min();

}  // namespace

Events::Events(Dynamics& dynamics, Stepper& stepper) : dynamics_(dynamics), stepper_(stepper) {
    for (const Touch& touch : dynamics.touches)
        records_.push_back(
            {.contact = touch.spot.contact, .corner = touch.spot.corner, .impacts = {}});
}

void Events::begin(const std::vector<Nearness>& seen, std::vector<double>& y) {
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (!(seen[i].overlap > 0.0) || follows_impulses(i)) continue;
        close(i, 0.0, seen[i], y);
        // What is stored at the start is work that the contact took up before.
        dynamics_.normal_work(y, i) =
            dynamics_.touches[i].force->stored_energy(seen[i].overlap, seen[i].approach);
    }
}

const Nearness& Events::look(std::size_t spot, double step) {
    stepper_.step(step, aside_);
    dynamics_.see(stepper_.time() + step, aside_, seen_);
    return seen_[spot];
}

template <class Number>
double Events::zero(Number number, double low, double high) {
    const double at_low = number(low), at_high = number(high);
    if (at_low == 0.0) return low;
    if (!(at_low * at_high < 0.0)) return high;
    std::uintmax_t most = 100;
    const auto close_enough = [high](double a, double b) { return b - a <= 1e-15 * high; };
    const auto [a, b] =
        boost::math::tools::toms748_solve(number, low, high, at_low, at_high, close_enough, most);
    return b;
}

/// The first time at which a condition holds that holds at `high`.
template <class Condition>
double Events::first(Condition condition, double low, double high) {
    for (int halving = 0; halving < 52; ++halving) {
        const double middle = 0.5 * (low + high);
        (condition(middle) ? high : low) = middle;
    }
    return high;
}

bool Events::ended(const Touch& touch, const Nearness& near) const {
    return near.overlap <= 0.0 || (!touch.force->ends_in_tension() && near.approach < 0.0 &&
                                   dynamics_.force(touch, near) <= 0.0);
}

/// Whether bodies that had let go of each other are pressed together again.
bool Events::resumes(const Touch& touch, const Nearness& near) const {
    return near.overlap > 0.0 && near.approach > 0.0 && dynamics_.force(touch, near) > 0.0;
}

std::optional<Events::Kind> Events::happened(std::size_t spot, const Nearness& before,
                                             const Nearness& after) const {
    const Touch& touch = dynamics_.touches[spot];
    switch (touch.state) {
        case Touch::State::open:
            // Parting slowly, bodies may still overlap by rounding when the first step is done.
            if (after.overlap > 0.0 &&
                (before.overlap < 0.0 || before.approach > 0.0 || after.approach > 0.0)) {
                return Kind::close;
            }
            break;
        case Touch::State::touching:
            if (touch.loading && before.approach > 0.0 && after.approach <= 0.0) return Kind::turn;
            if (ended(touch, after)) return Kind::end;
            break;
        case Touch::State::spent:
            if (resumes(touch, after)) return Kind::resume;
            break;
        case Touch::State::resting:  // see shorten()
            break;
    }
    return std::nullopt;
}

std::optional<double> Events::between(std::size_t spot, double step, const Nearness& before,
                                      const Nearness& after) {
    const Touch& touch = dynamics_.touches[spot];
    const double sign = touch.state == Touch::State::open ? 1.0 : -1.0;
    if (touch.state == Touch::State::spent || touch.state == Touch::State::resting)
        return std::nullopt;
    if (!(sign * before.approach > 0.0 && sign * after.approach < 0.0)) return std::nullopt;
    // The overlap's tangents at both ends: it cannot pass zero unless both do.
    if (sign * (before.overlap + before.approach * step) <= 0.0 ||
        sign * (after.overlap - after.approach * step) <= 0.0) {
        return std::nullopt;
    }
    const double nearest = zero([&](double h) { return look(spot, h).approach; }, 0.0, step);
    if (sign * look(spot, nearest).overlap > 0.0) return nearest;
    return std::nullopt;
}

double Events::locate(const Event& event, double step, const Nearness& before,
                      const Nearness& after) {
    const auto overlap = [&](double h) { return look(event.spot, h).overlap; };
    const auto approach = [&](double h) { return look(event.spot, h).approach; };
    const Touch& touch = dynamics_.touches[event.spot];
    switch (event.kind) {
        case Kind::turn:
            return zero(approach, 0.0, step);
        case Kind::resume:
            return first([&](double h) { return resumes(touch, look(event.spot, h)); }, 0.0, step);
        case Kind::close: {
            // Where bodies have just parted, the overlap is rounding: look from where they are
            // farthest apart.
            const bool parting = before.approach < 0.0;
            if (!parting) return before.overlap < 0.0 ? zero(overlap, 0.0, step) : 0.0;
            const double farthest = after.approach > 0.0 ? zero(approach, 0.0, step) : 0.0;
            return overlap(farthest) < 0.0 ? zero(overlap, farthest, step) : farthest;
        }
        case Kind::end:
            break;
    }
    double low = 0.0, high = step;
    if (before.overlap <= 0.0) low = zero(approach, 0.0, step);  // closed just now
    if (after.overlap <= 0.0) high = zero(overlap, low, step);
    // The force may end before the overlap does.
    const double earlier = low + (high - low) * (after.overlap <= 0.0 ? 1.0 - 1e-6 : 1.0);
    const auto over = [&](double h) { return ended(touch, look(event.spot, h)); };
    return over(earlier) ? first(over, low, earlier) : high;
}

double Events::shorten(double step, const std::vector<Nearness>& before, std::vector<double>& y) {
    pending_.reset();
    dynamics_.see(stepper_.time() + step, y, seen_after_);
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (dynamics_.touches[i].state == Touch::State::resting) {
            const auto force = [&](double h) { return holding(i, h); };
            if (force(step) >= 0.0) continue;
            pending_ = Event{.spot = i, .kind = Kind::end};
            step = force(0.0) < 0.0 ? 0.0 : zero(force, 0.0, step);
            stepper_.step(step, y);
            dynamics_.see(stepper_.time() + step, y, seen_after_);
            continue;
        }
        Nearness after = seen_after_[i];
        double bracket = step;
        auto kind = happened(i, before[i], after);
        if (!kind) {
            const auto nearest = between(i, step, before[i], after);
            if (!nearest) continue;
            bracket = *nearest;
            after = look(i, bracket);
            kind = happened(i, before[i], after);
            if (!kind) continue;
        }
        pending_ = Event{.spot = i, .kind = *kind};
        step = locate(*pending_, bracket, before[i], after);
        stepper_.step(step, y);
        dynamics_.see(stepper_.time() + step, y, seen_after_);
    }
    return step;
}

double Events::force_slope(std::size_t spot, double time, const std::vector<double>& y,
                           std::span<const double> rates, double step, const Nearness& near) {
    const double aside = 1e-5 * step;
    shifted_ = y;
    for (std::size_t k = 0; k < shifted_.size(); ++k)
        shifted_[k] += aside * rates[k];
    dynamics_.see(time, shifted_, seen_);
    const Touch& touch = dynamics_.touches[spot];
    return (dynamics_.force(touch, seen_[spot]) - dynamics_.force(touch, near)) / aside;
}

void Events::note_peaks(double step, const std::vector<Nearness>& before,
                        const std::vector<double>& y) {
    bool rates_known = false;
    for (std::size_t i = 0; i < before.size() && step > 0.0; ++i) {
        const Touch& touch = dynamics_.touches[i];
        if (touch.state != Touch::State::touching) continue;
        Impact& impact = records_[i].impacts.back();
        const double time = stepper_.time();
        const auto note = [&](double force, double when) {
            if (force <= impact.peak_force) return;
            impact.peak_force = force;
            impact.peak_time = when;
        };
        note(dynamics_.force(touch, before[i]), time);
        note(dynamics_.force(touch, seen_after_[i]), time + step);
        const double rise =
            force_slope(i, time, stepper_.begin(), stepper_.first_rates(), step, before[i]);
        if (rise <= 0.0) continue;
        if (!rates_known) {
            slopes_.resize(y.size());
            dynamics_.rates(time + step, y, slopes_);
            rates_known = true;
        }
        const double fall = -force_slope(i, time + step, y, slopes_, step, seen_after_[i]);
        if (fall < 0.0) continue;
        // Of a parabola with these slopes: without damping the step ends at the peak itself.
        const double above = 0.5 * fall * fall * step / (rise + fall);
        if (above <= 1e-10 * impact.peak_force) continue;
        const auto less = [&](double h) { return -dynamics_.force(touch, look(i, h)); };
        const auto lowest = boost::math::tools::brent_find_minima(less, 0.0, step, 26);
        note(-lowest.second, time + lowest.first);
    }
}

bool Events::settle(double time, const std::vector<Nearness>& seen, std::vector<double>& y) {
    for (std::size_t i = 0; i < seen.size(); ++i) {
        Touch& touch = dynamics_.touches[i];
        if (touch.state == Touch::State::open || touch.state == Touch::State::resting) continue;
        if (seen[i].overlap > 0.0) touch.force->commit(seen[i].overlap, seen[i].approach);
        touch.loading = seen[i].approach > 0.0;
        touch.largest_overlap = std::max(touch.largest_overlap, seen[i].overlap);
        if (touch.state == Touch::State::touching) {
            Impact& impact = records_[i].impacts.back();
            impact.largest_overlap = touch.largest_overlap;
            impact.dissipated = dynamics_.normal_work(y, i) - touch.work_at_start;
        } else if (seen[i].overlap <= 0.0) {
            fall_open(i);
        }
    }
    if (!pending_) return false;
    const auto [spot, kind] = *pending_;
    Touch& touch = dynamics_.touches[spot];
    switch (kind) {
        case Kind::close:
            if (follows_impulses(spot)) {
                strike(spot, time, seen, y);
                return true;
            }
            close(spot, time, seen[spot], y);
            break;
        case Kind::turn:
            touch.loading = false;
            break;
        case Kind::end:
            end(spot, time, seen[spot], y);
            break;
        case Kind::resume:
            open_record(spot, time, seen[spot], dynamics_.effective_mass(spot, seen[spot]), y);
            break;
    }
    return false;
}

void Events::open_record(std::size_t spot, double time, const Nearness& near, double mass,
                         std::span<const double> y) {
    Touch& touch = dynamics_.touches[spot];
    touch.state = Touch::State::touching;
    touch.loading = true;
    touch.closing_speed = std::max(near.approach, 0.0);
    touch.largest_overlap = std::max(near.overlap, 0.0);
    touch.work_at_start = y[2 * dynamics_.coordinates() + spot];
    records_[spot].impacts.push_back(
        {.start = time, .closing_speed = touch.closing_speed, .mass = mass});
}

void Events::close(std::size_t spot, double time, const Nearness& near, std::vector<double>& y) {
    Touch& touch = dynamics_.touches[spot];
    const Contact& contact = dynamics_.mechanism.contacts[touch.spot.contact];
    if (touch.force && contact.keeps_memory) {
        // What it remembers may hold back the force for a while.
        touch.state = Touch::State::spent;
        touch.force->commit(just_closed, near.approach);
        return;
    }
    const double mass = dynamics_.effective_mass(spot, near);
    make_force(touch, dynamics_.mechanism, mass, std::max(near.approach, 0.0));
    touch.force->commit(just_closed, near.approach);
    open_record(spot, time, near, mass, y);
    Impact& impact = records_[spot].impacts.back();
    impact.peak_force = dynamics_.force(touch, {.overlap = just_closed,
                                                .approach = near.approach,
                                                .normal = {},
                                                .place = {},
                                                .slip = 0.0,
                                                .offset = {}});
    impact.peak_time = time;
}

void Events::end(std::size_t spot, double time, const Nearness& near, std::span<const double> y) {
    Touch& touch = dynamics_.touches[spot];
    Impact& impact = records_[spot].impacts.back();
    impact.end = time;
    impact.leaving_speed = -near.approach;
    if (touch.state == Touch::State::resting) return fall_open(spot);
    impact.dissipated = y[2 * dynamics_.coordinates() + spot] - touch.work_at_start;
    // An overlap that is rounding alone is none.
    if (near.overlap <= 1e-12 * touch.largest_overlap)
        fall_open(spot);
    else
        touch.state = Touch::State::spent;
}

void Events::fall_open(std::size_t spot) {
    Touch& touch = dynamics_.touches[spot];
    touch.state = Touch::State::open;
    touch.loading = false;
    touch.holding = 0.0;
    if (!dynamics_.mechanism.contacts[touch.spot.contact].keeps_memory) touch.force.reset();
}

void Events::exchange(StateNumbers& state) {
    dynamics_.exchange(state);
    for (std::size_t i = 0; i < records_.size(); ++i) {
        std::vector<Impact>& impacts = records_[i].impacts;
        auto count = static_cast<std::int64_t>(impacts.size());
        state(count);
        // One by one: a damaged count finds the numbers used up.
        for (std::int64_t k = 0; k < count; ++k) {
            if (k == static_cast<std::int64_t>(impacts.size())) impacts.emplace_back();
            for (double Impact::*number : impact_numbers)
                state(impacts[static_cast<std::size_t>(k)].*number);
        }
        impacts.resize(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
        if (dynamics_.touches[i].state != Touch::State::open && impacts.empty())
            throw std::length_error("the saved state is damaged");
    }
}

}  // namespace beadwave::mechanism
