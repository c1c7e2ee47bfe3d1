// The equations of motion as one list of numbers y and their rates: coordinates q, rates u, the
// work that each spot's normal force and friction took up so far, the work of the motors.
#pragma once

#include "mechanism/complementary.hpp"
#include "mechanism/contact_force.hpp"
#include "mechanism/multibody.hpp"
#include "mechanism/result.hpp"
#include "mechanism/spot.hpp"
#include "state_numbers.hpp"

namespace beadwave::mechanism {

/// A spot and what acts there.
struct Touch {
    Spot spot;
    /// Open: no force. Touching. Spent: the bodies still overlap, but the force has ended.
    /// Resting, under impulses: held closed, by a force without an overlap.
    enum class State { open, touching, spent, resting } state = State::open;
    std::unique_ptr<ContactForce> force{};  ///< null until the spot first closes
    bool loading = false;                   ///< the overlap grows, as last seen
    double work_at_start = 0.0;             ///< of the impact under way [J]
    double closing_speed = 0.0;             ///< of the impact under way [m/s]
    double largest_overlap = 0.0;           ///< of the impact under way [m]
    double force_mass = 0.0;                ///< that the force was made with [kg]
    double force_speed = 0.0;               ///< the same [m/s]
    double holding = 0.0;                   ///< force that kept it resting at the last rates() [N]
};

/// Makes the law of a spot that closes at `closing_speed` [m/s], where the bodies weigh `mass` [kg]
/// along the normal. Throws PartError if it cannot be made.
void make_force(Touch&, const Mechanism&, double mass, double closing_speed);

class Dynamics {
  public:
    explicit Dynamics(const Mechanism&);

    std::size_t coordinates() const { return n_; }
    std::size_t numbers() const { return 2 * n_ + 2 * touches.size() + 1; }
    std::vector<double> first_state();

    void rates(double time, std::span<const double> y, std::span<double> slopes);
    void settle(double time, std::vector<double>& y, double tolerance);
    /// All spots at y; only kinematics.
    void see(double time, std::span<const double> y, std::vector<Nearness>& seen);
    double force(const Touch& touch, const Nearness& near) const;
    /// Work that the spot's normal force took up [J].
    double& normal_work(std::span<double> y, std::size_t spot) const { return y[2 * n_ + spot]; }

    /// Acceleration of the approach at a spot at the last rates() [m/s^2].
    double approach_rate(std::size_t spot) const;

    /// What an impulse of 1 N s at one of these spots (column) takes from the approach speed at
    /// another (row), at the last see() or rates() [1/kg].
    Matrix yields(const std::vector<std::size_t>& spots, const std::vector<Nearness>& seen);
    /// Effective mass [kg] along the normal of a spot at the last see() or rates().
    double effective_mass(std::size_t spot, const Nearness& near);
    /// Applies an impulse [N s] at a spot to the rates of y.
    void strike(std::size_t spot, const Nearness& near, double impulse, std::span<double> y);

    /// Energies at y, the initial one and the scale left at zero.
    Ledger ledger(double time, std::span<const double> y);
    double kinetic_energy() const;  ///< where the mechanism was last put [J]
    Moment moment(double time, std::span<const double> y);

    static bool is_finite(std::span<const double> y);

    /// Saves or restores what is not in y.
    void exchange(StateNumbers&);

    const Mechanism mechanism;
    Multibody multibody;
    std::vector<Touch> touches;
    double size = 0.0;  ///< of the mechanism [m]
    std::int64_t evaluations = 0;

  private:
    /// Friction on the first body along left_of(normal) [N].
    double friction(const Touch& touch, const Nearness& near, double normal_force) const;
    /// Adds the forces that keep resting spots closed to what acts, and renews the rates.
    void hold(std::span<double> rates);
    void settle_resting(double time, std::span<double> q, std::span<double> u);
    std::vector<std::size_t> resting() const;
    std::vector<Load> unit_loads(std::size_t spot, const Nearness& near) const;
    void push(const Touch& touch, const Nearness& near, const Vector& pull,
              std::vector<Load>& loads) const;

    std::size_t n_;
    std::vector<Load> loads_;
    std::vector<double> slopes_;
};

}  // namespace beadwave::mechanism
