// The external forces on the bodies of one engine: their part of a step, and their work.
#pragma once

#include "beadwave/stepping/external_force.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

namespace beadwave::stepping {

inline double product(double a, double b) {
    return a * b;
}
template <class Vector>
double product(const Vector& a, const Vector& b) {
    return dot(a, b);
}

template <class Vector>
struct LinearMotion {
    Vector displacement;  ///< from the start [m]
    Vector velocity;      ///< [m/s]
};

/// Engine: has kick(). Functions called `read` give the LinearMotion of a body at present.
template <class Vector>
class ExternalForces {
  public:
    bool empty() const { return acting_.empty(); }
    /// The work since the start [J].
    double work() const { return work_; }
    /// Energy that writing the state has added since the start [J].
    double written() const { return written_; }
    void add_written(double energy) { written_ += energy; }

    /// Adds a force, with its value in the present state.
    template <class Read>
    void add(ExternalForce<Vector> force, double time, const Read& read) {
        Acting added{.force = std::move(force), .now = {}, .displacement = {}};
        for (const std::size_t body : added.force.bodies)
            added.now.push_back({body, Vector{}});
        read_motion(added, read);
        evaluate(added, time);
        acting_.push_back(std::move(added));
    }

    /// `index`: in the order in which the present forces were added.
    void remove(std::size_t index) {
        acting_.erase(acting_.begin() + static_cast<std::ptrdiff_t>(index));
    }

    /// Evaluates all forces again, because the present state has been changed from outside.
    template <class Read>
    void evaluate_all(double time, const Read& read) {
        for (Acting& a : acting_) {
            read_motion(a, read);
            evaluate(a, time);
        }
    }

    /// One step; `advance` is that of the engine. If a function throws, its forces and those after
    /// it stay as they were before the step, which is complete.
    template <class Engine, class Advance, class Read>
    void step(Engine& engine, const Advance& advance, double time_after, const Read& read) {
        for (const Acting& a : acting_)
            engine.kick(a.now, HalfStep::first);
        advance();
        for (const Acting& a : acting_)
            engine.kick(a.now, HalfStep::second);
        std::exception_ptr error;
        std::vector<std::vector<BodyForce<Vector>>> change;
        for (Acting& a : acting_) {
            change.push_back(a.now);
            const std::vector<Vector> before = a.displacement;
            read_motion(a, read);
            try {
                if (!error) evaluate(a, time_after);
            } catch (...) {
                error = std::current_exception();
            }
            for (std::size_t k = 0; k < a.now.size(); ++k) {
                Vector& old = change.back()[k].force;
                work_ += 0.5 * product(old + a.now[k].force, a.displacement[k] - before[k]);
                old = a.now[k].force - old;
            }
        }
        for (const auto& forces : change)
            engine.kick(forces, HalfStep::second);
        if (error) std::rethrow_exception(error);
    }

    /// Takes over the forces, their present values and the work of other ones.
    void copy_from(const ExternalForces& other) { *this = other; }
    /// Takes over the energies only [J].
    void set_energies(double work, double written) { work_ = work, written_ = written; }

  private:
    struct Acting {
        ExternalForce<Vector> force;
        std::vector<BodyForce<Vector>> now;
        std::vector<Vector> displacement, velocity{};  // in the state of `now`
    };

    /// All forces of one step see the same velocities, also where they act on the same body.
    template <class Read>
    void read_motion(Acting& a, const Read& read) {
        a.displacement.clear();
        a.velocity.clear();
        for (const std::size_t body : a.force.bodies) {
            const LinearMotion<Vector> motion = read(body);
            a.displacement.push_back(motion.displacement);
            a.velocity.push_back(motion.velocity);
        }
    }

    void evaluate(Acting& a, double time) {
        force_.assign(a.now.size(), Vector{});
        a.force.evaluate(time, a.displacement, a.velocity, force_);
        for (std::size_t k = 0; k < a.now.size(); ++k)
            a.now[k].force = force_[k];
    }

    std::vector<Acting> acting_;
    std::vector<Vector> force_;  // of one evaluation
    double work_ = 0.0, written_ = 0.0;
};

}  // namespace beadwave::stepping
