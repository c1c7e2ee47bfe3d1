// The springs to the ground, resonators, bonds and pair forces of the plain engine. Read this file
// to understand them; the tests compare the tiled engine with it.
#pragma once

#include "element_table.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::dynamics {

class PlainElements {
  public:
    PlainElements(const chain::Chain& chain, double time_step)
        : table_(chain, time_step, chain.beads()),
          force_(chain.beads(), 0.0),
          power_(table_.damped() ? chain.beads() : 0, 0.0),
          time_step_(time_step) {
        if (table_.bonded()) {
            const std::vector<double> none(chain.beads() + 1, 0.0);
            elongation_ = broken_at_ = broken_energy_ = none;
        }
        for (std::size_t k = 0; k < table_.slots().size(); ++k) {
            const std::vector<double> rest(chain.beads(), 0.0);
            slots_.push_back({rest, rest, rest});
        }
        table_.place_masses(chain, slots_);
    }

    const ElementTable& table() const { return table_; }
    double force(std::size_t bead) const { return force_[bead]; }  ///< on the bead [N]

    /// The first forces, from the velocities at the start.
    void init(const double* displacement, const double* velocity) {
        for (std::size_t i = 0; i < force_.size(); ++i) {
            force_[i] = -table_.ground().force(i, displacement[i], velocity[i]) +
                        pair_force(displacement, i);
            for (std::size_t k = 0; k < slots_.size(); ++k)
                pull(k, i, displacement[i], velocity[i], slots_[k].velocity[i]);
        }
        restart(displacement);
        pull_bonds(displacement, velocity, 0);
    }

    /// To be called when the state has been replaced.
    void restart(const double* displacement) {
        for (std::size_t c = 1; c + 1 < elongation_.size(); ++c)
            elongation_[c] = table_.bonds().elongation(c, displacement[c] - displacement[c - 1]);
    }

    /// The masses in step number `step`, and the forces at its end; `predicted` [m/s] is the
    /// velocity of the beads that contact laws also see.
    void step(const double* displacement, const double* predicted, std::int64_t step) {
        for (std::size_t i = 0; i < force_.size(); ++i) {
            force_[i] = -table_.ground().force(i, displacement[i], predicted[i]) +
                        pair_force(displacement, i);
            for (std::size_t k = 0; k < slots_.size(); ++k) {
                Slot& slot = slots_[k];
                const double half = slot.velocity[i] + slot.velocity_change[i];
                slot.displacement[i] += time_step_ * half;
                pull(k, i, displacement[i], predicted[i], half + slot.velocity_change[i]);
                slot.velocity[i] = half + slot.velocity_change[i];
            }
        }
        pull_bonds(displacement, predicted, step);
    }

    /// Adds the power of this step, with the velocities at its end.
    void add_power(const double* velocity) {
        for (std::size_t i = 0; i < power_.size(); ++i) {
            power_[i] += force_[i] * velocity[i];
            for (std::size_t k = 0; k < slots_.size(); ++k) {
                const double kick = table_.slots()[k].kick[i];
                if (kick > 0.0)
                    power_[i] += slots_[k].velocity_change[i] / kick * slots_[k].velocity[i];
            }
        }
    }

    ElementPointers pointers() {
        ElementPointers all{.force = force_.data(),
                            .power = power_.empty() ? nullptr : power_.data()};
        if (table_.bonded()) {
            all.broken_at = broken_at_.data();
            all.broken_energy = broken_energy_.data();
        }
        for (Slot& slot : slots_) {
            all.slots.push_back(
                {slot.displacement.data(), slot.velocity.data(), slot.velocity_change.data()});
        }
        return all;
    }

  private:
    struct Slot {
        std::vector<double> displacement, velocity, velocity_change;
    };

    double pair_force(const double* displacement, std::size_t i) const {
        return table_.pairs().empty() ? 0.0 : table_.pairs().force(displacement, i);
    }

    /// The spring of a resonator pulls its mass after the bead, and the bead back.
    void pull(std::size_t k, std::size_t i, double u, double speed, double own_speed) {
        const ElementTable::Slot& slot = table_.slots()[k];
        const double pull = slot.spring.force(i, u - slots_[k].displacement[i], speed - own_speed);
        slots_[k].velocity_change[i] = pull * slot.kick[i];
        force_[i] -= pull;
    }

    /// Bonds pull the two beads of their contact together. One whose spring pulls with more than
    /// its strength breaks.
    void pull_bonds(const double* displacement, const double* speed, std::int64_t step) {
        if (elongation_.empty()) return;
        const BondColumns& bonds = table_.bonds();
        double left = 0.0;
        for (std::size_t c = 1; c < force_.size(); ++c) {
            const double before = elongation_[c];
            const double x = bonds.elongation(c, displacement[c] - displacement[c - 1]);
            elongation_[c] = x;
            double tension = 0.0;
            if (broken_at_[c] == 0.0 && bonds.stiffness[c] * x > bonds.strength[c]) {
                broken_at_[c] = static_cast<double>(step);
                broken_energy_[c] = bonds.broken_energy(c, before, x);
            } else if (broken_at_[c] == 0.0) {
                tension = bonds.tension(c, x, speed[c] - speed[c - 1]);
            }
            force_[c - 1] += tension - left;
            left = tension;
        }
        force_.back() -= left;
    }

    ElementTable table_;
    std::vector<double> force_, power_;
    std::vector<double> elongation_, broken_at_, broken_energy_;  // by contact, or empty: of bonds
    double time_step_;
    std::vector<Slot> slots_;
};

}  // namespace beadwave::dynamics
