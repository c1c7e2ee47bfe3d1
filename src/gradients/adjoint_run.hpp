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
// The states are stored at some steps (stored_states.hpp). The reverse sweep computes the steps
// from there again, to the bit.
#pragma once

#include "gradients/objective.hpp"
#include "gradients/rows/reverse_rows.hpp"
#include "gradients/steps.hpp"
#include "gradients/stored_states.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace beadwave::gradients {

struct Bars;

using Stop = std::function<bool()>;

/// What a reverse sweep may take.
struct SweepCost {
    std::size_t most_states = 0;  ///< see stored_states()
    /// On two or more, and without most_states, the steps of one piece are computed again while
    /// those of another are reversed, with the records of both. No bit depends on it.
    int threads = 1;
};

class AdjointRun {
  public:
    /// time_step [s]. Throws running::RunError where `stop` is true or the motion is not finite.
    AdjointRun(const chain::Chain& chain, const MotionNumbers& numbers, double time_step,
               std::int64_t steps, std::vector<Channel> channels,
               std::vector<EnergyWindow> energies, Stop stop = {}, SweepCost cost = {});

    /// The run. `keep`: whether a reverse sweep follows.
    void forward(bool keep);
    const Readings& readings() const { return readings_; }
    /// Mean of the kinetic energy of the beads and the stored energy of the contacts between them,
    /// in each window [J].
    const std::vector<double>& energies() const { return energy_; }
    double largest_overlap() const { return largest_overlap_; }  ///< at stored states [m]

    /// Derivatives by the numbers of the chain, for seeds as of evaluate() by channel.
    MotionNumbers reverse(const Readings& seeds);

    /// States that both need at the same time; the record of a step counts as one.
    std::size_t states() const {
        return kept_.places +
               static_cast<std::size_t>(kept_.piece) * (in_rows_ ? in_rows_->size : 1);
    }

  private:
    struct Stored {
        std::int64_t piece = 0;  ///< that the state is before
        State state{};
        StepRecord before{};  ///< contacts after this state's step, for the jumps of the next one
    };

    /// Steps in vectors, where these can be.
    struct InRows {
        ChainColumns columns;
        Rows rows, ahead;
        std::size_t size;  ///< how many of the two are in use
        InRows(const Steps& steps, const std::vector<Channel>& channels, std::size_t used)
            : columns(steps, channels), rows(columns), ahead(columns), size(used) {}
    };

    void start();
    void advance_to(std::int64_t piece, bool reads);
    void save(State& state) const;
    void restore(const State& state);
    void store(std::int64_t piece);
    void check(const State& state);
    std::int64_t pieces() const { return (count_ + kept_.piece - 1) / kept_.piece; }
    std::int64_t step_of(std::int64_t piece) const { return std::min(piece * kept_.piece, count_); }
    void reverse_pieces(const Readings& seeds, ReverseRows* back, Bars& bars);
    void reverse_on_two_threads(const Readings& seeds, ReverseRows& back, Bars& bars);
    void reverse_piece(std::int64_t piece, const StepRecord& before, const Readings& seeds,
                       ReverseRows* back, Bars& bars);
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
    std::int64_t count_;
    StoredStates kept_;
    std::unique_ptr<InRows> in_rows_;
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
