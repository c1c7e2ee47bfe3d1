// The scenario of a chain, in SI units: what to build and how to run it. Plain data; io reads it
// from TOML, build_chain() makes beads and contacts from it.
#pragma once

#include "beadwave/chain/elements.hpp"
#include "beadwave/stepping/drive.hpp"
#include "chain/bead_shape.hpp"
#include "scenario/common.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::chain {

/// One kind of bead in a pattern; values that are missing are those of the segment.
struct BeadKind {
    std::optional<double> radius;         ///< [m]
    std::optional<double> mass;           ///< [kg]
    std::optional<std::string> material;  ///< a name of Scenario::materials
    std::optional<double> angle{};        ///< see Segment::angle
    std::optional<std::array<double, 3>> semi_axes{};
    std::optional<std::array<double, 4>> orientation{};
    std::optional<BeadShape> shape{};  ///< of its own semi-axes or orientation
};

/// A bead from a file; values that are missing are those of the segment.
struct ListedBead {
    double radius = 0.0;               ///< [m]
    std::optional<double> mass{};      ///< [kg]
    std::optional<double> gap{};       ///< before it [m]
    std::optional<double> velocity{};  ///< [m/s]
};

/// The shape of a bead from a file; values that are missing are those of the segment.
struct ListedShape {
    std::optional<std::array<double, 3>> semi_axes{};    ///< [m]
    std::optional<std::array<double, 4>> orientation{};  ///< unit quaternion
    std::optional<double> angle{};                       ///< see Segment::angle
    BeadShape shape{};
};

enum class BeadForm { sphere, ellipsoid, cylinder };

struct Segment {
    BeadForm form = BeadForm::sphere;
    std::int64_t beads = 0;
    /// [m]; of an ellipsoid the semi-axis along the chain; may be 0 if all kinds of the pattern
    /// give one
    double radius = 0.0;
    std::optional<double> mass;    ///< [kg]; none: from the density of the material
    std::optional<double> length;  ///< of a cylinder across the chain [m]
    /// By which a bead is turned about the chain, from the one before it, besides their
    /// orientations [rad]; of cylinders the angle between the axes.
    double angle = 0.0;
    std::optional<std::array<double, 3>> semi_axes{};       ///< of ellipsoids [m]
    std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< of ellipsoids: unit quaternion
    BeadShape shape{};                                      ///< follows from these
    std::string material;                                   ///< a name of Scenario::materials
    double velocity = 0.0;                                  ///< [m/s], towards higher bead numbers
    std::optional<double> gap;      ///< before each bead [m]; negative = precompressed
    std::vector<BeadKind> pattern;  ///< repeated along the segment; empty: all beads alike
    double taper = 1.0;             ///< radius ratio from bead to bead; mass follows the cube
    double disorder = 0.0;  ///< relative standard deviation of the radius; mass follows the cube
    std::uint64_t seed = 0;
    std::vector<ListedBead> listed{};          ///< one per bead, or none
    std::vector<ListedShape> listed_shapes{};  ///< one per bead, or none

    bool is_spheres() const { return form == BeadForm::sphere && !length; }
    /// Cylinders whose axes are parallel to that of the bead before them.
    bool side_by_side() const {
        return length && angle == 0.0 &&
               std::ranges::none_of(
                   pattern, [](const BeadKind& kind) { return kind.angle.value_or(0.0) != 0.0; }) &&
               std::ranges::none_of(listed_shapes, [](const ListedShape& bead) {
                   return bead.angle.value_or(0.0) != 0.0;
               });
    }
};

enum class EndKind { free, wall, fixed, driven, absorbing };

struct End {
    EndKind kind = EndKind::free;
    std::optional<std::string> material{};   ///< of the wall; none: that of the end bead
    double gap = 0.0;                        ///< between wall and end bead at the start [m]
    std::optional<stepping::Drive> drive{};  ///< of a driven wall
    std::int64_t tail = 100;                 ///< absorbing: damped beads
    std::optional<double> damping{};         ///< absorbing: of the end bead [N s/m]

    bool is_wall() const { return kind == EndKind::wall || kind == EndKind::driven; }
};

struct Gravity {
    double acceleration = 0.0;  ///< [m/s^2], towards higher bead numbers
    bool equilibrium = true;    ///< start in static equilibrium
};

/// The beads of an element: each `every`-th bead of a range.
struct BeadRange {
    std::optional<std::array<std::int64_t, 2>> ends{};  ///< both included; none: all beads
    std::int64_t every = 1;
};

struct FoundationGroup {
    BeadRange beads;
    Spring spring;
};

struct ResonatorGroup {
    BeadRange beads;
    double mass = 0.0;  ///< [kg]
    Spring spring;
};

struct PointLoad {
    std::int64_t bead = 0;
    stepping::ForceSignal force{};
};

struct PointDrive {
    std::int64_t bead = 0;
    std::optional<stepping::Drive> motion{};
};

/// Bonds of neighbouring beads.
struct BondGroup {
    BeadRange contacts;              ///< by their numbers, from 1; none: all between two beads
    double stiffness = 0.0;          ///< [N/m]
    double damping = 0.0;            ///< [N s/m]
    std::optional<double> strength;  ///< [N]; none: it never breaks
    std::optional<double> gap;       ///< between the beads without force [m]; none: as at the start
    bool tension_only = false;
};

/// How the axes of two magnets lie: along the chain, or across it and parallel.
enum class Orientation { coaxial, side_by_side };

/// Forces between beads that need no contact: a power law, or magnets.
struct PairForceGroup {
    BeadRange beads;
    std::optional<double> force{};  ///< at `distance` [N]; none: magnets
    double distance = 1.0;          ///< [m]
    double exponent = 4.0;
    std::vector<double> moments{};  ///< [A m^2], repeated along the chain
    Orientation orientation = Orientation::coaxial;
    std::optional<double> range{};  ///< [m]
    std::int64_t neighbours = 1;
    bool equilibrium = false;  ///< start where all forces balance
};

/// What beads carry besides their contacts.
struct ElementGroups {
    std::vector<FoundationGroup> foundations{};
    std::vector<ResonatorGroup> resonators{};
    std::vector<PointLoad> loads{};
    std::vector<PointDrive> drives{};
    std::vector<BondGroup> bonds{};
    std::vector<PairForceGroup> pair_forces{};

    bool empty() const {
        return foundations.empty() && resonators.empty() && loads.empty() && drives.empty() &&
               bonds.empty() && pair_forces.empty();
    }
    /// Whether chain::Elements has something: a constant load is a number of the chain itself.
    bool carried() const {
        const auto changes = [](const PointLoad& load) { return !load.force.is_constant(); };
        return !(foundations.empty() && resonators.empty() && drives.empty() && bonds.empty() &&
                 pair_forces.empty()) ||
               std::ranges::any_of(loads, changes);
    }
};

/// How the chain starts, in place of rest and of the velocities of segments: numbers per bead, then
/// per mass inside beads, in their order.
struct InitialState {
    std::vector<double> displacement{};  ///< [m]; empty: 0
    std::vector<double> velocity{};      ///< [m/s]; empty: those of segments
    std::optional<double> drive{};       ///< lowest frequency of drives that it belongs to [Hz]
    std::string key = "initial";         ///< that gives it, for messages
};

struct Scenario : scenario::Common {
    std::vector<Segment> segments;
    End left, right;
    ElementGroups elements;
    std::optional<Gravity> gravity;
    std::optional<double> precompression;  ///< [N]
    std::optional<InitialState> initial;

    /// Whether the beads are parallel cylinders, which touch along lines and need a line law.
    bool has_line_contacts() const {
        return !segments.empty() && segments.front().side_by_side() &&
               std::ranges::all_of(
                   segments, [](const Segment& segment) { return segment.length.has_value(); });
    }

    std::int64_t bead_count() const {
        std::int64_t count = 0;
        for (const Segment& segment : segments)
            count += segment.beads;
        return count;
    }
};

}  // namespace beadwave::chain
