#include "packing/flow/population.hpp"

#include "packing/build/region.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing/flow/free_places.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace beadwave::packing {
namespace {

/// From the steps at which a particle came and left; below 0: it has not.
template <class Step>
Presence presence_of(Step entry, Step leave) {
    if (leave >= 0) return Presence::left;
    return entry >= 0 ? Presence::inside : Presence::waiting;
}

bool is_set(const std::vector<char>& flags, std::size_t particle) {
    return !flags.empty() && flags[particle] != 0;
}

bool takes(const Exit& exit, const Packing& packing, const Edges& box, const Vec3& position) {
    if (const auto* plane = std::get_if<Plane>(&exit.place))
        return dot(plane->normal, position - plane->point) < 0.0;
    const auto& region = std::get<Region>(exit.place);
    return is_in(region.lower, region.upper, packing, box, position);
}

}  // namespace

std::size_t Pour::due(double time) const {
    if (!(time >= start && time <= end)) return 0;
    if (rate == 0.0) return count;
    constexpr double rounding = 1e-12;  // of the last one, which may be due at the end itself
    const double passed = std::floor((time - start) * rate * (1.0 + rounding));
    return passed + 1.0 < static_cast<double>(count) ? static_cast<std::size_t>(passed) + 1 : count;
}

Population::Population(const Packing& packing, double time_step)
    : packing_(packing), time_step_(time_step) {
    if (packing.pours.empty() && packing.exits.empty()) return;
    const std::size_t n = packing.particles();
    fixed_ = stays_ = packing.fixed;
    if (!packing.elements.driven.empty()) stays_.resize(n);
    for (const DrivenParticle& each : packing.elements.driven)
        stays_[each.particle] = 1;
    leave_step_.append_alike(n, -1);
    exit_.append_alike(n, 0);
    came_.assign(packing.pours.size(), 0);
    next_attempt_.assign(packing.pours.size(), 0);
    if (!packing.pours.empty()) {
        velocity_ = packing.velocity;
        angular_velocity_ = packing.angular_velocity;
    }
    for (std::size_t i = 0; i < n; ++i)
        entry_step_.push_back(packing.waits(i) ? -1 : 0);
}

Presence Population::presence(std::size_t particle) const {
    return changes() ? presence_of(entry_step_[particle], leave_step_[particle]) : Presence::inside;
}

std::size_t Population::count(Presence presence) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < entry_step_.size(); ++i)
        count += this->presence(i) == presence ? 1 : 0;
    return count;
}

std::size_t Population::left_through(std::size_t exit) const {
    std::size_t left = 0;
    for (std::size_t i = 0; i < exit_.size(); ++i)
        left += presence(i) == Presence::left && exit_[i] == exit ? 1 : 0;
    return left;
}

std::vector<char> Population::held() const {
    std::vector<char> all = absent();
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = all[i] != 0 || is_set(fixed_, i) ? 1 : 0;
    return all;
}

std::vector<char> Population::absent() const {
    std::vector<char> all(entry_step_.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = is_absent(i) ? 1 : 0;
    return all;
}

Exchange Population::exchange_at(std::int64_t step, const OwnParticles& own,
                                 std::span<const Vec3> moved, const Edges& box) {
    Exchange exchange;
    find_leaving(own, box, exchange);
    find_entering(step, own, moved, box, exchange);
    return exchange;
}

void Population::find_leaving(const OwnParticles& own, const Edges& box, Exchange& exchange) const {
    if (packing_.exits.empty()) return;
    std::vector<Leaving>& leaving = exchange.leaving;
    for (std::size_t k = 0; k < own.particles.size(); ++k) {
        const std::size_t i = own.particles[k];
        for (std::size_t e = 0; e < packing_.exits.size(); ++e) {
            if (!takes(packing_.exits[e], packing_, box, own.position[k])) continue;
            if (!is_absent(i) && !is_set(stays_, i)) leaving.push_back({i, e});
            break;
        }
    }
    if (own.ranks != nullptr) {
        std::vector<Leaving> all;
        for (const auto& theirs : own.ranks->gather_numbers_to_all<Leaving>(leaving))
            all.insert(all.end(), theirs.begin(), theirs.end());
        leaving = std::move(all);
    }
    std::ranges::sort(leaving, {}, &Leaving::particle);
}

void Population::occupy(FreePlaces& places, const OwnParticles& own) const {
    struct Sphere {
        Vec3 centre;
        double radius;
    };
    std::vector<Sphere> near;
    for (std::size_t k = 0; k < own.particles.size(); ++k) {
        const std::size_t i = own.particles[k];
        if (is_absent(i)) continue;
        if (places.occupy(own.position[k], packing_.radius[i]))
            near.push_back({own.position[k], packing_.radius[i]});
    }
    if (own.ranks == nullptr) return;
    const auto all = own.ranks->gather_numbers_to_all<Sphere>(near);
    for (std::size_t r = 0; r < all.size(); ++r) {
        if (static_cast<int>(r) == own.ranks->rank()) continue;
        for (const Sphere& other : all[r])
            places.occupy(other.centre, other.radius);
    }
}

void Population::find_entering(std::int64_t step, const OwnParticles& own,
                               std::span<const Vec3> moved, const Edges& box, Exchange& exchange) {
    const double time = static_cast<double>(step) * time_step_;
    for (std::size_t p = 0; p < packing_.pours.size(); ++p) {
        const Pour& pour = packing_.pours[p];
        // Particles that became due after the last look come at the first one after the end.
        const bool last_look = time - static_cast<double>(check_steps) * time_step_ < pour.end;
        const std::size_t due = last_look ? pour.due(std::min(time, pour.end)) : 0;
        auto come = static_cast<std::size_t>(came_[p]);
        if (due <= come || step < next_attempt_[p]) continue;
        FreePlaces places(packing_, pour, moved, box, time);
        // One that leaves now still counts: it has the same place in both engines until it is gone.
        occupy(places, own);
        for (const Entering& other : exchange.entering)
            places.occupy(other.position, packing_.radius[other.particle]);
        for (; come < due; ++come) {
            const std::size_t particle = pour.first + come;
            const auto place = places.find(packing_.radius[particle], come, step, attempts);
            if (!place) {
                next_attempt_[p] = step + retry_steps;
                break;
            }
            exchange.entering.push_back({particle, *place});
            places.occupy(*place, packing_.radius[particle]);
        }
        came_[p] = static_cast<std::int64_t>(come);
    }
}

void Population::enter(std::int64_t step, const Entering& entering) {
    const std::size_t i = entering.particle;
    const double mass = packing_.mass[i], inertia = counted_inertia(i);
    const Vec3 v = velocity(i), w = angular_velocity(i);
    entry_step_[i] = step;
    inflow_.energy += 0.5 * mass * dot(v, v) + 0.5 * inertia * dot(w, w);
    inflow_.momentum += mass * v;
    inflow_.angular_momentum += cross(entering.position, mass * v) + inertia * w;
    inflow_.placement_work +=
        mass * dot(packing_.gravity, entering.position - packing_.position[i]);
}

void Population::leave(std::int64_t step, const Leaving& leaving, const Vec3& position,
                       const Vec3& v, const Vec3& w) {
    const std::size_t i = leaving.particle;
    const double mass = packing_.mass[i], inertia = counted_inertia(i);
    leave_step_[i] = step;
    exit_[i] = static_cast<std::uint32_t>(leaving.exit);
    inflow_.energy -= 0.5 * mass * dot(v, v) + 0.5 * inertia * dot(w, w);
    inflow_.momentum -= mass * v;
    inflow_.angular_momentum -= cross(position, mass * v) + inertia * w;
}

void Population::bring(const ElementTotals& carried) {
    inflow_.energy += carried.kinetic;
    inflow_.momentum += carried.momentum;
    inflow_.angular_momentum += carried.angular_momentum;
    inflow_.placement_work += carried.external_work;
}

void Population::take(const ElementTotals& carried) {
    inflow_.energy -= carried.kinetic + carried.stored;
    inflow_.momentum -= carried.momentum;
    inflow_.angular_momentum -= carried.angular_momentum;
}

std::vector<double> Population::numbers() const {
    std::vector<double> all;
    if (!changes()) return all;
    for (std::size_t i = 0; i < entry_step_.size(); ++i) {
        all.insert(all.end(),
                   {static_cast<double>(presence(i)), static_cast<double>(entry_step_[i]),
                    static_cast<double>(leave_step_[i]), static_cast<double>(exit_[i])});
    }
    for (std::size_t p = 0; p < came_.size(); ++p)
        all.insert(all.end(),
                   {static_cast<double>(came_[p]), static_cast<double>(next_attempt_[p])});
    const Vec3 &m = inflow_.momentum, &a = inflow_.angular_momentum;
    all.insert(all.end(), {inflow_.energy, m.x, m.y, m.z, a.x, a.y, a.z, inflow_.placement_work});
    return all;
}

void Population::restore(std::span<const double> numbers) {
    const auto damaged = [] { throw std::invalid_argument("population: contains no such state"); };
    constexpr std::size_t per_particle = 4, per_pour = 2, of_inflow = 8;
    const std::size_t n = entry_step_.size();
    if (numbers.size() != per_particle * n + per_pour * came_.size() + of_inflow) damaged();
    constexpr double most = 0x1p53;
    const auto whole = [&](double number, double least, double below) {
        if (!(number >= least && number < below) || number != std::floor(number)) damaged();
        return static_cast<std::int64_t>(number);
    };
    const auto exits = static_cast<double>(std::max<std::size_t>(packing_.exits.size(), 1));
    ParticleColumn<std::int64_t> entry_step, leave_step;
    ParticleColumn<std::uint32_t> exit;
    for (std::size_t i = 0; i < n; ++i) {
        const auto of = numbers.subspan(per_particle * i, per_particle);
        entry_step.push_back(whole(of[1], -1.0, most));
        leave_step.push_back(whole(of[2], -1.0, most));
        exit.push_back(static_cast<std::uint32_t>(whole(of[3], 0.0, exits)));
        const Presence presence = presence_of(of[1], of[2]);
        if (whole(of[0], 0.0, 3.0) != static_cast<std::int64_t>(presence)) damaged();
    }
    for (std::size_t p = 0; p < came_.size(); ++p) {
        const auto of = numbers.subspan(per_particle * n + per_pour * p, per_pour);
        came_[p] = whole(of[0], 0.0, static_cast<double>(packing_.pours[p].count) + 1.0);
        next_attempt_[p] = whole(of[1], 0.0, most);
    }
    entry_step_ = std::move(entry_step);
    leave_step_ = std::move(leave_step);
    exit_ = std::move(exit);
    const auto in = numbers.last(of_inflow);
    inflow_ = {.energy = in[0],
               .momentum = {in[1], in[2], in[3]},
               .angular_momentum = {in[4], in[5], in[6]},
               .placement_work = in[7]};
}

}  // namespace beadwave::packing
