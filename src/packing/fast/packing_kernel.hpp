// Interface between the fast packing engine and its vector code: plain pointers in and out. The
// vector code is compiled once per instruction set. Normal and tangential laws are chosen once per
// run.
//
// A particle or ghost is stored as lines of eight numbers, each one cache line. Vector code loads
// eight lines at a time and transposes them into columns in registers, which costs a third of
// gathering number by number.
#pragma once

#include "box_kick.hpp"
#include "simd/instruction_sets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace beadwave::packing {

/// Velocities in lines are v and R w. A wall has radius 0, and its ghost moves with the surface;
/// that of a wall that turns has w of the wall times this [m], for rolling resistance. A power of
/// two, so that w is exact, and too small to add to a slip.
inline constexpr double wall_line_radius = 0x1p-500;

inline constexpr std::size_t line = 8;
/// The number of entries of a block is a multiple of this.
inline constexpr std::size_t entry_block = simd::most_lanes;
/// Entries that pass through the phases of a step together: their scratch data stays in the
/// first-level cache.
inline constexpr std::size_t batch = 128;

/// The largest number of fields of a tangential law.
inline constexpr std::size_t most_slider_fields = 8;

/// Columns of what a contact has done; contact_works.hpp says how it is summed. At the last step a
/// particle feels a force, radius times lever, and a torque by rolling resistance: the second +, +,
/// +, the first -, +, -. The sums are since the pair is in the list [J].
enum Work : std::size_t {
    work_force = 0,      ///< x y z [N]
    work_lever = 3,      ///< x y z [N]
    work_torque = 6,     ///< x y z [N m]
    work_given = 9,      ///< by what is not a particle, less what particles got of it
    work_sliding = 10,   ///< on springs and sliders
    work_rolling = 11,   ///< on springs and sliders of rolling, without twisting
    work_twisting = 12,  ///< on springs and sliders of twisting
    work_on_wall = 13,   ///< torque of the force on a wall that turns, about its direction [N m]
    work_pressing = 14,  ///< normal force on a wall at the last step [N]
    work_overlap = 15,   ///< with a wall, at the last step [m]
    /// Normal force over the distance of the centres at the last step [N/m]. With the memory of a
    /// slider that is its force, it replaces force and lever, which only walls have then.
    work_push = 16,
    work_columns = 17
};

/// Lines of all particles and ghosts.
struct Lines {
    /// d x y z, R, r0 x y z, 1/R. A wall's ghost has R = 0 and the 1/R of its particle, the dummy
    /// body 0 for both.
    double* place = nullptr;
    /// v x y z in the middle of the step, tangential work; R w x y z, power
    double* half = nullptr;
    double* predicted = nullptr;  ///< v x y z at its end, 0, R w x y z, 0; null: no law needs it
};

/// The pairs of one block of particles, each once.
struct Entries {
    std::size_t count;  ///< a multiple of entry_block
    const std::uint32_t *first, *second, *kind;
    const std::uint16_t *to_first, *to_second;  ///< lines of Sums
    /// The prefetch list of batch k, the bodies that no earlier batch of its block uses: elements
    /// prefetch_begin[k] to prefetch_begin[k + 1] of `prefetch`. After the list of the last batch
    /// follows that of the next block's first batch.
    const std::uint32_t *prefetch, *prefetch_begin;
    bool prefetches;     ///< the caches do not hold all that a step needs
    bool single_kind;    ///< all entries are of one kind
    std::size_t number;  ///< of the first entry, among those of all blocks
    const double* gap;
    double* memory[simd::most_fields];
    double* sliding[4];  ///< null: no tangential law
    double* rolling[4];  ///< null: no rolling resistance
    /// Gets the tangential force at the end of an advance [N]; null otherwise, and where the
    /// memory has all of it.
    double* tangential_force[3];
    /// Null: a column is not kept. Those of walls are not for the vector code.
    double* work[work_columns];
};

/// Where the numbers of rolling resistance begin among those of slide_numbers(), and their end.
inline constexpr std::size_t rolling_fields = 2 + most_slider_fields,
                             slide_fields = rolling_fields + 4;

/// Parameters of each kind of pair, or of each entry.
struct KindTable {
    bool by_entry;
    std::size_t law_fields, slider_fields;
    const double* law[simd::most_fields];
    const double* slider[most_slider_fields];
    const double* rolling[4];
    const double* inverse_radii;  ///< 1 / (R_1 + R_2); 1 / R_1 at a wall
    const double* turning;        ///< 1; 0 at a wall
    /// With by_entry: a bit for each column in which all entries have the same number, so that
    /// those of the first batch do for all; in the order of `law`, and of slide_numbers().
    std::uint32_t same_law, same_slide;
};

/// Intermediate results of one batch.
struct Scratch {
    alignas(64) double overlap[batch];
    alignas(64) double approach_speed[batch];
    alignas(64) double normal_force[batch];
    /// The overlap and the force that friction and rolling see where the normal law has adhesion.
    alignas(64) double grip_overlap[batch];
    alignas(64) double grip_force[batch];
    bool has_grip;     ///< else they see `overlap` and `normal_force`
    bool single_kind;  ///< all entries of the batch are of one kind
    alignas(64) double inverse_distance[batch];
    alignas(64) double branch[3][batch];
    alignas(64) double predicted[6][batch];  ///< relative velocity, R_1 w_1 + R_2 w_2
    alignas(64) double turn[6][batch];       ///< w_1 - w_2 in the middle and at the end of the step
    /// For rolling resistance: the branch in the middle of the step, 1 over its length squared.
    alignas(64) double middle[4][batch];
    alignas(64) double slip_velocity[3][batch];  ///< in the middle of the step
    /// Where Entries::work is kept: velocities of the second body minus those of the first, and the
    /// sum of those of the rims, in the middle of the step.
    alignas(64) double way[6][batch];
    /// Where there is Entries::work[work_push]: the power of the last step's forces on that way
    /// [W].
    alignas(64) double earlier[batch];
    /// The tangential law's memory, turned with the contact plane; then the force on the second
    /// body.
    alignas(64) double tangential[3][batch];
    alignas(64) double work[batch];        ///< of tangential force and rolling resistance
    alignas(64) double rows[batch][line];  ///< of Sums, for each pair
    alignas(64) double parameter[simd::most_fields][batch];
    /// Where Entries::work is kept: torque of rolling resistance on the second body x y z, its
    /// work, the part of that by twisting.
    alignas(64) double rolling[5][batch];
    /// Largest overlap times (1/R_1 + 1/R_2) in each lane, of all batches since it was set to 0.
    alignas(64) double deepest[simd::most_lanes];
};

/// Sums over pairs, one line each: force x y z, work, lever x y z, 0. One line per particle of the
/// block, then one that is never read, then one per wall.
struct Sums {
    double* force;
    /// Sums of rolling resistance: 0, 0, 0, its part of the work, torque x y z, 0; null: none.
    double* torque;
};

/// The range of the components of a set of vectors.
struct Extent {
    std::array<double, 3> lowest{}, highest{};

    void include(const Extent& other) {
        for (std::size_t k = 0; k < 3; ++k) {
            lowest[k] = std::min(lowest[k], other.lowest[k]);
            highest[k] = std::max(highest[k], other.highest[k]);
        }
    }
    /// No vector is longer than this.
    double longest() const {
        double squared = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double most = std::max(-lowest[k], highest[k]);
            squared += most * most;
        }
        return std::sqrt(squared);
    }
    /// No two of the vectors differ by more than this.
    double diagonal() const {
        double squared = 0.0;
        for (std::size_t k = 0; k < 3; ++k)
            squared += (highest[k] - lowest[k]) * (highest[k] - lowest[k]);
        return std::sqrt(squared);
    }
};

/// The update of the velocities and positions of a block's particles in one step.
struct Kick {
    std::size_t begin, end;  ///< particles
    double *force, *torque;  ///< those of Sums; set to zero afterwards
    /// On the last step of an advance only after.half is given. It receives the velocity changes of
    /// half a step and the work and power to add.
    Lines before, after;
    double* rolling_work;        ///< of each particle [J], added to; null: no rolling resistance
    const double* kick;          ///< dt/(2 m) and R^2 dt/(2 I) of each particle; 0: fixed
    const double* inverse_kick;  ///< 1 over those of `kick`; infinite: fixed
    const double* angular_kick;  ///< R dt/(2 I)
    alignas(64) double gravity_change[line];  ///< velocity change by gravity in half a step
    double time_step;
    bool power;           ///< whether to add the contacts' power
    const double* reach;  ///< of each body: above 0: not in the ranges; null: all are
    const BoxKick* box;   ///< null: the box does not strain; else ranges are of what is not affine
    double* change;       ///< what the last kick wrote, for the push
    alignas(64) double box_sums[line];  ///< out: BoxMotion::ParticleSums; 0 before
    Extent extent;                      ///< out: range of the displacements d
    Extent half;  ///< out, but at the last step: range of the next half-step velocities
    bool quiet;   ///< out: no particle moves or is accelerated
};

/// The vector code of one normal and one tangential law on one instruction set.
struct PackingKernel {
    /// Geometry of a batch from entry `from` on, and the slip of its contacts in the step.
    void (*place)(const KindTable&, const Lines&, const Entries&, std::size_t from,
                  std::size_t count, double time_step, Scratch&);
    /// Normal forces and memory of a batch.
    void (*normal)(const KindTable&, const Entries&, std::size_t from, std::size_t count, Scratch&);
    /// Tangential forces; adds all forces and torques to the sums, pair by pair.
    void (*slide)(const KindTable&, const Entries&, std::size_t from, std::size_t count,
                  double time_step, Scratch&, const Sums&);
    void (*kick)(Kick&);
    /// The push of a box with pistons, after a kick that was the last one of an advance: added to
    /// Kick::change. Then, if `after` has all lines, the particles move on.
    void (*push)(Kick&);
    /// Puts the numbers of those of the first `count` entries whose bodies are apart by no more
    /// than `margin` [m] into `near`, in their order, and returns how many there are; `count` is a
    /// multiple of entry_block. `near` has room for `count` + entry_block numbers. Bodies with a
    /// `reach` above 0 are never far from others; null: none has.
    std::size_t (*find_near)(const Lines&, const Entries&, std::size_t count, double margin,
                             const double* reach, std::uint32_t* near);
};

/// The vector code of the laws with these indices in laws::AnyLaw and laws::AnySlider. Defined by
/// vector_code.cpp for each instruction set.
template <simd::Target>
PackingKernel packing_kernel(std::size_t law, std::size_t slider);

}  // namespace beadwave::packing
