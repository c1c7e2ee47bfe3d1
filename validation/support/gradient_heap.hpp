// A heap whose run is differentiated, and what is read of it.
#pragma once

#include "gradients/objective.hpp"
#include "packings.hpp"
#include "scenarios.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace beadwave::validation::gradient_heap {

using gradients::Channel;
using gradients::Readings;
using packing::Vec3;

inline constexpr double time_step = 2e-5;  // [s]
inline constexpr std::int64_t steps = 400;

/// Seven soft spheres between a floor and a tilted wall, in a box that is periodic along x; they
/// fall, collide, slide, stick, roll and cross the edge of the box. One is held.
inline packing::Packing heap(const std::string& law,
                             const std::map<std::string, laws::Value>& given) {
    packing::Packing p = steel_packing();
    p.law = law_settings(law);
    for (const auto& [name, value] : given)
        p.law.values.insert_or_assign(name, value);
    p.species_list[0].elasticity.youngs_modulus = 2e6;
    p.species_list.push_back(p.species_list[0]);
    p.species_list[1].name = "rubber";
    p.species_list[1].elasticity.youngs_modulus = 1.3e6;
    p.gravity = {0.3, -0.2, -9.81};
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.25};
    p.box = {
        .lower = {0.0, -1.0, -1.0}, .upper = {0.0221, 1.0, 1.0}, .periodic = {true, false, false}};
    const double s = std::sqrt(0.5);
    p.walls = {
        {.shape = packing::Plane{.point = {0.0, 0.0, 0.0}, .normal = {0, 0, 1}}},
        {.shape = packing::Plane{.point = {0.0, -0.0031, 0.0}, .normal = {0, s, s}}, .species = 1}};
    const std::array<Vec3, 7> place{{{0.0021, 0.0013, 0.00271},
                                     {0.00774, 0.0011, 0.00283},
                                     {0.0131, 0.0009, 0.00275},
                                     {0.0189, 0.0017, 0.00265},
                                     {0.0051, 0.0012, 0.00733},
                                     {0.0108, 0.0018, 0.0071},
                                     {0.0171, 0.0061, 0.00262}}};
    for (std::size_t i = 0; i < place.size(); ++i) {
        const double radius = 2.6e-3 * (1.0 + 0.013 * static_cast<double>(i));
        p.add(radius, 1.1e-4 * (1.0 + 0.07 * static_cast<double>(i % 3)), place[i], i % 2);
        const auto x = static_cast<double>(i);
        p.velocity[i] = {0.31 * std::cos(2.0 * x), 0.17 * std::sin(3.0 * x), -0.4 - 0.05 * x};
        p.angular_velocity[i] = {21.0 * std::sin(x), 60.0 - 17.0 * x, 11.0 * std::cos(x)};
    }
    p.fixed.assign(place.size(), 0);
    p.fixed[6] = 1;
    p.velocity[6] = p.angular_velocity[6] = {};
    p.skin = 2.5e-4;
    return p;
}

inline packing::Packing heap() {
    return heap("tsuji", {{"restitution", 0.6}});
}

/// Springs to the ground, a force over time, and the held particle driven.
inline void add_elements(packing::Packing& p) {
    p.elements.foundations = {{.particle = 5,
                               .spring = {.stiffness = 60.0, .cubic = 2e7, .damping = 0.02},
                               .rotational_damping = 2e-8},
                              {.particle = 1, .spring = {.damping = 0.03}}};
    p.elements.forces.push_back({stepping::ForceSignal::sine(150.0, 2e-3), {}, {}});
    p.elements.loads = {{.particle = 4, .force = 0}};
    p.fixed.clear();
    p.elements.motions.push_back(
        {.along = {stepping::Drive::sine(90.0, 4e-4), stepping::Drive::sine(130.0, -3e-4),
                   stepping::Drive::steady(0.0)}});
    p.drive(6, 0);
}

/// All kinds of readings and an energy, with seeds without any symmetry.
struct Case {
    std::vector<Channel> channels;
    std::vector<gradients::EnergyWindow> energies;
    Readings seeds;

    Case() {
        for (const auto& [kind, index, axis] :
             std::initializer_list<Channel>{{Channel::Kind::position, 4, 2},
                                            {Channel::Kind::position, 2, 0},
                                            {Channel::Kind::velocity, 1, 1},
                                            {Channel::Kind::velocity, 5, 0},
                                            {Channel::Kind::sensor_force, 3, 2},
                                            {Channel::Kind::wall_force, 0, 0},
                                            {Channel::Kind::wall_force, 1, 0}})
            channels.push_back({kind, index, axis});
        energies = {{.first_bead = 0,
                     .last_bead = 5,
                     .window = {.first = 100, .last = steps},
                     .weight = 3e4}};
        const std::array<double, 7> size{3e2, 2e2, 1.0, 2.0, 3.0, 2.0, 4.0};
        for (std::size_t k = 0; k < channels.size(); ++k) {
            std::vector<double>& column = seeds.emplace_back();
            for (std::int64_t s = 0; s <= steps; ++s)
                column.push_back(size[k] / steps *
                                 std::cos(0.013 * static_cast<double>(s) + static_cast<double>(k)));
        }
    }

    double value_of(const Readings& readings, double energy) const {
        double value = energies[0].weight * energy;
        for (std::size_t k = 0; k < channels.size(); ++k) {
            for (std::size_t s = 0; s < readings[k].size(); ++s)
                value += seeds[k][s] * readings[k][s];
        }
        return value;
    }
};

}  // namespace beadwave::validation::gradient_heap
