// The derivatives of the objective by the state and the numbers of the steps, while the reverse
// sweep goes back through them.
#pragma once

#include "gradients/law_kernel.hpp"
#include "gradients/motion_numbers.hpp"
#include "gradients/steps.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::gradients {

struct Bars {
    Bars(const Steps& steps, std::size_t memory_numbers, std::int64_t count)
        : numbers(steps.numbers()),
          displacement(steps.beads(), 0.0),
          velocity(steps.beads(), 0.0),
          change(steps.beads(), 0.0),
          kick(steps.beads(), 0.0),
          body_force(steps.beads()),
          push(steps.beads() + 2, 0.0),
          force(steps.beads() + 1, 0.0),
          energy(steps.beads() + 1, 0.0),
          overlap(steps.beads() + 1, 0.0),
          approach_speed(steps.beads() + 1, 0.0),
          overlap_before(steps.beads() + 1, 0.0),
          blow(steps.beads() + 1, 0.0),
          inner(steps.carried().inner_state()),
          memory(memory_numbers, std::vector<double>(steps.beads() + 1, 0.0)) {
        for (std::size_t i = 0; i < steps.beads(); ++i)
            body_force[i] = steps.body_force(i);
        for (const std::vector<double>& column : steps.numbers().law)
            law_columns.push_back(column.data());
        active = steps.beads();
        numbers.clear(count);
        for (std::vector<double>& column : numbers.law)
            law_bar.push_back(column.data());
        for (std::vector<double>& column : memory)
            memory_bar.push_back(column.data());
    }

    /// The first `count` contacts of a step.
    ReverseContacts view(const StepRecord& record, double time_step, std::size_t count) {
        memory_columns.clear();
        for (const std::vector<double>& column : record.memory)
            memory_columns.push_back(column.data());
        return {.count = count,
                .law = law_columns.data(),
                .overlap = record.overlap.data(),
                .approach_speed =
                    record.approach_speed.empty() ? overlap.data() : record.approach_speed.data(),
                .memory = memory_columns.data(),
                .force_bar = force.data(),
                .energy_bar = has_energy ? energy.data() : nullptr,
                .memory_bar = memory_bar.data(),
                .overlap_bar = overlap.data(),
                .approach_speed_bar = approach_speed.data(),
                .law_bar = law_bar.data(),
                .time_step = time_step,
                .overlap_before = nullptr,
                .approach_speed_before = nullptr,
                .blow_bar = blow.data(),
                .overlap_before_bar = overlap_before.data()};
    }

    /// Reverses at once all `steps` steps that are left of a bead at rest: u' stays, and each step
    /// adds dt u' to v'. `by_force` [s/kg]: kick of the steps.
    void reverse_rest(std::size_t bead, std::int64_t steps, double time_step, double by_force) {
        const double v = velocity[bead];
        rest(bead, steps, by_force, velocity[bead] + change[bead], v,
             time_step * displacement[bead]);
        velocity[bead] = change[bead] =
            v + static_cast<double>(steps) * time_step * displacement[bead];
    }
    /// A seed by the velocity of such a bead.
    void add_at_rest(std::size_t bead, std::int64_t steps, double by_force, double seed) {
        rest(bead, steps, by_force, seed, seed, 0.0);
        velocity[bead] += seed;
        change[bead] += seed;
    }

    MotionNumbers numbers;  // results
    std::vector<double> displacement, velocity, change;
    std::vector<double> kick, body_force;
    std::vector<double> push, force, energy, overlap, approach_speed, overlap_before, blow;
    InnerState inner;
    std::vector<std::vector<double>> memory;
    std::vector<const double*> law_columns, memory_columns;
    std::vector<double*> law_bar, memory_bar;
    // By what carried things read, if there are any.
    std::vector<double> read_displacement, read_speed;
    bool has_energy = false;
    std::size_t active = 0;  ///< beads that have not been reversed to their rest

  private:
    /// What the steps of a bead at rest add to the derivative by a load on it.
    void rest(std::size_t bead, std::int64_t steps, double by_force, double first, double v,
              double growth) {
        const auto more = static_cast<double>(steps - 1);
        numbers.load[bead] += by_force * (first + more * (2.0 * v + growth * (more + 1.0)));
    }
};

}  // namespace beadwave::gradients
