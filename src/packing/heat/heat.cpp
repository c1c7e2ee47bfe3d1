#include "packing/heat/heat.hpp"

#include "packing/engine_state.hpp"
#include "packing/flow/population.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::packing {

Heat::Heat(const Packing& packing)
    : packing_(packing),
      gained_(packing.particles()),
      received_(packing.particles()),
      into_walls_(packing.walls.size()) {
    for (std::size_t i = 0; i < packing.particles(); ++i)
        capacity_.push_back(packing.mass[i] * bodies().specific_heat[i]);
    conducts_ = std::ranges::any_of(bodies().conductivity, [](double k) { return k > 0.0; });
}

void Heat::receive(std::span<const DissipationChange> changes) {
    const std::size_t n = capacity_.size();
    const auto warm = [&](std::size_t particle, double energy) {
        gained_[particle] += energy;
        received_[particle] += energy;
    };
    for (const DissipationChange& each : changes) {
        const double half = 0.5 * each.energy;
        if (each.second < n) {
            warm(each.first, half);
            warm(each.second, half);
        } else if (bodies().walls[each.second - n].temperature) {
            warm(each.first, half);
            into_walls_[each.second - n] += half;
        } else {
            warm(each.first, each.energy);
        }
    }
}

void Heat::add_link(const ContactState& contact) {
    const std::size_t n = capacity_.size();
    const bool wall = contact.second >= n;
    if (!(contact.overlap > 0.0)) return;  // a neck is too narrow to count
    if (wall && !bodies().walls[contact.second - n].temperature) return;
    const double k1 = bodies().conductivity[contact.first];
    const double k2 = wall ? bodies().walls[contact.second - n].conductivity
                           : bodies().conductivity[contact.second];
    if (!(k1 > 0.0 && k2 > 0.0)) return;
    const double r1 = packing_.radius[contact.first];
    const double of_spheres =
        wall ? r1 : r1 / (r1 + packing_.radius[contact.second]) * packing_.radius[contact.second];
    const double r = contact.spot > 0.0 ? contact.spot : of_spheres;
    const double conductance = 4.0 * k1 / (k1 + k2) * k2 * std::sqrt(r * contact.overlap);
    link_.push_back({contact.first, contact.second, conductance});
    rate_[contact.first] += conductance;
    if (!wall) rate_[contact.second] += conductance;
}

double Heat::difference(const Link& link, std::span<const double> temperature) const {
    const std::size_t n = capacity_.size();
    const double second =
        link.second < n ? temperature[link.second] : *bodies().walls[link.second - n].temperature;
    return second - temperature[link.first];
}

void Heat::conduct(std::span<const ContactState> contacts, double dt) {
    const std::size_t n = capacity_.size();
    link_.clear();
    rate_.assign(n, 0.0);
    for (const ContactState& contact : contacts)
        add_link(contact);
    if (link_.empty()) return;
    for (std::size_t i = 0; i < n; ++i)
        fastest_ = std::max(fastest_, rate_[i] / capacity_[i]);
    now_ = then_ = temperatures();
    for (const Link& link : link_) {
        const double heat = dt * link.conductance * difference(link, now_);
        then_[link.first] += heat / capacity_[link.first];
        if (link.second < n) then_[link.second] -= heat / capacity_[link.second];
    }
    for (const Link& link : link_) {
        const double heat =
            0.5 * dt * link.conductance * (difference(link, now_) + difference(link, then_));
        gained_[link.first] += heat;
        (link.second < n ? gained_[link.second] : into_walls_[link.second - n]) -= heat;
    }
}

std::vector<double> Heat::temperatures() const {
    std::vector<double> all(capacity_.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = temperature(i);
    return all;
}

HeatTotals Heat::totals(const Population& population, double dissipated) const {
    HeatTotals totals{.dissipated = dissipated};
    for (std::size_t i = 0; i < gained_.size(); ++i)
        (population.presence(i) == Presence::left ? totals.taken : totals.particles) += gained_[i];
    for (const double heat : into_walls_)
        totals.walls += heat;
    return totals;
}

std::vector<double> Heat::numbers() const {
    std::vector<double> all = gained_;
    all.insert(all.end(), received_.begin(), received_.end());
    all.insert(all.end(), into_walls_.begin(), into_walls_.end());
    all.push_back(fastest_);
    return all;
}

void Heat::restore(std::span<const double> numbers) {
    if (numbers.size() != 2 * gained_.size() + into_walls_.size() + 1)
        throw std::invalid_argument("heat: these are not the heats of this packing");
    for (std::vector<double>* part : {&gained_, &received_, &into_walls_}) {
        std::ranges::copy(numbers.first(part->size()), part->begin());
        numbers = numbers.subspan(part->size());
    }
    fastest_ = numbers.front();
}

}  // namespace beadwave::packing
