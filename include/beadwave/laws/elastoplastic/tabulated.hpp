// Tabulated: a quasi-static indentation test drives the contact.
//
//     loading                 F = F_L(delta), the measured curve
//     unloading, reloading    F = F_max f((delta - delta_r) / (delta_max - delta_r))
//
// f is the measured unloading curve, from 0 to 1 over its recovered span. For a turn at any
// delta_max the measured curve is scaled self-similarly: delta_r / delta_max is the measured one.
// Both curves are monotone cubic interpolants (PCHIP) and pass through every measured point. Beyond
// the last measured overlap the loading curve continues as a straight line at its last slope:
// extrapolated, not measured.
//
// Where the scaled unloading would return more energy than loading took (in the nearly elastic part
// of a test that has one), the recovered span is shortened as in elastoplastic.hpp.
//
// The table is shared: a contact has only its number (indentation_table.hpp). Vectors look it up
// lane by lane.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/indentation_table.hpp"

namespace beadwave::laws {

/// F / F_max = f and its integral.
struct TabulatedUnloading {
    template <class Curve, class T>
    static T force(const Curve& curve, T overlap, T largest, T residual) {
        return each_lane(numbered_shape, curve.table, overlap, largest, residual);
    }
    /// U / F_max [m].
    template <class Curve, class T>
    static T energy(const Curve& curve, T overlap, T largest, T residual) {
        return (largest - residual) *
               each_lane(numbered_shape_integral, curve.table, overlap, largest, residual);
    }
};

template <class T>
struct TabulatedCurve {
    using Unloading = TabulatedUnloading;

    T table;  ///< its number

    static constexpr auto fields() { return std::make_tuple(&TabulatedCurve::table); }

    T loading_force(T x) const { return each_lane(numbered_loading_force, table, x); }
    T recovered_span(T largest, T force) const {
        return each_lane(numbered_recovered_span, table, largest, force);
    }
};

template <class T>
using Tabulated = Elastoplastic<TabulatedCurve, T>;

}  // namespace beadwave::laws
