#include "mechanism/long_solve.hpp"

#include "mechanism/joint_tree.hpp"

namespace beadwave::mechanism {

/// With a hundred closed loops a solve takes 0.01 s; the time grows as the cube.
bool solves_long(const Mechanism& mechanism) {
    constexpr std::size_t many_loops = 100;
    return joint_tree(mechanism).loop_joints.size() >= many_loops;
}

}  // namespace beadwave::mechanism
