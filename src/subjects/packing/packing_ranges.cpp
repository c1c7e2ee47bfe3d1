// The usual ranges of a packing's numbers.

#include "subjects/packing/packing_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::io {
namespace {

constexpr double silent = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double PackingUnits::size(Values v) const {
    double largest = 0.0, second = 0.0;
    const auto add = [&](double length) {
        second = std::max(second, std::min(largest, length));
        largest = std::max(largest, length);
    };
    for (const GroupNumbers& group : groups_)
        add(v[group.radius]);
    for (const std::size_t place : places_)
        add(v[place]);
    return second;
}

bool PackingUnits::is_crystal() const {
    return std::ranges::any_of(scenario_.groups, [](const packing::Group& group) {
        return std::holds_alternative<packing::CrystalPlaces>(group.places);
    });
}

void PackingUnits::add_ranges(const GroupNumbers& group) {
    scenario::add_body_ranges(plausible_, "particle", group.radius, groups_.front().radius,
                              group.mass.has_value(),
                              [group](Values v) { return group.density(v); });
    if (!stiff_) return;
    const auto sound = [group](Values v) {
        return std::sqrt(v[group.material.modulus] / group.density(v));
    };
    // Softened materials are usual, but not in crystals that carry waves.
    const bool waves = !gravity_ && is_crystal();
    plausible_.measure("sound in the particles, sqrt(E/density)", " m/s", 1.0,
                       scenario::fastest_sound, sound);
    plausible_.measure("sound in particles this heavy, sqrt(E/density)", " m/s",
                       waves ? 200.0 : 1.0, scenario::fastest_sound, [group, sound](Values v) {
                           return group.density(v) > 2000.0 ? sound(v) : silent;
                       });
    for (const std::size_t speed : speeds_) {
        plausible_.measure("the speed over that of sound in the particles", "", 0.0, 1.0,
                           [speed, sound](Values v) { return v[speed] / sound(v); });
    }
    if (pressure_ > 0.0) {
        plausible_.measure("the pressure over Young's modulus", "", 0.0, 0.04,
                           [group, pressure = pressure_](Values v) {
                               return pressure / v[group.material.modulus];
                           });
    }
    if (gravity_) {
        plausible_.measure("the overlap of an impact after a fall over the radius", "", 0.0, 0.5,
                           [this, group, gravity = *gravity_](Values v) {
                               const double speed = std::sqrt(2.0 * v[gravity] * size(v));
                               return scenario::collision_overlap(group.density(v),
                                                                  v[group.material.modulus], speed);
                           });
    }
}

void PackingUnits::add_loads() {
    if (groups_.empty()) return;
    const double count = scenario_.particle_count();
    for (const std::size_t load : loads_) {
        plausible_.measure("the mass of the wall over that of all particles", "", 0.0, 100.0,
                           [load, count, group = groups_.front()](Values v) {
                               const double r = v[group.radius];
                               return v[load] / (count * group.density(v) * group.filled * 4.0 /
                                                 3.0 * std::numbers::pi * r * r * r);
                           });
    }
}

void PackingUnits::add_places() {
    few_ = scenario_.groups.size() < 50 &&
           std::ranges::all_of(scenario_.groups, [](const packing::Group& group) {
               return std::holds_alternative<packing::OnePlace>(group.places);
           });
    for (const std::size_t place : places_) {
        plausible_.measure("the distance over the size of the rest", "", 0.0, 50.0,
                           [this, place](Values v) {
                               double rest = lattice_size(v);
                               for (const GroupNumbers& group : groups_)
                                   rest = std::max(rest, 2.0 * v[group.radius]);
                               for (const std::size_t other : places_)
                                   if (other != place) rest = std::max(rest, v[other]);
                               return v[place] / (rest + reach(v));
                           });
    }
    for (const GroupNumbers& group : groups_) {
        if (places_.empty()) return;
        plausible_.measure("the radius over the distances", "", 0.0, 10.0, [this, group](Values v) {
            double rest = reach(v);
            for (const std::size_t place : places_)
                rest = std::max(rest, v[place]);
            return v[group.radius] / rest;
        });
    }
}

double PackingUnits::reach(Values v) const {
    if (!few_) return 0.0;
    double fastest = 0.0;
    for (const std::size_t speed : speeds_)
        fastest = std::max(fastest, v[speed]);
    const double fall = gravity_ ? 0.5 * v[*gravity_] * v[end_] * v[end_] : 0.0;
    return fastest * v[end_] + fall;
}

void PackingUnits::add_duration() {
    if (groups_.empty()) return;
    if (stiff_) {
        plausible_.measure(
            "the end over the duration of an impact", "", 0.2, 1e12, [this](Values v) {
                const GroupNumbers& group = groups_.front();
                if (!scenario::may_be_slow(v[group.radius], v[group.material.modulus]))
                    return silent;
                double fastest = 1e-3;
                for (const std::size_t speed : speeds_)
                    fastest = std::max(fastest, v[speed]);
                if (gravity_) fastest = std::max(fastest, std::sqrt(v[*gravity_] * size(v)));
                return v[end_] / (v[group.radius] *
                                  scenario::collision_time(group.density(v),
                                                           v[group.material.modulus], fastest));
            });
    }
    for (const packing::Group& group : scenario_.groups) {
        const auto* random = std::get_if<packing::RandomPlaces>(&group.places);
        if (random == nullptr || !random->pour) continue;
        if (random->pour->rate > 0.0)
            add_period(static_cast<double>(random->particles) / random->pour->rate);
        add_period(random->pour->start);
    }
    for (const packing::DrivePlan& drive : scenario_.elements.drives) {
        for (const stepping::Drive& along : drive.along) {
            add_period(along.period());
            if (along.largest_speed() > 0.0) slow_ = true;
        }
        if (drive.rotation) slow_ = true;
    }
    if (!scenario_.elements.bonds.empty() || !scenario_.elements.foundations.empty() ||
        !scenario_.elements.loads.empty())
        slow_ = true;
    const bool waves = !gravity_ && is_crystal() && stiff_;
    if (slow_ && slowest_ == 0.0 && !gravity_) return;
    plausible_.measure(
        "the end over the time of the slowest motion", "", 0.0, 300.0, [this, waves](Values v) {
            double time = slowest_;
            if (gravity_) time = std::max(time, std::sqrt(size(v) / v[*gravity_]));
            double fastest = 0.0;
            for (const std::size_t speed : speeds_)
                fastest = std::max(fastest, v[speed]);
            const GroupNumbers& group = groups_.front();
            if (waves) {
                const double sound = std::sqrt(v[group.material.modulus] / group.density(v));
                time = std::max(time, 10.0 * lattice_size(v) / sound);
            } else if (fastest > 0.0) {
                time = std::max(time, size(v) / fastest);
            }
            return time > 0.0 ? v[end_] / time : silent;
        });
}

double PackingUnits::lattice_size(Values v) const {
    double size = 0.0;
    if (groups_.empty()) return size;
    for (const packing::Group& group : scenario_.groups) {
        const auto* crystal = std::get_if<packing::CrystalPlaces>(&group.places);
        if (crystal == nullptr) continue;
        const auto cells = std::ranges::max(crystal->cells);
        size = std::max(size, 2.0 * static_cast<double>(cells) * v[groups_.front().radius]);
    }
    return size;
}

}  // namespace beadwave::io
