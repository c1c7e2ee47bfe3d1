// Packings that several tests run, built in code.
#pragma once

#include "largest.hpp"
#include "packing/build/lattices.hpp"
#include "packing/packing_engine.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation {

inline constexpr double steel_modulus = 193e9, steel_ratio = 0.3, steel_density = 7970.0;
inline constexpr double steel_radius = 2.38e-3;

/// One material, no particles yet.
inline packing::Packing steel_packing(const std::string& law = "hertz") {
    packing::Packing p;
    p.species_list = {{.name = "steel",
                       .elasticity = {.youngs_modulus = steel_modulus,
                                      .poisson_ratio = steel_ratio,
                                      .yield_stress = 900e6}}};
    p.law = law_settings(law);
    return p;
}

inline double steel_mass(double radius) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * steel_density;
}

inline void add_crystal(packing::Packing& p, const packing::Crystal& crystal) {
    for (const packing::Vec3& centre : packing::centres(crystal))
        p.add(crystal.radius, steel_mass(crystal.radius), centre);
}

/// A crystal of soft spheres with friction, 4 x 3 x 3, under its weight.
inline packing::Packing soft_rough_crystal(const std::string& law) {
    packing::Packing p = steel_packing(law);
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.gravity = {0.0, 0.0, -9.81};
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {4, 3, 3},
                    .radius = steel_radius,
                    .overlap = 1e-6});
    return p;
}

inline double size_of(packing::Vec3 v) {
    return std::sqrt(dot(v, v));
}

/// The largest difference of two lists of vectors, over the largest of `b` unless that is zero; NaN
/// if a number is NaN, the lengths differ, or there is nothing.
inline double largest_difference(const std::vector<packing::Vec3>& a,
                                 const std::vector<packing::Vec3>& b) {
    if (a.size() != b.size()) return std::numeric_limits<double>::quiet_NaN();
    Largest worst, largest;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst.enter(size_of(a[i] - b[i]));
        largest.enter(size_of(b[i]));
    }
    return largest > 0.0 ? worst / largest : worst;
}

/// Kinetic, stored and dissipated energy minus external work.
inline double energy_of(const packing::PackingTotals& t) {
    return t.translational + t.rotational + t.stored_normal + t.stored_tangential +
           t.stored_elements + t.dissipated_normal + t.dissipated_tangential +
           t.dissipated_elements - t.external_work;
}

}  // namespace beadwave::validation
