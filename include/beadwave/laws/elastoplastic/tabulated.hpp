// Tabulated: a quasi-static indentation test drives the contact.
//
//     loading                 F = F_L(delta), the measured curve
//     unloading, reloading    F = F_max f((delta - delta_r) / (delta_max - delta_r))
//
// f is the measured unloading curve, from 0 to 1 over its recovered span. For a turn at any
// delta_max the measured curve is scaled self-similarly: delta_r / delta_max is the measured one.
// Both curves are monotone cubic interpolants (PCHIP) and pass through every measured point. Beyond
// the last measured overlap the loading curve goes on as a straight line at its last slope:
// extrapolated, not measured.
//
// Where the scaled unloading would return more energy than loading took (in the nearly elastic part
// of a test that has one), the recovered span is shortened as in elastoplastic.hpp.
//
// The table is shared: a contact holds its number alone (indentation_table.hpp). Looking it up is
// not for vector types, which is what `vectorizable` tells an engine.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/indentation_table.hpp"

namespace beadwave::laws {

/// F / F_max = f and its integral.
struct TabulatedUnloading {
    template <class Curve>
    static double force(const Curve& curve, double overlap, double largest, double residual) {
        return curve.measured().shape(part(overlap, largest, residual));
    }
    /// U / F_max [m].
    template <class Curve>
    static double energy(const Curve& curve, double overlap, double largest, double residual) {
        return (largest - residual) *
               curve.measured().shape_integral(part(overlap, largest, residual));
    }

  private:
    /// Of the recovered span, from 0 to 1; 0 for a contact never touched.
    static double part(double overlap, double largest, double residual) {
        if (!(overlap > residual)) return 0.0;
        return at_most((overlap - residual) / (largest - residual), 1.0);
    }
};

template <class T>
struct TabulatedCurve {
    using Unloading = TabulatedUnloading;
    static constexpr bool vectorizable = false;

    T table;  ///< its number

    static constexpr auto fields() { return std::make_tuple(&TabulatedCurve::table); }

    const IndentationTable& measured() const { return IndentationTable::numbered(table); }

    T loading_force(T x) const { return measured().loading_force(x); }
    T recovered_span(T largest, T force) const { return measured().recovered_span(largest, force); }
};

/// For T = double alone.
template <class T>
using Tabulated = Elastoplastic<TabulatedCurve, T>;

}  // namespace beadwave::laws
