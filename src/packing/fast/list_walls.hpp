// The walls of a packing in the fast engine: where they are since the list of pairs was built, the
// forces on them, and which of their ghosts count.
#pragma once

#include "packing/walls/mesh_seams.hpp"
#include "packing/walls/shared_rims.hpp"
#include "packing/walls/wall_loads.hpp"
#include "wall_forces.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::packing {

class ListWalls {
  public:
    /// Both must outlive it.
    ListWalls(const Packing& packing, WallLoads& loads_of_walls);

    WallLoads& loads;
    WallForces forces;
    SharedRims rims;
    RimGhosts rim_ghosts;
    SeamGhosts seam_ghosts;
    double work = 0.0;  ///< on the particles, since the start [J]

    std::size_t count() const { return walls_.size(); }
    const Wall& wall(std::size_t w) const { return walls_[w]; }
    bool turn() const { return turn_; }
    bool move() const { return move_; }

    /// A new list is built, for the walls as they are now.
    void begin_list() { list_ = {loads.displacements(), loads.time()}; }
    /// The displacement of each wall and the time when the list was built [m, s].
    struct AtList {
        std::vector<Vec3> displacement;
        double time = 0.0;
    };
    const AtList& at_list() const { return list_; }
    /// Returns to an earlier list.
    void set_list(AtList list) { list_ = std::move(list); }
    Vec3 moved(std::size_t w) const { return loads.displacement(w) - list_.displacement[w]; }
    /// The ghosts of the new list, in their order: those of walls are behind those of particles.
    /// `reference`: of the particles [m].
    template <class Reference, class Radius>
    void face(std::span<const Ghost> ghosts, Reference reference, Radius radius) {
        const auto first = std::ranges::find_if(ghosts, [](const Ghost& g) { return g.wall >= 0; });
        first_ghost_ = static_cast<std::size_t>(first - ghosts.begin());
        facing_.clear();
        start_.clear();
        for (const Ghost& ghost : ghosts.subspan(first_ghost_)) {
            const auto w = static_cast<std::size_t>(ghost.wall);
            const Vec3 at = reference(ghost.of), from = list_.displacement[w];
            start_.push_back(walls_[w].start(at, from));
            facing_.push_back(facing_of_wall(walls_[w], start_.back(), at, from, radius(ghost.of)));
        }
    }
    std::size_t first_ghost() const { return first_ghost_; }
    const WallFacing& facing(std::size_t ghost) const { return facing_[ghost - first_ghost_]; }
    const WallStart& start(std::size_t ghost) const { return start_[ghost - first_ghost_]; }
    /// How far the surface of a mesh has moved by turning since then [m], at most.
    double turned(std::size_t w) const { return loads.turned(w, list_.time); }

    /// Finds step() of each wall for the step that has begun.
    void find_steps();
    const WallStep& step(std::size_t w) const { return step_[w]; }
    std::span<const WallStep> steps() const { return step_; }
    /// Takes the forces of a step of `step` [s] and adds their work. With ranks collective.
    void end_step(double step, const BlockShare& share);

    // For a saved state.
    std::vector<double> places() const;          ///< forces and displacements at the list
    std::vector<double> moving_numbers() const;  ///< of walls that move
    std::size_t moving_count() const;
    void restore(std::span<const double> places);
    void restore_moving(std::span<const double> numbers);

  private:
    std::span<const Wall> walls_;
    bool turn_, mesh_turns_, move_;
    AtList list_;
    std::vector<WallStep> step_;
    std::size_t first_ghost_ = 0;
    std::vector<WallFacing> facing_;  // of each ghost from there on
    std::vector<WallStart> start_;
};

}  // namespace beadwave::packing
