// A tree of bodies in the plane, and loops, on Simbody. Simbody 3.7's headers are no C++20: this
// page and its source are C++17, and nothing else includes Simbody.
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
    /// Parents stand before their children.
    Tree(std::vector<Branch> branches, const std::vector<Closure>& closures);
    ~Tree();
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    std::size_t coordinates() const;
    bool is_angle(std::size_t coordinate) const;
    /// Number of a body's first coordinate.
    std::size_t first_coordinate(std::size_t body) const;

    /// Arrays of coordinates() numbers.
    void set(double time, const double* q, const double* u);
    void settle(double time, double* q, double* u, double tolerance);
    void accelerate(const Load* loads, double* rates);
    double motor_power() const;
    std::vector<double> kick(const Load* impulses);
    double along(const Load* loads, const double* du);

    const std::vector<BodyMotion>& bodies() const;

  private:
    struct Engine;
    std::unique_ptr<Engine> engine_;
};

}  // namespace beadwave::mechanism::simbody
