#include "mechanism/joint_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace beadwave::mechanism {
namespace {

/// Groups of bodies that are connected by joints. The ground has the last index.
class Groups {
  public:
    explicit Groups(std::size_t bodies) : root_(bodies + 1) {
        std::iota(root_.begin(), root_.end(), std::size_t{0});
    }

    /// Joins the groups of two bodies; false if they are the same group.
    bool join(std::size_t a, std::size_t b) {
        const std::size_t root_a = root(a), root_b = root(b);
        root_[root_a] = root_b;
        return root_a != root_b;
    }

  private:
    std::size_t root(std::size_t body) const {
        std::size_t at = body == ground ? root_.size() - 1 : body;
        while (root_[at] != at)
            at = root_[at];
        return at;
    }

    std::vector<std::size_t> root_;
};

}  // namespace

JointTree joint_tree(const Mechanism& mechanism) {
    std::vector<std::size_t> order(mechanism.joints.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t j) { return mechanism.joints[j].motor.has_value(); });

    JointTree tree;
    Groups groups(mechanism.bodies.size());
    std::vector<std::size_t> tree_joints;
    for (const std::size_t j : order) {
        const Joint& joint = mechanism.joints[j];
        if (groups.join(joint.bodies[0], joint.bodies[1])) {
            tree_joints.push_back(j);
        } else if (joint.motor) {
            throw PartError(
                fmt::format("joint.{}.speed", j),
                fmt::format(
                    "joint {}: its motor closes a loop of joints that all have motors; remove "
                    "one of these motors",
                    j));
        } else {
            tree.loop_joints.push_back(j);
        }
    }

    std::vector<bool> placed(mechanism.bodies.size(), false);
    const std::function<void(std::size_t)> grow = [&](std::size_t parent) {
        for (const std::size_t j : tree_joints) {
            const auto& pair = mechanism.joints[j].bodies;
            for (const bool reversed : {false, true}) {
                const std::size_t from = pair[reversed ? 1 : 0], body = pair[reversed ? 0 : 1];
                if (from != parent || body == ground || placed[body]) continue;
                placed[body] = true;
                tree.branches.push_back(
                    {.body = body, .parent = parent, .joint = j, .reversed = reversed});
                grow(body);
            }
        }
    };
    grow(ground);
    for (std::size_t body = 0; body < mechanism.bodies.size(); ++body) {
        if (placed[body]) continue;
        placed[body] = true;
        tree.branches.push_back({.body = body, .parent = ground, .joint = {}});
        grow(body);
    }
    return tree;
}

}  // namespace beadwave::mechanism
