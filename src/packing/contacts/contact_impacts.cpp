#include "packing/contacts/contact_impacts.hpp"

#include "laws/wear.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace beadwave::packing {
namespace {

/// Calls visit(number) for each number of an impact that has ended.
template <class Self, class Visit>
void each_number_of_impact(Self& self, Visit visit) {
    visit(self.first), visit(self.second);
    for (const auto member : Impact::times_and_speeds)
        visit(self.*member);
    for (const auto part : DissipationParts::all)
        visit(self.dissipated.*part);
}
constexpr std::size_t numbers_of_impact =
    2 + std::size(Impact::times_and_speeds) + DissipationParts::count;

std::invalid_argument no_impacts() {
    return std::invalid_argument("contact_impacts: these are no impacts of contacts");
}

/// Reads one number after another.
struct ReadImpactNumber {
    std::span<const double> from;
    std::size_t at = 0;
    double most = 1.0;  ///< of whole numbers

    template <class Number>
    void operator()(Number& number) {
        const double value = from[at++];
        if constexpr (!std::is_floating_point_v<Number>)
            if (!(value >= 0.0 && value <= most)) throw no_impacts();
        number = static_cast<Number>(value);
    }
};

}  // namespace

void ContactImpacts::begin_step(std::size_t accounts, bool moves) {
    bodies_.resize(accounts);
    for (TouchingBodies& each : bodies_) {
        if (moves) {
            each.before_that = each.before;
            each.before = each.force;
        }
        each.force = 0.0;
        each.touches = each.pushes = each.fresh = each.opened = false;
    }
}

void TouchingBodies::include(double overlap, double normal_force, double time) {
    force = std::max(force, std::abs(normal_force));
    now.largest_overlap = std::max(now.largest_overlap, overlap);
    if (normal_force > now.peak_force) {
        now.peak_force = normal_force;
        now.peak_time = time;
    }
}

double Approach::since_closing(double dt) const {
    double back = mean > 0.0 ? std::clamp(overlap / mean, 0.0, dt) : 0.0;
    const double speed = now + 0.5 * slowing * back;
    if (speed > 0.0) back = std::clamp(overlap / speed, 0.0, dt);
    return back;
}

double TouchingBodies::since_opening(double overlap, double force_before, double parting,
                                     double dt) const {
    if (overlap > 0.0 && force_before != 0.0) {
        const double falling = before_that - std::abs(force_before);
        return falling > 0.0 ? dt - std::min(dt, dt * std::abs(force_before) / falling) : 0.5 * dt;
    }
    return parting > 0.0 ? std::clamp(-overlap / parting, 0.0, dt) : 0.0;
}

void ContactImpacts::cut_walls(const std::vector<PlainAccount>& accounts,
                               const ParticleColumn<double>& mass, WallWork& work) const {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const TouchingBodies& bodies = bodies_[k];
        const PlainAccount& of = accounts[k];
        // NaN: was closed at the start, or nothing brought the bodies together.
        if (!bodies.fresh || of.second < mass.size() || !(bodies.now.impact_speed > 0.0)) continue;
        work.cut(of.second - mass.size(), bodies.triangle,
                 laws::finnie_cutting(mass[of.first], bodies.now.impact_speed,
                                      bodies.now.impact_slip_speed));
    }
}

void ContactImpacts::end(TouchingBodies& bodies, const PlainAccount& account, double before,
                         const DissipationParts& lost) {
    Impact impact = bodies.now;
    if (!bodies.ended) {  // a particle left
        impact.end = before;
        impact.separation_speed = impact.separation_slip_speed = Impact::unknown;
    }
    impact.first = account.first;
    impact.second = account.second;
    impact.dissipated = lost;
    impact.dissipated.add(bodies.lost, -1.0);
    bodies.lost = lost;
    bodies.closed = bodies.ended = false;
    ended_.push_back(impact);
}

std::vector<Impact> ContactImpacts::take() {
    return std::exchange(ended_, {});
}

std::vector<double> ContactImpacts::numbers() const {
    std::vector<double> all;
    for (const TouchingBodies& each : bodies_)
        TouchingBodies::each_number(
            each, [&](auto number) { all.push_back(static_cast<double>(number)); });
    return all;
}

std::vector<double> ContactImpacts::ended_numbers() const {
    std::vector<double> all;
    for (const Impact& each : ended_)
        each_number_of_impact(each,
                              [&](auto number) { all.push_back(static_cast<double>(number)); });
    return all;
}

void ContactImpacts::restore(std::span<const double> numbers, std::span<const double> ended,
                             std::size_t accounts, std::size_t bodies) {
    if (numbers.size() != accounts * TouchingBodies::numbers ||
        ended.size() % numbers_of_impact != 0)
        throw no_impacts();
    bodies_.assign(accounts, {});
    ReadImpactNumber next{numbers};
    for (TouchingBodies& each : bodies_)
        TouchingBodies::each_number(each, [&](auto& number) { next(number); });
    ended_.assign(ended.size() / numbers_of_impact, {});
    ReadImpactNumber next_ended{ended, 0, static_cast<double>(bodies) - 1.0};
    for (Impact& each : ended_)
        each_number_of_impact(each, [&](auto& number) { next_ended(number); });
}

}  // namespace beadwave::packing
