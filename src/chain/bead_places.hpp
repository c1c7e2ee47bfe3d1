// The segment of each bead, and its place there.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace beadwave::chain {

class BeadPlaces {
  public:
    struct Place {
        std::size_t segment;  ///< its number
        std::size_t bead;     ///< in the segment, from 0
    };

    /// Keeps the address of the segments.
    explicit BeadPlaces(const Scenario& scenario) : segments_(&scenario.segments) {
        for (const Segment& segment : scenario.segments) {
            ends_.push_back((ends_.empty() ? 0 : ends_.back()) +
                            static_cast<std::size_t>(segment.beads));
        }
        all_spheres_ = std::ranges::all_of(scenario.segments, &Segment::is_spheres);
    }

    bool all_spheres() const { return all_spheres_; }

    /// Numbers are those of the whole chain.
    Place place(std::size_t bead) const {
        const auto found = std::ranges::upper_bound(ends_, bead);
        const auto segment =
            std::min(static_cast<std::size_t>(found - ends_.begin()), ends_.size() - 1);
        return {segment, bead - (segment > 0 ? ends_[segment - 1] : 0)};
    }
    const Segment& segment(std::size_t bead) const { return (*segments_)[place(bead).segment]; }

    BeadShape shape(std::size_t bead) const {
        const auto [number, own] = place(bead);
        const Segment& segment = (*segments_)[number];
        if (segment.is_spheres()) return {};
        if (segment.length) return cylinder_shape();
        if (!segment.listed_shapes.empty()) return segment.listed_shapes[own].shape;
        if (segment.pattern.empty()) return segment.shape;
        return segment.pattern[own % segment.pattern.size()].shape.value_or(segment.shape);
    }

    /// The smallest radius of the two bodies of a contact of the chain, also of their curvature
    /// where they touch [m]: overlaps beyond it mean nothing.
    double most_overlap(const Chain& chain, std::size_t contact) const {
        const auto of = [&](std::size_t bead) {
            if (all_spheres_) return chain.radius[bead];
            return chain.radius[bead] * shape(chain.first() + bead).sharpest();
        };
        const std::size_t n = chain.beads();
        return std::min(of(contact > 0 ? contact - 1 : 0), of(contact < n ? contact : n - 1));
    }
    /// What most_overlap() is, in a sentence.
    const char* most_overlap_name() const {
        return all_spheres_ ? "radius" : "radius of curvature there";
    }

    /// See Segment::angle [rad].
    double angle(std::size_t bead) const {
        const auto [number, own] = place(bead);
        const Segment& segment = (*segments_)[number];
        if (!segment.listed_shapes.empty())
            return segment.listed_shapes[own].angle.value_or(segment.angle);
        if (segment.pattern.empty()) return segment.angle;
        return segment.pattern[own % segment.pattern.size()].angle.value_or(segment.angle);
    }

  private:
    const std::vector<Segment>* segments_;
    std::vector<std::size_t> ends_;  ///< the bead after each segment
    bool all_spheres_;
};

}  // namespace beadwave::chain
