// What is watched and recorded of a box that strains.

#include "packing_system/packing_depth.hpp"
#include "packing_system/stepped_packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

std::string lagging_piston(const packing::Packing& packing, const packing::BoxState& box,
                           double time) {
    constexpr double large = 0.05;
    if (!packing.box.strain || !(packing.box.strain->damping > 0.0)) return {};
    const packing::Straining& strain = *packing.box.strain;
    const Vec3 first = packing.box.upper - packing.box.lower;
    const double start[] = {first.x, first.y, first.z};
    const double target[] = {strain.stress.x, strain.stress.y, strain.stress.z};
    for (std::size_t k = 0; k < 3; ++k) {
        if (!strain.has_piston[k] || target[k] == 0.0) continue;
        double area = 1.0;
        for (std::size_t other = 0; other < (packing.dimension == 2 ? 2U : 3U); ++other)
            if (other != k)
                area *= packing.box.periodic[other] ? box.edges.of[other] : start[other];
        const auto share = [&](double speed) { return strain.damping * speed / area / target[k]; };
        const double mean = share((box.edges.of[k] - start[k]) / (time - strain.start));
        const double last = share(box.rate.of[k]);
        if (!(std::min(std::abs(mean), std::abs(last)) > large) || mean * last < 0.0) continue;
        return fmt::format(
            "box.piston_damping: the piston along {} moves all the time, and its damping makes the "
            "stress of the packing {:.3g} {} on average, {:.0f} % {} box.stress; expected less "
            "damping, or a slower strain",
            "xyz"[k], target[k] * (1.0 + mean), packing.dimension == 2 ? "N/m" : "Pa",
            100.0 * std::abs(mean), mean > 0.0 ? "above" : "below");
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
