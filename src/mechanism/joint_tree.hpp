// Splits the joints into those that form the tree of bodies and those that close loops.
#pragma once

#include "mechanism/mechanism.hpp"

#include <vector>

namespace beadwave::mechanism {

/// One body of the tree and the joint to its parent.
struct Branch {
    std::size_t body;
    std::size_t parent;                ///< an earlier body of the tree, or `ground`
    std::optional<std::size_t> joint;  ///< empty: the body is free, its parent is the ground
    bool reversed = false;             ///< the body is the first of the joint
};

struct JointTree {
    std::vector<Branch> branches;          ///< parents before children
    std::vector<std::size_t> loop_joints;  ///< joints that close loops
};

/// Throws PartError if a joint with a motor closes a loop.
JointTree joint_tree(const Mechanism&);

}  // namespace beadwave::mechanism
