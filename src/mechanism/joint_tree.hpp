// Which joints carry the tree of bodies and which close loops.
#pragma once

#include "mechanism/mechanism.hpp"

#include <vector>

namespace beadwave::mechanism {

/// One body of the tree and the joint it hangs on.
struct Branch {
    std::size_t body;
    std::size_t parent;                ///< a body before it in the tree, or `ground`
    std::optional<std::size_t> joint;  ///< none: the body is free, its parent the ground
    bool reversed = false;             ///< the body is the joint's first
};

struct JointTree {
    std::vector<Branch> branches;      ///< parents before children
    std::vector<std::size_t> closing;  ///< joints that close loops
};

/// Throws PartError if a joint with a motor closes a loop.
JointTree joint_tree(const Mechanism&);

}  // namespace beadwave::mechanism
