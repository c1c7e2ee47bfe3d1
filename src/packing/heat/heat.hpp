// The heat of the particles of a packing. Each has one temperature. It is warmed by half of what
// its contacts dissipate, and by conduction through them: between two bodies flows
//
//     2 k a (T_2 - T_1),   1 / k = (1 / k_1 + 1 / k_2) / 2,   a = sqrt(R overlap)
//
// with the effective radius R of the contact, and of a contact that is an ellipse the a whose
// square is the product of its half axes, as Hertz's theory has them (G. K. Batchelor and R. W.
// O'Brien, Proc. R. Soc. London A 355 (1977) 313; the mean is that of two half spaces in series). A
// wall of a fixed temperature is a half space which has it far from the contact. An insulated wall
// conducts nothing, and its half of what is dissipated warms the particle too.
//
// Heat is counted from the temperature with which a particle is there first, so that its sums do
// not lose the digits of small changes. What one body gives another one gets: all sums balance to
// rounding. A step of conduction is Heun's, of second order, with the contacts at its end.
#pragma once

#include "packing/heat/dissipation_changes.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::packing {

class Population;
struct ContactState;

/// Since the start [J]: particles + walls + taken = dissipated, to rounding.
struct HeatTotals {
    double particles = 0.0;   ///< in those that are there
    double walls = 0.0;       ///< into walls of a fixed temperature
    double taken = 0.0;       ///< by particles that left
    double dissipated = 0.0;  ///< by contacts

    double error() const { return particles + walls + taken - dissipated; }
};

class Heat {
  public:
    /// Takes Packing::heat, which must be there; `packing` must outlive it.
    explicit Heat(const Packing& packing);

    /// Gives half of each change to each of its bodies.
    void receive(std::span<const DissipationChange> changes);
    /// Conducts heat for a step of dt [s].
    void conduct(std::span<const ContactState> contacts, double dt);
    /// Whether conduct() does anything.
    bool conducts() const { return conducts_; }

    double temperature(std::size_t particle) const {  ///< [K]
        return bodies().start[particle] + gained_[particle] / capacity_[particle];
    }
    std::vector<double> temperatures() const;  ///< [K]
    /// By what its contacts dissipated alone, as if nothing was conducted [K].
    double adiabatic_rise(std::size_t particle) const {
        return received_[particle] / capacity_[particle];
    }
    /// Into each wall since the start [J].
    const std::vector<double>& into_walls() const { return into_walls_; }
    /// `dissipated`: by all contacts [J].
    HeatTotals totals(const Population& population, double dissipated) const;
    /// The largest conductance of a particle over its heat capacity in conduct() [1/s]: a step is
    /// stable up to its inverse.
    double fastest() const { return fastest_; }

    /// The state, for checkpoints.
    std::vector<double> numbers() const;
    /// Throws std::invalid_argument if these are not numbers of this packing.
    void restore(std::span<const double> numbers);

  private:
    struct Link {
        std::size_t first, second;  // as ContactState
        double conductance;         // [W/K]
    };

    const HeatBodies& bodies() const { return *packing_.heat; }
    /// Between two bodies that touch; no link: nothing flows.
    void add_link(const ContactState& contact);
    /// The difference of temperatures, second less first [K].
    double difference(const Link& link, std::span<const double> temperature) const;

    const Packing& packing_;
    bool conducts_ = false;
    std::vector<double> capacity_;           // of each particle [J/K]
    std::vector<double> gained_, received_;  // of each particle [J]
    std::vector<double> into_walls_;         // [J]
    double fastest_ = 0.0;
    std::vector<Link> link_;                 // of a step
    std::vector<double> now_, then_, rate_;  // temperatures of a step [K], sums of conductances
};

}  // namespace beadwave::packing
