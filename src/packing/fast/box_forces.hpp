// The forces that a box that strains feels, by block: on the images of particles, and on the
// particles.
#pragma once

#include "block_share.hpp"
#include "packing/edges.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::packing {

struct BoxForces {
    std::vector<Edges> of_images, of_particles;  ///< of each block of all ranks

    /// Gives all ranks the forces of all blocks. Collective.
    void share(const BlockShare& share) {
        constexpr std::size_t width = 2 * Edges::numbers;
        std::vector<double> all(width * of_images.size());
        const auto each = [&](auto visit) {
            for (std::size_t b = 0; b < of_images.size(); ++b) {
                for (std::size_t k = 0; k < Edges::numbers; ++k) {
                    visit(all[width * b + k], of_images[b].of[k]);
                    visit(all[width * b + Edges::numbers + k], of_particles[b].of[k]);
                }
            }
        };
        each([](double& travels, double& number) { travels = number; });
        share.ranks().share(all, share.block_borders(width));
        each([](double& travels, double& number) { number = travels; });
    }
};

}  // namespace beadwave::packing
