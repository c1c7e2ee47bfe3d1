// Periodic orbits as zeros of a function, and Newton's method for them.
//
// A chain that is driven or damped: x = (u, v) at the start of the period, and the function is the
// change of x over one period T.
//
// A conservative chain: its orbit starts at a turning point, where all velocities are zero, and
// turns again after half a period. x = u, and the function is v(T/2): by the symmetry of velocity
// Verlet in time the second half retraces the first. The derivative has no direction along the
// orbit then; a chain without walls also has its centre of mass at rest at its place at the start.
//
// A wave that travels through a conservative chain of equal cells: x = (u, v), and the function is
// the difference between the state after the period, looked at one cell further on, and x. Behind
// the last bead others are at rest. At its start the contact in the middle is at its deepest, which
// is one more equation: without it each moment of the wave would do.
//
// Numbers are in units of a length and of T / (2 pi), so that displacements and velocities compare.
#pragma once

#include "orbits/band.hpp"
#include "orbits/matrix.hpp"
#include "orbits/period_map.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwave::orbits {

/// A chain and a period, at one value of a parameter.
struct Setting {
    std::shared_ptr<PeriodMap> map;
    double period;  ///< [s]
};

struct Units {
    double length, time;  ///< [m], [s]
};

/// x of a state: displacements, then velocities.
std::vector<double> numbers_of(const State& state);

/// How linear systems with the derivative are solved.
enum class Method {
    by_size,   ///< of long chains by products
    matrix,    ///< with the whole matrix
    products,  ///< by GMRES, with products along the exact tangent (Newton-Krylov)
};

class Problem {
  public:
    using Family = std::function<Setting(double)>;

    /// `steps`: of a period, even. `cell`: beads by which a wave is further on after a period; 0:
    /// it does not travel. Waves that travel have the whole matrix.
    Problem(Family family, double parameter, std::int64_t steps, std::size_t cell = 0,
            Method method = Method::by_size);

    std::size_t size() const { return size_; }  ///< of x
    Method method() const { return method_; }
    bool by_products() const { return by_products_; }  ///< what the method says of this size
    /// Whether the last equation is that of the centre of mass, one more than there are unknowns.
    bool centred() const { return turns_ && floats_; }
    std::int64_t steps() const { return steps_; }
    bool turns() const { return turns_; }       ///< whether x is a turning point
    std::size_t cell() const { return cell_; }  ///< 0: it does not travel
    bool travels() const { return cell_ > 0; }
    bool conservative() const { return turns_ || travels(); }
    Setting at(double parameter) const { return family_(parameter); }

    /// The units of numbers of the size of x; the length is not below `least` [m].
    Units units(std::span<const double> x, double parameter, double least) const;
    std::vector<double> scale(const Units& units) const;  ///< of each number of x

    /// Sets the residual and, if wanted, its derivative by x / scale.
    void evaluate(std::span<const double> x, double parameter, const Units& units,
                  std::vector<double>& residual, Matrix* jacobian = nullptr) const;

    /// The product of the derivative of the residual by x / scale with a direction.
    std::vector<double> along(std::span<const double> x, double parameter, const Units& units,
                              std::span<const double> direction) const;
    /// The motion whose derivative is that of the residual, but for the equation of the centre of
    /// mass and the difference with x.
    Motion motion(const Setting& setting, std::span<const double> x, double time) const;

    State state(std::span<const double> x) const;
    /// Conservative: du(T)/du(0), whose eigenvalues are (mu + 1/mu)/2 for each pair of multipliers;
    /// otherwise the derivative of the state after a period, in some units.
    Matrix monodromy(std::span<const double> x, double parameter) const;
    /// The same up to the distance at which changes have fallen below rounding.
    Band monodromy_within(std::span<const double> x, double parameter) const;
    /// The distance from the start after one period, over the size of the orbit [1].
    double periodicity_error(std::span<const double> x, double parameter) const;

  private:
    /// The state of the beads one cell further on.
    State shifted(const State& state) const;

    Family family_;
    std::int64_t steps_;
    std::size_t cell_, freedoms_, size_;
    bool turns_, floats_, by_products_;
    Method method_;
};

/// The family whose orbits repeat after `times` of its periods.
Problem::Family repeated(Problem::Family family, std::size_t times);

struct NewtonResult {
    std::vector<double> x;
    std::vector<double>
        errors{};  ///< largest residual at each step, over the size of the orbit [1]
    bool converged = false;
};

/// Newton's method from x at a fixed parameter; `least` as in units().
NewtonResult newton(const Problem& problem, std::vector<double> x, double parameter, double least);

}  // namespace beadwave::orbits
