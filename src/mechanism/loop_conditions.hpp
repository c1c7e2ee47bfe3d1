// The conditions that close the loops of a mechanism, two for each joint that closes one, and their
// derivatives with respect to the coordinates. All are lengths: an angle counts at the length of
// the mechanism.
//
// revolute: the joint's point of the second body minus that of the first, along the two axes of the
// first body. Slider: the distance of the second body's centre from the line of the slider, and the
// angle between the bodies.
#pragma once

#include "mechanism/simbody/tree.hpp"

#include <vector>

namespace beadwave::mechanism {

/// A joint that closes a loop.
struct Closure {
    std::size_t first = ground, second = ground;
    simbody::Mobility mobility = simbody::Mobility::revolute;
    Vector point{};  ///< revolute: at the start, in the frame of the ground
    Vector axis{};   ///< slider: its direction, of length 1
};

class LoopConditions {
  public:
    using Rows = std::vector<std::vector<double>>;

    LoopConditions(std::vector<simbody::Branch>, std::vector<Closure>, const simbody::Tree&);

    std::size_t size() const { return 2 * closures_.size(); }
    double length() const { return length_; }  ///< of the mechanism [m]

    /// How far the loops are open [m].
    std::vector<double> errors(const std::vector<BodyState>&) const;
    /// One row per condition, one number per coordinate. The coordinates of motors are zero unless
    /// `motors`: they are not free.
    Rows jacobian(const std::vector<BodyState>&, bool motors) const;

    /// The second time derivatives of the errors [m/s^2], from the accelerations of the bodies.
    std::vector<double> accelerations(const std::vector<BodyState>&) const;

    /// Adds to the loads on the bodies what forces along the conditions do to them.
    void add_loads(const std::vector<BodyState>&, const std::vector<double>& forces,
                   std::vector<Load>&) const;
    /// What each closure's first body does to its second: a force, and a torque about the point
    /// (revolute) or the centre of the second body (slider).
    std::vector<Load> reactions(const std::vector<BodyState>&,
                                const std::vector<double>& forces) const;

  private:
    struct Motion {
        Vector velocity{};
        double spin = 0.0;
    };
    Vector joint_point(const simbody::Branch&, const std::vector<BodyState>&) const;
    /// Motion of `body` at `position`, per unit of one coordinate of a branch above it.
    Motion motion(const simbody::Branch&, std::size_t which, const Vector& position,
                  const std::vector<BodyState>&) const;
    Vector centre(std::size_t body) const;
    /// The point on this body of a joint; revolute: the joint's point; slider: the body's centre.
    Vector point_of(const Closure&, std::size_t body, const std::vector<BodyState>&) const;

    std::vector<simbody::Branch> branches_;
    std::vector<Closure> closures_;
    std::vector<std::size_t> first_;          ///< coordinate of each branch
    std::vector<std::vector<bool>> carries_;  ///< by branch, then by body
    std::vector<Vector> centres_;             ///< at the start [m]
    std::size_t coordinates_ = 0;
    double length_ = 0.0;
};

}  // namespace beadwave::mechanism
