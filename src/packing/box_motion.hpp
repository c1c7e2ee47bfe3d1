// The motion of a periodic box that strains (packing.hpp: Straining), step by step.
//
// With the edges H (edges.hpp), a place x and its fractions s = H^-1 (x - lower), the affine
// velocity there is H' s. Particles follow
//
//     x'' = F / m + H'' s                    (' : per time; F: of contacts, walls and gravity)
//
// so affine motion is imposed: u = x' - H' s, the velocity relative to it, follows
// u' = F / m - H' H^-1 u. With constant rates this is Newton's law between images that move at
// H' n, as Lees and Edwards have it (J. Phys. C 5 (1972) 1921); with pistons, along an axis without
// shear, it is Andersen's (J. Chem. Phys. 72 (1980) 2384).
//
// The force of the particles on the edges, which is the volume times the stress times H^-T, is
//
//     Q = sum over pairs f n  +  sum over particles (F s  +  m u H^-1 u)
//
// f: force on the image n of a particle. Kinetic energy is that of u. A piston along the axis k
// follows mass * H_kk'' = Q_kk - stress * (area of the face) - damping * H_kk'. The work on the
// packing is that of the stress and the damping of the pistons, and -Q H' where the rate is
// prescribed.
#pragma once

#include "packing/edges.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

class BoxMotion {
  public:
    /// `packing` must outlive it.
    BoxMotion(const Packing& packing, double time_step);

    bool strains() const { return packing_.box.strain.has_value(); }

    /// Whether the box, which was held since the start, begins to strain after this step.
    bool starts_after(std::int64_t step) const {
        return strains() && !moves_ && step >= start_step_;
    }
    /// It does: from now on it has its rates. The places of all particles stay; their velocities
    /// relative to the affine motion stay if they take on its new velocity.
    void start();
    /// Forces are computed anew between two steps: they take the present rates.
    void renew() { half_ = state_.predicted = state_.rate; }
    /// Moves the box to the end of the next step.
    void begin_step();
    /// Takes the two sums of Q; `step` [s]: 0 at the start.
    void end_step(const Edges& of_images, const Edges& of_particles, double step);
    /// A new neighbour list begins: what the box has moved since the last one is part of its edges.
    void begin_list();

    const Edges& now() const { return now_; }
    const Edges& at_list() const { return state_.at_list; }
    const Edges& moved() const { return state_.moved; }  ///< since the list was built [m]
    const Edges& rate() const { return state_.rate; }    ///< [m/s]
    const Edges& acceleration() const { return state_.acceleration; }  ///< [m/s^2]
    const Edges& half() const { return half_; }  ///< rate in the middle of the step [m/s]
    const Edges& predicted() const { return state_.predicted; }  ///< rate at its end [m/s]

    const Edges& inverse() const { return inverse_; }  ///< of now() [1/m]

    Vec3 fractions(const Vec3& from_lower) const { return inverse_.times(from_lower); }
    /// Velocity of the affine motion at a place from the lower corner [m/s].
    Vec3 affine_velocity(const Vec3& from_lower) const {
        return state_.rate.times(fractions(from_lower));
    }
    /// A velocity relative to the affine one. What may be rounding is 0, so that a packing that
    /// only follows the box has no energy.
    Vec3 own_velocity(const Vec3& from_lower, const Vec3& velocity) const {
        return relative(velocity, affine_velocity(from_lower));
    }
    /// What may be rounding of a velocity relative to an affine one, as a part of that: places and
    /// velocities over a long run.
    static constexpr double rounding = 1e-12;
    bool has_pistons() const { return pistons_; }
    /// H'' s: acceleration of the affine motion [m/s^2].
    Vec3 push(const Vec3& from_lower) const;

    const Edges& stretch() const { return stretch_; }  ///< moved() by the edges at the list [1]
    const Edges& step_stretch() const { return step_stretch_; }  ///< its change in the last step
    /// The displacement since the list was built that is not affine [m].
    Vec3 other_displacement(const Vec3& reference_from_lower, const Vec3& displacement) const {
        return displacement - stretch_.times(reference_from_lower);
    }
    /// Two bodies closer than `reach` at the list approach by the affine motion by no more than
    /// this [m].
    double approach_within(double reach) const { return stretch_size_ * reach; }

    /// Of a particle with this reference and displacement in the last step, minus its affine part,
    /// over the time step [m/s]: a sum of these is a change of other_displacement().
    Vec3 other_velocity(const Vec3& reference_from_lower, const Vec3& velocity) const {
        return velocity - step_stretch_.times(reference_from_lower) * (1.0 / time_step_);
    }
    /// As approach_within(), in the last step alone [m].
    double approach_in_step(double reach) const { return size_of(step_stretch_) * reach; }

    /// Sums over particles of the products of the components of F and x - lower, and of m u and u,
    /// in the order of Edges.
    struct ParticleSums {
        std::array<double, Edges::numbers> of{};
    };
    /// Adds one particle, with its predicted velocity.
    void add_particle(ParticleSums& sums, double mass, const Vec3& from_lower, const Vec3& force,
                      const Vec3& predicted_velocity) const {
        const Vec3 u = relative(predicted_velocity, state_.predicted.times(fractions(from_lower)));
        const auto f = components(force), x = components(from_lower), v = components(u),
                   p = components(mass * u);
        for (std::size_t k = 0; k < Edges::numbers; ++k) {
            const std::size_t row = Edges::row[k], column = Edges::column[k];
            sums.of[k] += f[row] * x[column] + p[row] * v[column];
        }
    }
    /// The second sum of Q from those of particles.
    Edges force_of(const ParticleSums& sums) const;

    double kinetic() const;                               ///< of the pistons [J]
    double external_work() const { return state_.work; }  ///< on the packing, since the start [J]
    /// Work of moving images on the contacts, since the start [J].
    double image_work() const { return state_.image_work; }

    /// Limits of the pistons: sums over the contacts, as if all of a contact's stiffness [N/m] and
    /// damping [N s/m] were along its branch [m].
    struct Limits {
        std::array<double, 3> stiffness{}, damping{};
    };
    void add_contact(Limits& limits, const Vec3& branch, double stiffness, double damping) const;
    /// Stiffness over mass [1/s^2] and damping over mass [1/s] of the pistons, at least those
    /// given.
    void raise(const Limits& limits, double& stiffness, double& damping) const;

    /// All of it, for state(); empty without strain.
    std::vector<double> numbers() const;
    static constexpr std::size_t state_numbers = 7 * Edges::numbers + 5;
    std::size_t count() const { return strains() ? state_numbers : 0; }
    void restore(std::int64_t step, std::span<const double> numbers);

  private:
    struct State {
        Edges at_list, moved, rate, acceleration;
        Edges force, of_images;        // Q and its first sum at the last step
        Edges predicted;               // rate that the last step's forces took
        std::array<double, 3> load{};  // of stress and damping on the pistons at the last step [N]
        double work = 0.0, image_work = 0.0;
    };
    /// Calls visit(number) for every number of the state.
    template <class Self, class Visit>
    static void each_number(Self& state, Visit visit);
    static double size_of(const Edges& stretch);
    static Vec3 relative(const Vec3& velocity, const Vec3& affine) {
        const auto part = [](double v, double a) {
            return std::abs(v - a) > rounding * std::abs(a) ? v - a : 0.0;
        };
        return {part(velocity.x, affine.x), part(velocity.y, affine.y), part(velocity.z, affine.z)};
    }
    double load_of(std::size_t axis) const;
    /// Sets what follows from the state.
    void follow();

    const Packing& packing_;
    double time_step_;
    bool pistons_ = false;
    std::int64_t start_step_ = 0;
    bool moves_ = false;  // since start_step_
    State state_;
    Edges half_;
    Edges now_, inverse_;
    Edges stretch_;       // moved times the inverse of at_list
    Edges step_stretch_;  // its change in the last step
    double stretch_size_ = 0.0;
};

}  // namespace beadwave::packing
