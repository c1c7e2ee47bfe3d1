// One run of a chain and its reverse sweep: from the derivatives of an objective by what it reads
// at each step to those by all numbers of the chain.
//
// The state after a step is (u, v, w, memory), w = (dt/2) a. A step, with bars for derivatives,
// reversed line by line from the last to the first:
//
//     h = v + w
//     u += dt h
//     p = h + w
//     F, memory = law(u_(c-1) - u_c - gap, p_(c-1) - p_c, memory)
//     w = kick (F_i - F_(i+1) + load),   kick = dt / (2 m)
//     v = h + w
//
// The states are stored at every sqrt(N)-th of N steps. The reverse sweep recomputes the steps
// between two of them, to the bit, and needs 2 sqrt(N) states in all.
#pragma once

#include "gradients/objective.hpp"
#include "gradients/steps.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::gradients {

/// Kinetic energy of some beads and stored energy of the contacts between them, in a window.
struct EnergyWindow {
    std::size_t first_bead, last_bead;  ///< both included
    Window window;
    double weight;  ///< of the mean over the window
};

/// Numbers by channel, then by step, from step 0.
using Readings = std::vector<std::vector<double>>;

struct Bars;

using Stop = std::function<bool()>;

class AdjointRun {
  public:
    /// time_step [s]. Throws running::RunError where `stop` is true or the motion is not finite.
    AdjointRun(const chain::Chain& chain, const MotionNumbers& numbers, double time_step,
               std::int64_t steps, std::vector<Channel> channels,
               std::vector<EnergyWindow> energies, Stop stop = {});

    /// The run. `keep`: whether a reverse sweep follows.
    void forward(bool keep);
    const Readings& readings() const { return readings_; }
    /// Mean energy in each window [J].
    const std::vector<double>& energies() const { return energy_; }
    double largest_overlap() const { return largest_overlap_; }  ///< at stored states [m]

    /// Derivatives by the numbers of the chain, for seeds as of evaluate() by channel.
    MotionNumbers reverse(const Readings& seeds);

    /// States that both need at the same time.
    std::size_t states() const { return stored_.size() + records_.size(); }

  private:
    struct Stored {
        State state;
        StepRecord before;  ///< contacts after this state's step, for the jumps of the next one
    };

    double reading(const Channel& channel) const;
    void read();
    double energy_of(const EnergyWindow& window) const;
    void reverse_step(std::int64_t step, const StepRecord& record, const StepRecord* before,
                      const Readings& seeds, Bars& bars) const;
    void leave_at_rest(std::int64_t step, std::size_t active, Bars& bars) const;
    void add_velocities(std::int64_t step, const Readings& seeds, Bars& bars) const;
    void reverse_carried(std::int64_t step, const StepRecord& record, Bars& bars) const;
    void take_driven_velocities(std::size_t at, Bars& bars) const;
    void add_walls(std::size_t at, std::span<const double> overlap_bar,
                   std::span<const double> speed_bar, Bars& bars) const;
    void reverse_start(const Readings& seeds, Bars& bars);
    void add_forces(std::int64_t step, const Readings& seeds, Bars& bars) const;
    void add_energies(std::int64_t step, const StepRecord& record, Bars& bars) const;

    Steps steps_;
    std::int64_t count_, stride_;
    std::vector<Channel> channels_;
    std::vector<EnergyWindow> windows_;
    Stop stop_;
    Readings readings_;
    std::vector<double> energy_;
    double largest_overlap_ = 0.0;
    std::vector<Stored> stored_;
    std::vector<StepRecord> records_;
};

}  // namespace beadwave::gradients
