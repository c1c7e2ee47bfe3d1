// A tree of bodies in the plane, on Simbody. Loops are closed outside (loops.hpp). The headers of
// Simbody 3.7 do not compile as C++20: this header and its source are C++17, and nothing else
// includes Simbody. The source is a module of its own: loading Simbody and the libraries it needs
// takes as long as a run of 70 beads.
#pragma once

#include "mechanism/plane.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace beadwave::mechanism::simbody {

enum class Mobility {
    planar,    ///< angle, x, y
    revolute,  ///< an angle about a point
    slider,    ///< a length along a direction
};

/// A body and its mobility relative to its parent. Points and directions are those at the start, in
/// the frame of the ground.
struct Branch {
    std::size_t body = 0;
    std::size_t parent = ground;
    Mobility mobility = Mobility::planar;
    double mass = 0.0, inertia = 0.0;
    Vector centre{};
    Vector point{};  ///< revolute: the centre of rotation
    Vector axis{};   ///< slider: its direction, of length 1
    /// Speed of a motor and its time derivative at a time; empty: no motor.
    std::function<std::pair<double, double>(double)> motor{};
};

/// Simbody could not solve the equations. Its own text, which names its source and its settings,
/// goes no further.
struct NoSolution : std::runtime_error {
    NoSolution()
        : std::runtime_error("the equations of motion of the mechanism have no solution") {}
};

/// Every member may throw NoSolution.
class Tree {
  public:
    virtual ~Tree() = default;

    virtual std::size_t coordinates() const = 0;
    virtual bool is_angle(std::size_t coordinate) const = 0;
    /// Index of the first coordinate of a body.
    virtual std::size_t first_coordinate(std::size_t body) const = 0;

    /// Arrays of coordinates() numbers. Motors have their own speeds, whatever u is.
    virtual void set(double time, const double* q, const double* u) = 0;
    /// u at the last set().
    virtual const double* speeds() const = 0;
    virtual void accelerate(const Load* loads, double* accelerations) = 0;
    virtual double motor_power() const = 0;
    /// At the last accelerate(), what each branch's parent does to its body: force, and torque
    /// about the point (revolute) or the centre of the body (slider). In the order of the list.
    virtual void joint_reactions(Load* of_branches) = 0;
    /// The change of the speeds by impulses on the bodies, or by impulses along the coordinates.
    virtual std::vector<double> impulse_response(const Load* impulses) = 0;
    virtual void coordinate_response(const double* impulses, double* change) = 0;
    virtual double projected_speed(const Load* loads, const double* du) = 0;

    virtual const std::vector<BodyState>& bodies() const = 0;
};

/// Parents come before their children. The first call loads the module, and throws
/// std::runtime_error if it is missing.
std::unique_ptr<Tree> make_tree(const std::vector<Branch>&);

/// The module exports make_tree() under this name.
using MakeTree = Tree* (*)(const std::vector<Branch>*);
inline constexpr const char* make_tree_name = "beadwave_simbody_make_tree";

}  // namespace beadwave::mechanism::simbody
