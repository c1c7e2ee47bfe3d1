// What is watched and recorded of a box that strains.

#include "packing_system/packing_depth.hpp"
#include "packing_system/stepped_packing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::running {

using packing::Vec3;
using recording::Fill;
using recording::Pace;

std::string too_narrow(const packing::Packing& packing, const packing::BoxState& box) {
    if (!box.strains) return {};
    const auto width = packing::LeastTilt(box.edges).edges.widths();
    // A box that is as narrow from the start may lose a little by the motion of its pistons.
    const double needed = 0.9 * packing::narrowest_box(packing);
    for (std::size_t a = 0; a < 3; ++a) {
        // A box that has shrunk beyond nothing is inside out; it has a width again.
        const double across = box.edges.of[a] > 0.0 ? width[a] : 0.0;
        if (!packing.box.periodic[a] || across >= needed) continue;
        return fmt::format(
            "the box became too narrow along {}: {:.4g} m between its faces; expected at least "
            "{:.4g} m, nine tenths of two of the largest diameters",
            "xyz"[a], across, needed);
    }
    return {};
}

void SteppedPacking::check_box() const {
    if (const std::string wrong = too_narrow(packing_, engine_->box()); !wrong.empty())
        throw RunError(wrong);
}

recording::Fill SteppedPacking::edges_of(const packing::BoxState& box) const {
    return [this, &box](std::size_t first, std::span<double> out) {
        // One edge per row. The least tilt is what other programs want; the lattice is the same.
        const packing::LeastTilt least(box.edges);
        const auto& e = least.edges.of;
        const bool* const repeats = packing_.box.periodic.data();
        const Vec3 not_periodic = packing_.box.upper - packing_.box.lower;
        const double matrix[] = {repeats[0] ? e[0] : not_periodic.x, 0.0, 0.0,  e[3],
                                 repeats[1] ? e[1] : not_periodic.y, 0.0, e[4], e[5],
                                 repeats[2] ? e[2] : not_periodic.z};
        std::copy_n(matrix + first, out.size(), out.begin());
    };
}

void SteppedPacking::add_straining_box(recording::Description& all) const {
    const Fill tilt = [this](std::size_t first, std::span<double> out) {
        std::copy_n(box_.edges.of.begin() + 3 + static_cast<std::ptrdiff_t>(first), out.size(),
                    out.begin());
    };
    all.streams.push_back({Pace::energy,
                           "",
                           {{"observables/box_edges", "m", {3, 3}, edges_of(box_)},
                            {"observables/box_tilt", "m", {3}, tilt}}});
}

}  // namespace beadwave::running
