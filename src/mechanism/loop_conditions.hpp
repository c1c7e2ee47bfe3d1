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

class LoopConditions {
  public:
    using Rows = std::vector<std::vector<double>>;

    LoopConditions(std::vector<simbody::Branch>, std::vector<simbody::Closure>,
                   const simbody::Tree&);

    std::size_t size() const { return 2 * closures_.size(); }
    double length() const { return length_; }  ///< of the mechanism [m]

    /// How far the loops are open [m].
    std::vector<double> errors(const std::vector<BodyState>&) const;
    /// One row per condition, one number per coordinate. The coordinates of motors are zero unless
    /// `motors`: they are not free.
    Rows jacobian(const std::vector<BodyState>&, bool motors) const;

    /// Adds to the reactions of the joints (simbody::Tree::joint_reactions) what turns them into
    /// the smallest forces that have the same effect on the motion. `rank`: that of the Jacobian.
    void share_reactions(const std::vector<BodyState>&, std::size_t rank,
                         std::vector<Load>& of_branches, std::vector<Load>& of_closures) const;

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
    Vector point_of(const simbody::Closure&, std::size_t body, const std::vector<BodyState>&) const;

    std::vector<simbody::Branch> branches_;
    std::vector<simbody::Closure> closures_;
    std::vector<std::size_t> first_;          ///< coordinate of each branch
    std::vector<std::vector<bool>> carries_;  ///< by branch, then by body
    std::vector<Vector> centres_;             ///< at the start [m]
    std::size_t coordinates_ = 0;
    double length_ = 0.0;
};

}  // namespace beadwave::mechanism
