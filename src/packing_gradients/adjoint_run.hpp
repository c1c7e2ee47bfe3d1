// One run of a packing and its reverse sweep: from the derivatives of an objective by what it reads
// at each step to those by all numbers of the packing.
//
// The state after a step is (x, v, w, spin, its change, memories of the pairs), w = (dt/2) a. A
// step, with bars for derivatives, reversed line by line from the last to the first:
//
//     h = v + w                           likewise for the spins
//     x += dt h
//     p = h + w
//     the list is rebuilt, if bodies have moved far (listed_pairs.hpp)
//     F, T, memories = pairs(x, h, p, spins, memories)                         (pair_step.hpp)
//     w = (F + m g) dt / (2 m),   change of the spin = T dt / (2 I)
//     v = h + w
//
// The states are stored at some steps (gradients/stored_states.hpp). The reverse sweep computes the
// steps from there again, to the bit.
#pragma once

#include "gradients/objective.hpp"
#include "gradients/stored_states.hpp"
#include "packing_gradients/steps.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace beadwave::packing_gradients {

using gradients::Readings;

/// Derivatives by the numbers of a packing that its steps read.
struct Bars {
    std::vector<Vec3> position{}, velocity{}, spin{};  ///< at the start
    std::vector<double> mass{}, radius{}, inertia{};   ///< without their part in the laws
    Vec3 gravity{};
    /// By the numbers of the laws of each pair of the table, as numbers_of() lists them.
    std::vector<std::array<double, most_pair_numbers>> law{};
};

class AdjointRun {
  public:
    /// `varied` must outlive it; time_step [s]; `most_states`: see gradients::stored_states().
    /// `threads` share the reverse of the pairs; no bit depends on their number.
    AdjointRun(const VariedPacking& varied, double time_step, std::int64_t steps,
               std::vector<gradients::Channel> channels,
               std::vector<gradients::EnergyWindow> energies, std::function<bool()> stop = {},
               std::size_t most_states = 0, int threads = 1);

    /// The run. `keep`: whether a reverse sweep follows. Throws running::RunError where `stop` is
    /// true, the motion is not finite or bodies pass through each other.
    void forward(bool keep);
    const Readings& readings() const { return readings_; }
    /// Mean kinetic energy of the particles in each window, of translation and rotation [J].
    const std::vector<double>& energies() const { return energy_; }

    /// Derivatives by the numbers of the packing, for seeds by channel.
    Bars reverse(const Readings& seeds);

    /// States that both need at the same time; the record of a step counts as one.
    std::size_t states() const { return kept_.places + static_cast<std::size_t>(kept_.piece); }
    const PairTable& table() const { return steps_.table(); }

  private:
    struct Stored {
        std::int64_t piece;  ///< that the state is before
        State state;
    };
    /// Derivatives by a state, and by what a step computes between two states.
    struct Sweep {
        Bars of{};
        std::vector<Vec3> change{}, spin_change{};
        std::vector<PairMemory> memory{};
        std::vector<Vec3> force{}, torque{};
        std::vector<double> wall_force{};
        std::vector<BodyMotion> body{};
        std::vector<Vec3> anchor{};  ///< by where springs to the ground are held
    };

    struct ReversedPair {
        bool responds = false;
        PairBars by{};
        std::array<double, most_pair_numbers> law{};
    };

    std::int64_t pieces() const { return (count_ + kept_.piece - 1) / kept_.piece; }
    std::int64_t step_of(std::int64_t piece) const;
    void advance_to(std::int64_t step, bool reads);
    void read();
    double reading(const gradients::Channel& channel) const;
    void check() const;
    void reverse_piece(std::int64_t piece, const Readings& seeds, Sweep& sweep);
    /// The seeds of the state after a step.
    void add_seeds(const StepRecord& record, const Readings& seeds, Sweep& sweep) const;
    void add_energies(const StepRecord& record, Sweep& sweep) const;
    void reverse_step(const StepRecord& record, const Readings& seeds, Sweep& sweep);
    void reverse_kick(const StepRecord& record, Sweep& sweep) const;
    void reverse_pair(const StepRecord& record, std::size_t k, ReversedPair& pair,
                      Sweep& sweep) const;
    void add_pair(const StepRecord& record, std::size_t k, const ReversedPair& reversed,
                  Sweep& sweep) const;
    void reverse_pairs(const StepRecord& record, Sweep& sweep);
    /// The springs to the ground and the loads of particles, whose forces join `sweep.force`.
    void reverse_carried(const StepRecord& record, Sweep& sweep) const;
    /// The force of springs and dampers to the ground, and of loads, on a particle [N].
    Vec3 carried_force(const StepRecord& record, std::size_t particle) const;
    void reverse_start(const Readings& seeds, Sweep& sweep);

    Steps steps_;
    std::int64_t count_;
    gradients::StoredStates kept_;
    std::vector<gradients::Channel> channels_;
    std::vector<gradients::EnergyWindow> windows_;
    std::function<bool()> stop_;
    Readings readings_;
    std::vector<double> energy_;
    /// Of each particle 1 along axes where it is free, 0 where it is held or driven.
    std::vector<Vec3> free_;
    std::vector<double> turns_;                              ///< 1, or 0 where it does not turn
    std::vector<std::vector<packing::Foundation>> springs_;  ///< of each particle
    std::vector<std::vector<packing::ForceOverTime>> loads_;
    std::vector<Stored> stored_;
    std::vector<StepRecord> records_;
    int threads_;
    std::vector<ReversedPair> reversed_;
};

}  // namespace beadwave::packing_gradients
