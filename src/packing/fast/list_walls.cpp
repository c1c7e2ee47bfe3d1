#include "list_walls.hpp"

#include "line_vectors.hpp"

#include <algorithm>

namespace beadwave::packing {
namespace {

bool some_turn(const Packing& packing) {
    return std::ranges::any_of(packing.walls,
                               [](const Wall& wall) { return wall.angular_velocity != 0.0; });
}

}  // namespace

ListWalls::ListWalls(const Packing& packing, WallLoads& loads_of_walls)
    : loads(loads_of_walls),
      forces(packing.walls.size(), some_turn(packing)),
      rims(packing.walls),
      rim_ghosts(rims),
      walls_(packing.walls),
      turn_(some_turn(packing)),
      mesh_turns_(std::ranges::any_of(packing.walls, &Wall::mesh_turns)),
      move_(std::ranges::any_of(packing.walls, &Wall::moves)),
      list_{wall_displacements(packing.walls, 0.0)},
      step_(packing.walls.size()) {}

void ListWalls::find_steps() {
    for (std::size_t w = 0; w < step_.size(); ++w)
        step_[w] = loads.step(w, list_.displacement[w], list_.time);
}

void ListWalls::end_step(double step, const BlockShare& share) {
    if (!move_) return;
    forces.end_step(share);
    loads.end_step(forces.force_before, forces.force, step, work);
    if (!turn_) return;
    for (std::size_t w = 0; w < count(); ++w) {
        const double turned = walls_[w].angular_velocity * step;
        work -= 0.5 * (forces.torque_before[w] + forces.torque[w]) * turned;
    }
}

std::vector<double> ListWalls::places() const {
    std::vector<double> numbers;
    for (const std::vector<Vec3>* each : {&forces.force, &list_.displacement}) {
        for (const Vec3& v : *each)
            numbers.insert(numbers.end(), {v.x, v.y, v.z});
    }
    return numbers;
}

void ListWalls::restore(std::span<const double> places) {
    for (std::size_t w = 0; w < count(); ++w) {
        forces.force[w] = triple(places.data() + 3 * w);
        list_.displacement[w] = triple(places.data() + 3 * (count() + w));
    }
}

std::size_t ListWalls::moving_count() const {
    return forces.torque.size() + (mesh_turns_ ? 1 : 0) +
           WallLoads::State::numbers * loads.states().size();
}

std::vector<double> ListWalls::moving_numbers() const {
    std::vector<double> moving = forces.torque;
    if (mesh_turns_) moving.push_back(list_.time);
    for (const WallLoads::State& load : loads.states()) {
        for (std::size_t k = 0; k < WallLoads::State::numbers; ++k)
            moving.push_back(load.number(k));
    }
    return moving;
}

void ListWalls::restore_moving(std::span<const double> numbers) {
    constexpr std::size_t of_load = WallLoads::State::numbers;
    std::vector<WallLoads::State>& states = loads.states();
    const std::size_t before = numbers.size() - of_load * states.size();
    std::copy_n(numbers.begin(), forces.torque.size(), forces.torque.begin());
    if (mesh_turns_) list_.time = numbers[before - 1];
    for (std::size_t i = 0; i < of_load * states.size(); ++i)
        states[i / of_load].number(i % of_load) = numbers[before + i];
}

}  // namespace beadwave::packing
