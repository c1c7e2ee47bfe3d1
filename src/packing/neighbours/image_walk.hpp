// The images of a place across the periodic sides of a box that may be tilted.
#pragma once

#include "packing/edges.hpp"

#include <cstddef>

namespace beadwave::packing {

/// Which images along an edge: the first to the last in periods, counted from the one `down`
/// periods below the place.
struct ImageRange {
    double down, first, last;
};

/// Calls visit(image) for images of a place [m]; which ones, range(axis, x, length) gives for each
/// periodic axis, where x is the coordinate of the place, shifted along the later axes already: in
/// a tilted box an image along one axis shifts those before it.
template <class Range, class Visit>
void visit_images(const Box& box, const Edges& edges, const Vec3& place, Range range, Visit visit) {
    const auto visit_up_to = [&](const auto& self, std::size_t count, Vec3 from) -> void {
        if (count == 0) return visit(from);
        const std::size_t a = count - 1;
        if (!box.periodic[a]) return self(self, a, from);
        const Vec3 period =
            edges.times({a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0});
        const double length = components(period)[a];
        if (!(length > 0.0)) return;
        const ImageRange images = range(a, components(from)[a], length);
        from -= images.down * period;
        for (double n = images.first; n <= images.last; ++n)
            self(self, a, from + n * period);
    };
    visit_up_to(visit_up_to, 3, place);
}

}  // namespace beadwave::packing
