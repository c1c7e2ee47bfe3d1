// A line contact: elastic force with hysteresis damping [Skrinjar2018 section 6]:
//
//     F = F_elastic(delta) (1 + chi delta_dot / delta_dot_0)
//
// The factor chi(e) is that of any sphere law (hysteresis_factors.cpp). Its restitution does not
// depend on the elastic force: every line law rebounds like the sphere law with the same factor.
// Stored: the elastic part. Contact ends at zero overlap, where the force is zero; no tension.
#pragma once

#include "beadwave/laws/line_springs.hpp"
#include "beadwave/laws/response.hpp"

#include <string_view>

namespace beadwave::laws {

struct LineLaw {
    using Memory = NoMemory;

    std::string_view name;
    LineSpring spring;
    double damping;  ///< chi / delta_dot_0 [s/m]; 0: elastic

    /// Throws ArgumentError at overlaps from largest_overlap() on.
    Response<double, Memory> respond(double overlap, double approach_speed, Memory) const;
    double stored_energy(double overlap, Memory) const;
    bool ends_in_tension() const { return false; }

    /// Where the law ends [m]; infinity if nowhere.
    double largest_overlap() const;
};

}  // namespace beadwave::laws
