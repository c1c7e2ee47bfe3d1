// Which line of Sums gets the force of a pair.
#pragma once

#include "packing_kernel.hpp"
#include "simd/column.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace beadwave::packing {

/// A pair with an image in a box that strains: its ghost, whether its first particle is in the
/// block, and the line of the particle whose image it is; of_other_block: it is not in the block.
struct ImageSum {
    static constexpr std::uint32_t of_other_block = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t ghost;
    bool first_is_here;
    std::uint32_t to;
};

/// The lines of the block's particles are the first ones. Behind them are one that is never read,
/// one per wall, one per pair with an image in a box that strains, and one per pair with a turning
/// wall, whose torque depends on where it is.
class SumLines {
  public:
    SumLines(std::size_t most_particles, std::size_t walls)
        : discard_(most_particles), walls_(walls) {}

    void reset(std::size_t blocks) {
        images_.assign(blocks, {});
        turning_.assign(blocks, {});
        most_images_ = most_turning_ = 0;
    }
    /// Gives an entry of a block a line of its own; first all images of a block. Threads may do so
    /// for different blocks.
    std::size_t add_image(std::size_t block, const ImageSum& pair) {
        images_[block].push_back(pair);
        return of_image(images_[block].size() - 1);
    }
    std::size_t add_turning(std::size_t block, std::uint32_t entry) {
        turning_[block].push_back(entry);
        return of_turning(block, turning_[block].size() - 1);
    }
    /// Call when all entries have their lines. Throws std::runtime_error if a block has more than
    /// entries can name.
    void check() {
        for (const auto& images : images_)
            most_images_ = std::max(most_images_, images.size());
        for (const auto& turning : turning_)
            most_turning_ = std::max(most_turning_, turning.size());
        if (most() <= std::numeric_limits<std::uint16_t>::max()) return;
        throw std::runtime_error(
            most_turning_ > most_images_
                ? "1024 particles have more than 60,000 contacts with walls that turn: expected "
                  "meshes of coarser triangles, or a larger feature_angle"
                : "too many pairs across the sides of a box that strains, more than 60,000 of 1024 "
                  "particles");
    }

    std::size_t most() const { return discard_ + 1 + walls_ + most_images_ + most_turning_; }
    std::size_t discard() const { return discard_; }
    std::size_t of_wall(std::size_t wall) const { return discard_ + 1 + wall; }
    std::span<const ImageSum> images(std::size_t block) const { return images_[block]; }
    std::size_t of_image(std::size_t k) const { return discard_ + 1 + walls_ + k; }
    std::span<const std::uint32_t> turning(std::size_t block) const { return turning_[block]; }
    std::size_t of_turning(std::size_t block, std::size_t k) const {
        return of_image(images_[block].size() + k);
    }

    // The sums of each thread that steps blocks. Between two blocks all lines but the one that is
    // never read are 0.

    void give_threads(std::size_t threads) { columns_.resize(threads); }
    /// Makes room for the lines of a block; `torque`: with rolling resistance.
    Sums sums(std::size_t thread, bool torque) {
        Columns& its = columns_[thread];
        const std::size_t capacity = line * most();
        if (its.force.size() < capacity) {
            its.force = simd::Column(capacity);
            if (torque) its.torque = simd::Column(capacity);
        }
        return {its.force.data(), its.torque.data()};
    }
    void drop_sums() { columns_.clear(); }

  private:
    struct Columns {
        simd::Column force, torque;
    };
    std::vector<Columns> columns_;
    std::size_t discard_, walls_;
    std::vector<std::vector<ImageSum>> images_;        // of each block
    std::vector<std::vector<std::uint32_t>> turning_;  // entries of each block
    std::size_t most_images_ = 0, most_turning_ = 0;
};

}  // namespace beadwave::packing
