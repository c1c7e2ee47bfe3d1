// A tree of bodies in the plane, and loops, on Simbody. Simbody 3.7's headers are no C++20: this
// page and its source are C++17, and nothing else includes Simbody. The source is a module of its
// own: to load Simbody and the libraries it needs takes as long as a chain of 70 beads runs.
#pragma once

#include "mechanism/plane.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace beadwave::mechanism::simbody {

enum class Mobility {
    free,    ///< angle, x, y
    turns,   ///< an angle about a point
    slides,  ///< a length along a direction
};

/// A body and how it moves against its parent. Places and directions are those of the start, in
/// the ground's frame.
struct Branch {
    std::size_t body = 0;
    std::size_t parent = ground;
    Mobility mobility = Mobility::free;
    double mass = 0.0, inertia = 0.0;
    Vector centre{};
    Vector point{};  ///< turns: about it
    Vector axis{};   ///< slides: along it, of length 1
    /// Speed of a motor and its rate at a time; empty: none.
    std::function<std::pair<double, double>(double)> motor{};
};

/// A joint that closes a loop.
struct Closure {
    std::size_t first = ground, second = ground;
    Mobility mobility = Mobility::turns;
    Vector point{}, axis{};
};

class Tree {
  public:
    virtual ~Tree() = default;

    virtual std::size_t coordinates() const = 0;
    virtual bool is_angle(std::size_t coordinate) const = 0;
    /// Number of a body's first coordinate.
    virtual std::size_t first_coordinate(std::size_t body) const = 0;

    /// Arrays of coordinates() numbers.
    virtual void set(double time, const double* q, const double* u) = 0;
    virtual void settle(double time, double* q, double* u, double tolerance) = 0;
    virtual void accelerate(const Load* loads, double* rates) = 0;
    virtual double motor_power() const = 0;
    virtual std::vector<double> kick(const Load* impulses) = 0;
    virtual double along(const Load* loads, const double* du) = 0;

    virtual const std::vector<BodyMotion>& bodies() const = 0;
};

/// Parents stand before their children. Loads the module when first asked; throws
/// std::runtime_error if it is missing.
std::unique_ptr<Tree> make_tree(const std::vector<Branch>&, const std::vector<Closure>&);

/// What the module holds: make_tree(), under this name.
using MakeTree = Tree* (*)(const std::vector<Branch>*, const std::vector<Closure>*);
inline constexpr const char* make_tree_name = "beadwave_simbody_make_tree";

}  // namespace beadwave::mechanism::simbody
