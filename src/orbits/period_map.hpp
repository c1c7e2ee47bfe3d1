// The motion of a chain from a state over some steps: the program's own steps of velocity Verlet,
// and their exact derivative.
//
// With the forces F of contacts, springs and loads on a body of mass m, one step of length h is
//
//     v_half = v + (h/2) a,  u' = u + h v_half,  a' = F(u', v_half + (h/2) a, t') / m,
//     v' = v_half + (h/2) a'.
//
// Displacements count from the start of the scenario, its static equilibrium if it has one.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "orbits/links.hpp"
#include "orbits/tangent_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace beadwave::orbits {

/// The state of the freedoms: the beads that forces move, then the masses inside beads.
struct State {
    std::vector<double> displacement, velocity;  ///< [m], [m/s]
};

/// The state of all beads and of the masses inside them, and the walls.
struct Bodies {
    std::vector<double> displacement, velocity;  ///< [m], [m/s]
    Walls walls;
};

/// The beads from `first` on, before `end`.
struct Window {
    std::size_t first = 0, end = SIZE_MAX;
    bool contains(std::size_t bead) const { return bead >= first && bead < end; }
};

class PeriodMap {
  public:
    /// Throws InputError that starts with `name`: elements without derivative, drives that are not
    /// periodic with one period.
    /// `window`: beads outside of it are held at rest.
    PeriodMap(const chain::Chain& chain, const std::string& name, const Window& window = {});

    std::size_t freedoms() const { return body_.size(); }
    const std::vector<std::size_t>& body() const { return body_; }  ///< of each freedom
    std::size_t beads() const { return links_.beads(); }
    /// The freedoms in the order of their beads, masses inside beads next to these.
    const std::vector<std::size_t>& along_chain() const { return along_chain_; }
    double mass(std::size_t freedom) const { return links_.mass()[body_[freedom]]; }
    bool driven() const { return drive_frequency_ > 0.0; }
    bool damped() const { return links_.damped(); }
    /// Whether only differences of displacements have a force.
    bool floats() const { return !links_.grounded(); }
    /// The lowest frequency of the drives of the scenario [Hz]; 0: nothing drives the chain.
    double drive_frequency() const { return drive_frequency_; }
    double largest_drive() const;  ///< largest amplitude of a wall or bead [m]; 0: none

    /// From now on the drives have this frequency [Hz] (the lowest of them, the others in
    /// proportion), and their amplitudes times `scale`.
    void set_drive(double frequency, double scale = 1.0);

    using Observer = std::function<void(const State&)>;
    /// Moves the state on by steps from time `start` [s], with the changes in `tangent`, if there
    /// are.
    void run(State& state, double time_step, std::int64_t steps, Tangent* tangent = nullptr,
             const Observer& observer = {}, double start = 0.0);

    /// The state with what is driven and held.
    Bodies bodies(const State& state, double time) const;

    /// Kinetic and stored at time 0, above the start, less the work of constant loads [J].
    double energy(const State& state) const;

    State rest() const;
    /// The largest acceleration [m/s^2] at rest at the start of the scenario, times the mass [N].
    double unbalanced_force();
    /// The smallest overlap of a contact during the last run() [m].
    double least_overlap() const { return least_overlap_; }

    /// Whether a contact opened or closed during the last run() with a jump of its force: the
    /// derivative of the steps is not that of the motion then.
    bool crossed_jump() const { return links_.crossed_jump(); }

  private:
    struct Sine {
        double ratio, amplitude;  ///< frequency over the lowest one; [m] or [N]
        double phase(double frequency, double time) const;
        double value(double frequency, double time) const;
        double rate(double frequency, double time) const;
    };
    struct OnBody {
        std::size_t body;
        Sine sine;
    };

    Walls walls(double time) const;
    void place_driven(double time);
    /// Forces on all bodies [N].
    void forces(double time, bool slopes);

    Links links_;
    std::vector<std::size_t> body_, freedom_, along_chain_;
    std::vector<double> constant_force_;  ///< per body [N]
    std::vector<Sine> left_, right_;      ///< at most one each
    std::vector<OnBody> driven_, loads_;
    double drive_frequency_ = 0.0, frequency_ = 0.0, scale_ = 1.0;
    // Per body, while it runs.
    std::vector<double> u_, predicted_, force_;
    double least_overlap_ = 0.0;
};

}  // namespace beadwave::orbits
