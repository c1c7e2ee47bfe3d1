// Numbers of a run that have gradients: sums over its steps s = 1 to N, where the state after step
// s has the time s dt. The derivatives of an objective by what it reads at each step are the seeds
// of the reverse sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::gradients {

/// What an objective reads at each step, of a chain or of a packing.
struct Channel {
    enum class Kind {
        contact_force,  ///< of a chain's contact `index`, between beads index - 1 and index [N]
        /// Of a bead: the mean of the contact forces on its two sides; of a particle: the sum of
        /// its contact forces along `axis` [N].
        sensor_force,
        velocity,   ///< of a bead, or of a particle along `axis` [m/s]
        position,   ///< of a particle along `axis` [m]
        wall_force  ///< with which particles push wall `index` of a packing away from them [N]
    };
    Kind kind = Kind::sensor_force;
    std::size_t index = 0;
    std::size_t axis = 0;  ///< of a particle: 0 to 2

    bool operator==(const Channel&) const = default;
};

enum class ObjectiveKind { trace, peak, impulse, energy, spectrum, arrival, transmission };

struct Objective {
    ObjectiveKind kind = ObjectiveKind::peak;
    double weight = 1.0;
    Channel channel{};                                    ///< of all kinds but energy
    std::size_t first_bead = 0, last_bead = 0;            ///< energy, or particles: both included
    double from = 0.0;                                    ///< [s]
    double to = std::numeric_limits<double>::infinity();  ///< [s]
    std::vector<double> target_time{}, target{};          ///< trace: rising times [s], values
    double frequency = 0.0;                               ///< spectrum [Hz]
    double smoothing = 8.0;                               ///< peak: the exponent p
    Channel incident{};                                   ///< transmission: what is divided by
    double incident_from = 0.0;                           ///< [s]
    double incident_to = std::numeric_limits<double>::infinity();  ///< [s]
    std::string name{};  ///< where it is in its file, for messages: "objective.0"
};

/// Readings of one channel, one number per step from step 0, and the derivatives by them, to which
/// an objective adds; empty: they are not wanted.
struct ChannelReadings {
    std::span<const double> readings;
    std::span<double> seeds;
};

/// The steps that an objective counts: first to last, both included.
struct Window {
    std::int64_t first, last;

    std::int64_t count() const { return last - first + 1; }
    bool contains(std::int64_t step) const { return step >= first && step <= last; }
};

/// Energy of some beads or particles in a window.
struct EnergyWindow {
    std::size_t first_bead, last_bead;  ///< both included
    Window window;
    double weight;  ///< of the mean over the window
};

/// Numbers by channel, then by step, from step 0.
using Readings = std::vector<std::vector<double>>;

/// Steps within a billionth of the times given count as within. Empty (last < first) if no step of
/// the run is in it. time_step [s].
Window window_of(const Objective& objective, double time_step, std::int64_t steps);

/// Value of an objective other than energy and, if `seeds` is not empty, its derivatives by the
/// readings, which are added times the weight; both have one number per step, from step 0.
///
///     trace     (dt/2) sum of (x - target)^2
///     peak      (mean of |x|^p)^(1/p)
///     impulse   dt sum of x
///     spectrum  |X|^2, X = dt sum of x exp(-2 pi i f s dt)
///     arrival   the time of the first hump that no later one clearly exceeds, as of sensors [s]
///
/// Throws InputError for an arrival that is no hump within the window.
double evaluate(const Objective& objective, double time_step, std::span<const double> readings,
                std::span<double> seeds);

/// Value of a transmission: sum of x^2 over the transmitted readings' window, over that of the
/// incident ones'; derivatives as of evaluate(). Throws InputError where nothing is incident.
double evaluate_transmission(const Objective& objective, double time_step,
                             const ChannelReadings& transmitted, const ChannelReadings& incident);

}  // namespace beadwave::gradients
