// What spreads a particle over space: a kernel w(x) w(y) w(z), the product of the same function
// along each axis, which is symmetric, nowhere negative, 0 beyond its reach, and has the integral
// 1. Its mean over a cell is a product of differences of the cumulative function, without an error
// of sampling: over all cells the shares of a particle add up to 1.
#pragma once

#include "packing/build/field_grid.hpp"

#include <string_view>
#include <vector>

namespace beadwave::observers {

struct FieldKernel {
    std::string_view name;
    double reach;  ///< in widths
    /// The integral of w from minus infinity to u widths: 0 at -reach, 1 at reach. For u between
    /// these.
    double (*cumulative)(double u);

    double share_below(double u) const {
        return u <= -reach ? 0.0 : u >= reach ? 1.0 : cumulative(u);
    }
};

/// In the order of the enumeration:
///
/// - "gaussian": exp(-u^2 / 2), cut off at 3 widths and normalised; without the cut the product is
///   the same in all directions;
/// - "lucy": (1 + 3 s) (1 - s)^3 with s = |u| / 2, Lucy's polynomial (Astron. J. 82 (1977) 1013)
///   along each axis. It ends smoothly, at 2 widths.
///
/// Reaches as in Tunuguntla, Thornton and Weinhart, Comput. Part. Mech. 3 (2016) 349-365.
const std::vector<FieldKernel>& field_kernels();

inline const FieldKernel& kernel_of(const packing::FieldGrid& grid) {
    return field_kernels()[static_cast<std::size_t>(grid.kernel)];
}

}  // namespace beadwave::observers
