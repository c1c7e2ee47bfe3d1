#include "packing/rigid/rigid_solver.hpp"

#include "packing/vector_length.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::packing {
namespace {

/// Mobilities of a contact [1/kg].
struct Mobilities {
    double normal, tangential;
};

class Sweeps {
  public:
    Sweeps(std::vector<RigidBody>& body, std::vector<RigidContact>& contact)
        : body_(body), contact_(contact), before_(contact.size()) {
        for (const RigidContact& c : contact_) {
            const RigidBody &a = body_[c.first], &b = body_[c.second];
            const double normal = a.mobility + b.mobility;
            mobility_.push_back(
                {normal, normal + c.arm_1 * c.arm_1 * a.turning + c.arm_2 * c.arm_2 * b.turning});
            apply(c, c.impulse);
        }
        // Differences of velocities are not known better than these are rounded.
        constexpr double rounding = 16.0 * std::numeric_limits<double>::epsilon();
        for (const RigidContact& c : contact_) {
            const RigidBody &a = body_[c.first], &b = body_[c.second];
            rounding_ =
                std::max(rounding_, rounding * (length_of(a.velocity) + length_of(b.velocity) +
                                                std::abs(c.arm_1) * length_of(a.angular_velocity) +
                                                std::abs(c.arm_2) * length_of(b.angular_velocity)));
        }
    }

    /// Returns the largest change of an impulse over the largest impulse; changes that are rounding
    /// do not count.
    double sweep() {
        double largest = 0.0, change = 0.0;
        for (std::size_t k = 0; k < contact_.size(); ++k) {
            RigidContact& c = contact_[k];
            before_[k] = c.impulse;
            const Vec3 next = next_impulse(c, mobility_[k]);
            const Vec3 step = next - c.impulse;
            largest = std::max(largest, dot(next, next));
            const double least = rounding_ / mobility_[k].normal;
            if (dot(step, step) > least * least) change = std::max(change, dot(step, step));
            if (step == Vec3{}) continue;
            apply(c, step);
            c.impulse = next;
        }
        // Where a sweep takes all impulses away, it is they that have changed.
        return change > 0.0 ? std::sqrt(change / std::max(largest, change)) : 0.0;
    }

    /// After a sweep: goes on from the impulses of the sweep before to those of the last one, and
    /// beyond them.
    void extrapolate() {
        if (previous_.empty()) previous_ = before_;
        // How far the sweep went back, against the way from sweep to sweep.
        double back = 0.0;
        for (std::size_t k = 0; k < contact_.size(); ++k) {
            const Vec3& now = contact_[k].impulse;
            back += dot(before_[k] - now, now - previous_[k]);
        }
        const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * weight_ * weight_));
        const double beyond = back > 0.0 ? 0.0 : (weight_ - 1.0) / next;
        weight_ = back > 0.0 ? 1.0 : next;
        for (std::size_t k = 0; k < contact_.size(); ++k) {
            RigidContact& c = contact_[k];
            const Vec3 more = beyond * (c.impulse - previous_[k]);
            previous_[k] = c.impulse;
            if (more == Vec3{}) continue;
            apply(c, more);
            c.impulse += more;
        }
    }
    /// The next sweeps begin anew.
    void forget() {
        previous_.clear();
        weight_ = 1.0;
    }
    bool has_friction() const {
        return std::ranges::any_of(contact_,
                                   [](const RigidContact& c) { return c.friction > 0.0; });
    }

  private:
    static Vec3 next_impulse(const RigidContact& c, const Mobilities& mobility, const RigidBody& a,
                             const RigidBody& b) {
        // Rotation has no part along the normal.
        const double u_n = dot(b.velocity - a.velocity, c.normal), p_n = dot(c.impulse, c.normal);
        const double normal = std::max(0.0, p_n - (u_n + c.bias) / mobility.normal);
        if (!(normal > 0.0)) return {};
        if (!(c.friction > 0.0)) return normal * c.normal;
        const Vec3 u = c.apart(a, b);
        const Vec3 sticks =
            (c.impulse - p_n * c.normal) - (1.0 / mobility.tangential) * (u - u_n * c.normal);
        const double size = length_of(sticks), most = c.friction * normal;
        return normal * c.normal + (size > most ? most / size : 1.0) * sticks;
    }
    Vec3 next_impulse(const RigidContact& c, const Mobilities& mobility) const {
        return next_impulse(c, mobility, body_[c.first], body_[c.second]);
    }

    void apply(const RigidContact& c, const Vec3& impulse) {
        RigidBody &a = body_[c.first], &b = body_[c.second];
        a.velocity -= a.mobility * impulse;
        b.velocity += b.mobility * impulse;
        if (!(c.friction > 0.0)) return;
        const Vec3 turn = cross(c.normal, impulse);
        a.angular_velocity -= (c.arm_1 * a.turning) * turn;
        b.angular_velocity -= (c.arm_2 * b.turning) * turn;
    }

    std::vector<RigidBody>& body_;
    std::vector<RigidContact>& contact_;
    std::vector<Mobilities> mobility_{};
    std::vector<Vec3> before_;      // the last sweep
    std::vector<Vec3> previous_{};  // of the sweep before it; empty: forgotten
    double weight_ = 1.0;           // of Nesterov's sequence
    double rounding_ = 0.0;         // of velocities [m/s]
};

}  // namespace

RigidSolution solve_contacts(std::vector<RigidBody>& body, std::vector<RigidContact>& contact,
                             const SolverLimits& limits) {
    // Extrapolation has no proof with friction, where a few steps then wander for ever: plain
    // sweeps take turns with it.
    constexpr std::int64_t turn = 200;
    Sweeps sweeps(body, contact);
    const bool takes_turns = sweeps.has_friction();
    RigidSolution solution;
    for (;;) {
        solution.change = sweeps.sweep();
        ++solution.iterations;
        solution.converged = solution.change <= limits.tolerance;
        if (solution.converged || solution.iterations >= limits.iterations) return solution;
        if (takes_turns && solution.iterations / turn % 2 == 1)
            sweeps.forget();
        else
            sweeps.extrapolate();
    }
}

}  // namespace beadwave::packing
