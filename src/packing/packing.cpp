#include "packing/packing.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "laws/neck.hpp"

#include <algorithm>
#include <limits>

namespace beadwave::packing {

std::array<bool, 3> strained_axes(const Box& box) {
    if (!box.strain) return {};
    const Straining& s = *box.strain;
    const auto moves = [&](std::size_t axis, double rate) {
        return rate != 0.0 || s.has_piston[axis];
    };
    return {moves(0, s.rate.x) || s.shear_rate.x != 0.0 || s.shear_rate.y != 0.0,
            moves(1, s.rate.y) || s.shear_rate.z != 0.0, moves(2, s.rate.z)};
}

double narrowest_box(const Packing& p) {
    const double largest = p.radius.largest();
    return std::max(4.0 * largest, 2.0 * largest + skin_of(p));  // for any skin in use
}

double longest_neck(const Packing& p) {
    if (p.has_line_contacts()) return 0.0;
    // The range grows with the effective radius, and a particle at a flat wall has the largest.
    const double radius = p.radius.largest();
    const double infinite = std::numeric_limits<double>::infinity();
    double longest = 0.0;
    const auto include = [&](const laws::Settings& law) {
        for (const Species& a : p.species_list) {
            for (const Species& b : p.species_list) {
                const laws::Contact contact = laws::sphere_contact(
                    radius, 1.0, a.elasticity, infinite, infinite, b.elasticity);
                longest = std::max(longest, laws::neck_range(laws::make(contact, law)));
            }
        }
    };
    include(p.law);
    for (const PairSettings& pair : p.pairs)
        include(pair.law);
    return longest;
}

bool may_leave_out_pairs(const Packing& p) {
    return p.precision == Precision::full && p.elements.empty() && !p.has_shapes() &&
           !laws::is_adhesive(p.law.name);
}

double skin_of(const Packing& p) {
    if (p.radius.empty()) return p.skin;
    const double part = may_leave_out_pairs(p) ? 0.3 : 0.1;
    const double skin = p.skin > 0.0 ? p.skin : part * p.radius.smallest();
    // A pair must stay in the list while its neck holds.
    return laws::is_adhesive(p.law.name) ? std::max(skin, 1.25 * longest_neck(p)) : skin;
}

}  // namespace beadwave::packing
