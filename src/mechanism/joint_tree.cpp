#include "mechanism/joint_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace beadwave::mechanism {
namespace {

/// Groups of bodies that joints hang together; the ground is the last number.
class Groups {
  public:
    explicit Groups(std::size_t bodies) : leader_(bodies + 1) {
        std::iota(leader_.begin(), leader_.end(), std::size_t{0});
    }

    /// Joins the two bodies' groups; false if they are one already.
    bool join(std::size_t a, std::size_t b) {
        const std::size_t of_a = leader(a), of_b = leader(b);
        leader_[of_a] = of_b;
        return of_a != of_b;
    }

  private:
    std::size_t leader(std::size_t body) const {
        std::size_t at = body == ground ? leader_.size() - 1 : body;
        while (leader_[at] != at)
            at = leader_[at];
        return at;
    }

    std::vector<std::size_t> leader_;
};

}  // namespace

JointTree joint_tree(const Mechanism& mechanism) {
    std::vector<std::size_t> order(mechanism.joints.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t j) { return mechanism.joints[j].motor.has_value(); });

    JointTree tree;
    Groups groups(mechanism.bodies.size());
    std::vector<std::size_t> carrying;
    for (const std::size_t j : order) {
        const Joint& joint = mechanism.joints[j];
        if (groups.join(joint.bodies[0], joint.bodies[1])) {
            carrying.push_back(j);
        } else if (joint.motor) {
            throw PartError(
                fmt::format("joint.{}.speed", j),
                fmt::format("joint {}: its motor acts round a loop of joints with motors; take one "
                            "away",
                            j));
        } else {
            tree.closing.push_back(j);
        }
    }

    std::vector<bool> placed(mechanism.bodies.size(), false);
    const std::function<void(std::size_t)> grow = [&](std::size_t parent) {
        for (const std::size_t j : carrying) {
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
