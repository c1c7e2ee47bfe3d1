// An upper estimate of the speeds in a packing, and the pairs that are compressed at the start.
#pragma once

#include "beadwave/stepping/time_step.hpp"
#include "packing/neighbours/list_by_parts.hpp"
#include "packing/packing.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace beadwave::packing {

/// A pair that is compressed at the start.
struct CompressedContact {
    std::uint32_t first, second;  ///< a particle; a particle, or particles() + wall
    Vec3 direction;               ///< from the first to the second
    double overlap;               ///< [m]
};

/// All contacts that are compressed at the start of particles, whose numbers ascend; also those
/// of other particles with them.
struct CompressedPart {
    std::vector<CompressedContact> contacts;
    std::vector<std::uint32_t> particles;
};

/// Parts whose lists have all pairs that are compressed; see ListParts.
ListParts parts_of_compressed(const Packing& packing, ranks::Communicator* ranks = nullptr);

/// Calls visit(part) for the parts that this rank has. Each particle is in one of all parts.
void visit_compressed(const Packing& packing, const ListParts& parts,
                      const std::function<void(CompressedPart part)>& visit);

std::vector<CompressedContact> compressed_pairs(const Packing& packing);

/// Upper estimate of an approach speed [m/s]. `stored` [J] is the energy that the most compressed
/// contact can release.
double largest_speed(const Packing& packing, double stored, const stepping::StepRequest& request,
                     ranks::Communicator* ranks = nullptr);

}  // namespace beadwave::packing
