// The neighbour list between two of its rebuilds, and what belongs to its pairs. It does not change
// until the next one is built, so that states and records of steps share it.
//
// A rebuild changes no position, and a pair that stays keeps its overlap and its memory, so in
// reverse it only puts the derivatives by the memory back to the pairs of the list before. A pair
// that leaves the list is apart, and what its law remembered is lost with it.
#pragma once

#include "packing/edges.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/walls/wall_loads.hpp"
#include "packing_gradients/pair_step.hpp"
#include "packing_gradients/varied_packing.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace beadwave::packing_gradients {

struct ListedPairs {
    packing::NeighbourList list{};
    std::vector<Vec3> reference{};         ///< of the particles [m]
    std::vector<double> gap{};             ///< of each pair, between the references [m]
    std::vector<std::uint32_t> law{};      ///< of each pair, in PairTable
    std::vector<Vec3> wall_at_list{};      ///< displacements of the walls [m]
    double time = 0.0;                     ///< when it was built [s]
    std::vector<std::uint32_t> matched{};  ///< in the list before, or packing::no_pair
    std::size_t pairs_before = 0;          ///< of that list
};

/// The pairs that any list has had, each with its laws.
class PairTable {
  public:
    /// `varied` must outlive it.
    explicit PairTable(const VariedPacking& varied) : varied_(varied) {}

    std::uint32_t number(const PairBodies& pair);
    const packing::PairLaw& law(std::size_t number) const { return laws_[number]; }
    const std::vector<PairBodies>& pairs() const { return pairs_; }

  private:
    const VariedPacking& varied_;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
    std::vector<PairBodies> pairs_;
    std::vector<packing::PairLaw> laws_;
};

/// The list for particles at `reference`, with gaps as if all pairs were new. `walls`: where they
/// are now.
ListedPairs list_pairs(const packing::Packing& packing, std::vector<Vec3> reference,
                       const packing::WallLoads& walls, PairTable& table);

/// The particle that the pair is of, or the wall, as of PairBodies.
PairBodies bodies_of(const packing::NeighbourList& list, std::size_t particles, std::size_t pair);

}  // namespace beadwave::packing_gradients
