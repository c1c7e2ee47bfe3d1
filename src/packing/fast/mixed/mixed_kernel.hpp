// Interface between the fast packing engine and the vector code of its mixed-precision step.
//
// The geometry of pairs and their tangential laws are computed in single precision; normal laws,
// what is integrated and all sums in double precision. For its pairs a particle or ghost is one
// cache line of floats instead of two of doubles, and a pair's direction, gap and tangential
// memory are floats.
#pragma once

#include "packing/fast/packing_kernel.hpp"

#include <cstddef>
#include <cstdint>

namespace beadwave::packing {

/// Floats of a body: d x y z, R; rest of d x y z, rest of v x; v x y z, rest of v y; R w x y z,
/// rest of v z. d since the list was built, v and R w in the middle of the step. The rest is what a
/// float leaves of a double, so that the difference of two bodies is exact to the last bit of a
/// float however fast they move together.
inline constexpr std::size_t mixed_line = 16;
/// wall_line_radius for floats [m].
inline constexpr double mixed_wall_line_radius = 0x1p-64;
/// Floats of a body's predicted velocities: v x y z, 0; R w x y z, 0.
inline constexpr std::size_t mixed_predicted_line = 8;
/// Floats of a pair: its unit direction x y z and its gap when the list was built; the tangential
/// law's memory, if there is one; its parameters, if each entry has its own. Those of `entry_block`
/// pairs are stored together, column by column.
constexpr std::size_t mixed_pair(bool slides) {
    return slides ? 8 : 4;
}
/// The parameters: MixedTable's number, KindTable::inverse_radii and `turning`, then those of the
/// tangential law. Without slip only the first one.
constexpr std::size_t mixed_parameters(bool slips, std::size_t slider_fields) {
    return slips ? 3 + slider_fields : 1;
}

/// Writes the mixed line of a body from its lines of doubles.
inline void mixed_numbers(const double* place, const double* half, float* to) {
    for (std::size_t k = 0; k < 3; ++k) {
        to[k] = static_cast<float>(place[k]);
        to[4 + k] = static_cast<float>(place[k] - static_cast<double>(to[k]));
        to[8 + k] = static_cast<float>(half[k]);
        to[4 * k + 7] = static_cast<float>(half[k] - static_cast<double>(to[8 + k]));
        to[12 + k] = static_cast<float>(half[4 + k]);
    }
    to[3] = static_cast<float>(place[3]);
}
inline void mixed_predicted_numbers(const double* predicted, float* to) {
    for (std::size_t k = 0; k < 3; ++k) {
        to[k] = static_cast<float>(predicted[k]);
        to[4 + k] = static_cast<float>(predicted[4 + k]);
    }
    to[3] = to[7] = 0.0F;
}

struct MixedLines {
    float* body = nullptr;
    float* predicted = nullptr;  ///< null: no law needs them
};

/// What a mixed step needs in addition to Entries, of which it does not use `gap` and `sliding`.
struct MixedEntries {
    float* pair;
    std::size_t width;  ///< floats of a pair
};

/// The sum of both 1/R for each kind of pair, where a wall has that of its particle.
struct MixedTable {
    const double* inverse_radii_sum;
};

/// Intermediate results of one batch, in addition to Scratch.
struct MixedScratch {
    alignas(64) float branch[3][batch];
    alignas(64) float inverse_distance[batch];
    alignas(64) float slip_velocity[3][batch];
    /// The tangential law's memory, turned with the contact plane; then the force on the second
    /// body.
    alignas(64) float tangential[3][batch];
    alignas(64) float predicted[6][batch];
    alignas(64) float work[batch];  ///< of the tangential force
    alignas(64) float rows[batch * line];
    alignas(64) double middle[3][batch];  ///< of the branch in the step, for rolling resistance
    alignas(64) float deepest[simd::most_lanes];  ///< like Scratch::deepest
};

/// The vector code of one tangential law on one instruction set.
struct MixedKernel {
    void (*place)(const KindTable&, const MixedTable&, const MixedLines&, const Entries&,
                  const MixedEntries&, std::size_t from, std::size_t count, double time_step,
                  Scratch&, MixedScratch&);
    void (*slide)(const KindTable&, const Entries&, const MixedEntries&, std::size_t from,
                  std::size_t count, double time_step, Scratch&, MixedScratch&, const Sums&);
    /// Also writes the particles' mixed lines, except on the last step of an advance.
    void (*kick)(Kick&, const MixedLines&);
    void (*push)(Kick&, const MixedLines&);  ///< the same for PackingKernel::push
};

/// The vector code of the law with this index in laws::AnySlider.
template <simd::Target>
MixedKernel mixed_kernel(std::size_t slider);

}  // namespace beadwave::packing
