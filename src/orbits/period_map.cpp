#include "orbits/period_map.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace beadwave::orbits {
namespace {

/// Frequency and amplitude of a motion or force that never ends.
std::pair<double, double> sine_of(bool is_sine, double frequency, double amplitude, double end,
                                  const std::string& what) {
    if (!is_sine) {
        throw InputError(
            fmt::format("{} is not periodic; orbits need a sine (frequency and amplitude)", what));
    }
    if (std::isfinite(end)) {
        throw InputError(
            fmt::format("{} ends after {:g} cycles, so it is not periodic; expected no cycles",
                        what, end * frequency));
    }
    return {frequency, amplitude};
}

std::pair<double, double> sine_of(const stepping::Drive& drive, const std::string& what) {
    const std::vector<double> numbers = drive.numbers();
    return sine_of(numbers.size() == 6 && numbers[0] > 0.0, numbers[0], numbers[1], numbers[2],
                   what);
}

}  // namespace

double PeriodMap::Sine::phase(double frequency, double time) const {
    return 2.0 * std::numbers::pi * ratio * frequency * time;
}
double PeriodMap::Sine::value(double frequency, double time) const {
    return amplitude * std::sin(phase(frequency, time));
}
double PeriodMap::Sine::rate(double frequency, double time) const {
    return amplitude * 2.0 * std::numbers::pi * ratio * frequency *
           std::cos(phase(frequency, time));
}

PeriodMap::PeriodMap(const chain::Chain& chain, const std::string& name, const Window& window)
    : links_(chain, name), freedom_(links_.bodies(), none), constant_force_(links_.bodies()) {
    const auto bead_of = [&](std::size_t body) {
        return body < chain.beads() ? body : chain.elements.resonators[body - chain.beads()].bead;
    };
    for (std::size_t i = 0; i < links_.bodies(); ++i) {
        if ((i < chain.beads() && chain.is_held(i)) || !window.contains(bead_of(i))) continue;
        freedom_[i] = body_.size();
        body_.push_back(i);
    }
    if (body_.empty()) throw InputError(fmt::format("{}: no bead of the chain can move", name));
    along_chain_.resize(body_.size());
    std::iota(along_chain_.begin(), along_chain_.end(), std::size_t{0});
    std::ranges::stable_sort(along_chain_, {}, [&](std::size_t i) { return bead_of(body_[i]); });
    for (std::size_t i = 0; i < chain.beads(); ++i)
        constant_force_[i] = chain.mass[i] * chain.gravity;
    for (const chain::Load& load : chain.loads)
        constant_force_[load.bead] += load.force;

    struct Found {
        std::vector<Sine>* to;
        std::vector<OnBody>* on;
        std::size_t body;
        std::pair<double, double> sine;
        std::string what;
    };
    std::vector<Found> found;
    const auto wall = [&](const auto& drive, const char* side, std::vector<Sine>& to) {
        const std::string what = fmt::format("{}: boundary.{}", name, side);
        if (drive) found.push_back({&to, nullptr, none, sine_of(*drive, what), what});
    };
    wall(chain.left_drive, "left", left_);
    wall(chain.right_drive, "right", right_);
    for (std::size_t k = 0; k < chain.elements.driven.size(); ++k) {
        const auto& each = chain.elements.driven[k];
        const std::string what = fmt::format("{}: drive.{}", name, k);
        found.push_back({nullptr, &driven_, each.bead, sine_of(each.motion, what), what});
    }
    for (std::size_t k = 0; k < chain.elements.loads.size(); ++k) {
        const auto& each = chain.elements.loads[k];
        if (each.force.is_constant()) {
            constant_force_[each.bead] += each.force.at(0.0);
            continue;
        }
        const std::vector<double> numbers = each.force.numbers();
        const std::string what = fmt::format("{}: load.{}", name, k);
        found.push_back({nullptr, &loads_, each.bead,
                         sine_of(numbers.size() == 4, numbers[1], numbers[2], numbers[3], what),
                         what});
    }
    for (const Found& each : found) {
        if (drive_frequency_ == 0.0 || each.sine.first < drive_frequency_)
            drive_frequency_ = each.sine.first;
    }
    for (const Found& each : found) {
        const double ratio = each.sine.first / drive_frequency_, whole = std::round(ratio);
        if (std::fabs(ratio - whole) > 1e-9 * ratio) {
            throw InputError(
                fmt::format("{}: its frequency of {:g} Hz is {:g} times that of another drive, "
                            "{:g} Hz; expected "
                            "whole multiples of the lowest",
                            each.what, each.sine.first, ratio, drive_frequency_));
        }
        const Sine sine{whole, each.sine.second};
        if (each.to != nullptr) each.to->push_back(sine);
        if (each.on != nullptr) each.on->push_back({each.body, sine});
    }
    frequency_ = drive_frequency_;
    u_.resize(links_.bodies());
    predicted_.resize(links_.bodies());
    force_.resize(links_.bodies());
}

double PeriodMap::largest_drive() const {
    double most = 0.0;
    for (const std::vector<Sine>* side : {&left_, &right_})
        for (const Sine& sine : *side)
            most = std::max(most, std::fabs(sine.amplitude));
    for (const OnBody& each : driven_)
        most = std::max(most, std::fabs(each.sine.amplitude));
    return most;
}

void PeriodMap::set_drive(double frequency, double scale) {
    frequency_ = frequency;
    scale_ = scale;
}

Walls PeriodMap::walls(double time) const {
    Walls walls;
    for (const Sine& sine : left_) {
        walls.left = scale_ * sine.value(frequency_, time);
        walls.left_speed = scale_ * sine.rate(frequency_, time);
    }
    for (const Sine& sine : right_) {
        walls.right = scale_ * sine.value(frequency_, time);
        walls.right_speed = scale_ * sine.rate(frequency_, time);
    }
    return walls;
}

void PeriodMap::place_driven(double time) {
    for (const OnBody& each : driven_) {
        u_[each.body] = scale_ * each.sine.value(frequency_, time);
        predicted_[each.body] = scale_ * each.sine.rate(frequency_, time);
    }
}

void PeriodMap::forces(double time, bool slopes) {
    links_.evaluate(u_.data(), predicted_.data(), walls(time), slopes);
    least_overlap_ = std::min(least_overlap_, links_.least_overlap());
    force_ = constant_force_;
    for (const OnBody& each : loads_)
        force_[each.body] += scale_ * each.sine.value(frequency_, time);
    for (const Link& link : links_.all()) {
        if (link.first != none) force_[link.first] -= link.force;
        if (link.second != none) force_[link.second] += link.force;
    }
}

void PeriodMap::run(State& state, double time_step, std::int64_t steps, Tangent* tangent,
                    const Observer& observer, double start) {
    const std::size_t n = freedoms();
    std::vector<double>&u = state.displacement, &v = state.velocity;
    std::vector<double> kick(n), change(n);
    std::ranges::fill(u_, 0.0);
    std::ranges::fill(predicted_, 0.0);
    least_overlap_ = INFINITY;
    links_.forget_crossings();
    for (std::size_t i = 0; i < n; ++i) {
        kick[i] = 0.5 * time_step / mass(i);
        u_[body_[i]] = u[i];
        predicted_[body_[i]] = v[i];
    }
    place_driven(start);
    forces(start, tangent != nullptr);
    for (std::size_t i = 0; i < n; ++i)
        change[i] = force_[body_[i]] * kick[i];
    std::optional<TangentRows> rows;
    if (tangent != nullptr) {
        rows.emplace(links_.all(), freedom_, kick, damped(), *tangent);
        rows->init(links_.all());
    }
    for (std::int64_t step = 1; step <= steps; ++step) {
        const double time = start + static_cast<double>(step) * time_step;
        for (std::size_t i = 0; i < n; ++i) {
            v[i] += change[i];
            u[i] += time_step * v[i];
            u_[body_[i]] = u[i];
            predicted_[body_[i]] = v[i] + change[i];
        }
        place_driven(time);
        forces(time, tangent != nullptr);
        for (std::size_t i = 0; i < n; ++i) {
            change[i] = force_[body_[i]] * kick[i];
            v[i] += change[i];
        }
        if (rows) {
            rows->drift(time_step);
            rows->kick(links_.all());
        }
        if (observer) observer(state);
    }
}

Bodies PeriodMap::bodies(const State& state, double time) const {
    Bodies all{.displacement = std::vector<double>(links_.bodies()),
               .velocity = std::vector<double>(links_.bodies()),
               .walls = walls(time)};
    for (std::size_t i = 0; i < freedoms(); ++i) {
        all.displacement[body_[i]] = state.displacement[i];
        all.velocity[body_[i]] = state.velocity[i];
    }
    for (const OnBody& each : driven_) {
        all.displacement[each.body] = scale_ * each.sine.value(frequency_, time);
        all.velocity[each.body] = scale_ * each.sine.rate(frequency_, time);
    }
    return all;
}

double PeriodMap::energy(const State& state) const {
    std::vector<double> u(links_.bodies());
    double sum = 0.0;
    for (std::size_t i = 0; i < freedoms(); ++i) {
        u[body_[i]] = state.displacement[i];
        sum += 0.5 * mass(i) * state.velocity[i] * state.velocity[i] -
               constant_force_[body_[i]] * state.displacement[i];
    }
    return sum + links_.stored(u.data(), walls(0.0));
}

State PeriodMap::rest() const {
    return {std::vector<double>(freedoms()), std::vector<double>(freedoms())};
}

double PeriodMap::unbalanced_force() {
    std::ranges::fill(u_, 0.0);
    std::ranges::fill(predicted_, 0.0);
    const double scale = std::exchange(scale_, 0.0);
    forces(0.0, false);
    scale_ = scale;
    double most = 0.0;
    for (const std::size_t body : body_)
        most = std::max(most, std::fabs(force_[body]));
    return most;
}

}  // namespace beadwave::orbits
