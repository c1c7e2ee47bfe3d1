// The forces that a box that strains feels, by block: on the images of particles, and on the
// particles. Their sums have no rounding, so that they have the same bits on any number of ranks,
// which send each other sums, not the forces of blocks.
#pragma once

#include "block_share.hpp"
#include "box_kick.hpp"
#include "packing/box_motion.hpp"
#include "ranks/exact_sum.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace beadwave::packing {

inline BoxMatrix matrix_of(const Edges& edges) {
    BoxMatrix matrix;
    for (std::size_t k = 0; k < Edges::numbers; ++k)
        matrix.column[Edges::column[k]][Edges::row[k]] = edges.of[k];
    return matrix;
}
/// Those of Kick::box_sums.
inline BoxMotion::ParticleSums particle_sums(const double* of_kick) {
    BoxMotion::ParticleSums sums;
    std::copy_n(of_kick, Edges::numbers, sums.of.begin());
    return sums;
}

struct BoxForces {
    std::vector<Edges> of_images, of_particles;  ///< of each block of this rank
    ranks::RepeatedSums repeated;

    void begin(std::size_t own_blocks) {
        of_images.assign(own_blocks, {});
        of_particles.assign(own_blocks, {});
    }

    struct Sums {
        Edges of_images, of_particles;
    };
    /// Over the blocks of all ranks. Collective.
    Sums sums(const BlockShare& share) {
        std::array<ranks::ExactSum, 2 * Edges::numbers> all;
        const auto add = [&](const std::vector<Edges>& blocks, std::size_t from) {
            for (const Edges& block : blocks) {
                for (std::size_t k = 0; k < Edges::numbers; ++k)
                    all[from + k].add(block.of[k]);
            }
        };
        add(of_images, 0);
        add(of_particles, Edges::numbers);
        repeated.add_up(share.shared() ? &share.ranks() : nullptr, all);
        Sums sums;
        for (std::size_t k = 0; k < Edges::numbers; ++k) {
            sums.of_images.of[k] = all[k].value();
            sums.of_particles.of[k] = all[Edges::numbers + k].value();
        }
        return sums;
    }
};

}  // namespace beadwave::packing
